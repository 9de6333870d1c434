package distill

import (
	"context"
	"testing"
)

func TestAsks(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		"Please close the response body here, otherwise the connection is never reused.":          true,
		"This must hold the lock while it writes to the map.":                                     true,
		"You should check the error of the second call as well.":                                  true,
		"```suggestion\ndefer body.Close()\n```\nClose the body before the next request is made.": true,
		"Nice catch, this reads much better than before!":                                         false,
		"Why a map and not a slice?":                                                              false,
		"I ran this on my machine and it took two seconds.":                                       false,
		"LGTM": false,
		"":     false,
	} {
		if got, err := Asks(context.Background(), Finding{Body: body, Path: "main.go"}); got != want || err != nil {
			t.Errorf("%q: %v, %v", body, got, err)
		}
	}
}
