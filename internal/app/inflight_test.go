package app

import (
	"bytes"
	"errors"
	"testing"
)

// However many deliveries arrive at once, they take no more memory than they may together.
func TestInFlight(t *testing.T) {
	var f inFlight
	small := bytes.Repeat([]byte("x"), 1000)
	f.bytes.Store(maxInFlight - 1500)
	body, done, err := f.read(bytes.NewReader(small))
	if err != nil || !bytes.Equal(body, small) {
		t.Fatalf("%d bytes, %v", len(body), err)
	}
	_, doneToo, err := f.read(bytes.NewReader(small))
	if !errors.Is(err, errInFlight) {
		t.Errorf("a second: %v", err)
	}
	done()
	doneToo()
	if n := f.bytes.Load(); n != maxInFlight-1500 {
		t.Errorf("%d bytes are left", n-maxInFlight+1500)
	}
	if _, done, err := f.read(bytes.NewReader(small)); err != nil {
		t.Errorf("with room again: %v", err)
	} else {
		done()
	}
}
