package distill

import (
	"fmt"
	"testing"
)

// TestSettle shows what a second comment does to the remark before it.
func TestSettle(t *testing.T) {
	root := Finding{Path: "a/b.go", Line: 7, Body: "The rows are never closed. Close them in a defer."}
	at := func(line int, body string) Finding { return Finding{Path: "a/b.go", Line: line, Body: body} }
	tests := map[string]struct {
		second   Finding
		remarks  int
		repeats  int
		disputed bool
	}{
		"another remark":               {second: at(7, "Wrap the error with the name of the query."), remarks: 2},
		"done":                         {second: at(7, "Done in the last push."), remarks: 1},
		"done elsewhere":               {second: at(90, "Fixed."), remarks: 1},
		"taken, with a wish":           {second: at(90, "ok, but rename the argument to `rows`"), remarks: 2},
		"refuted":                      {second: at(7, "This is a false positive, `Scan` closes them."), remarks: 0},
		"refuted on another line":      {second: at(90, "This is a false positive, `Scan` closes them."), remarks: 2},
		"disputed":                     {second: at(7, "Your previous review asked for the opposite. Which one is it?"), remarks: 1, disputed: true},
		"here too":                     {second: at(90, "Same here."), remarks: 1, repeats: 1},
		"the same in other words":      {second: at(90, "Rows not closed here as well"), remarks: 1, repeats: 1},
		"a remark that happens again":  {second: at(90, "The form is submitted again when the user presses Enter twice."), remarks: 2},
		"a review's body is no answer": {second: Finding{Body: "Fixed."}, remarks: 2},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := settle(t.Context(), []Finding{root, test.second})
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != test.remarks {
				t.Fatalf("%d remarks, want %d", len(got), test.remarks)
			}
			if len(got) > 0 && (got[0].repeats != test.repeats || got[0].disputed != test.disputed) {
				t.Errorf("repeats, disputed = %s", fmt.Sprint(got[0].repeats, got[0].disputed))
			}
		})
	}
}
