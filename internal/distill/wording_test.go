package distill

import (
	"slices"
	"testing"
)

// taught are the sentences that findings teach, best first.
func taught(t *testing.T, findings ...Finding) []string {
	t.Helper()
	result, err := NewExtractive().Distill(t.Context(), findings)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range result.Lessons {
		out = append(out, l.Text)
	}
	return out
}

// TestWording lists comments on code and the whole lesson that each teaches, "" for none.
func TestWording(t *testing.T) {
	for _, test := range []struct{ path, body, want string }{
		// A closing remark is no reason.
		{"hooks/verify.go", "The webhook signature is not checked. Compare it in constant time before the body is parsed. Otherwise LGTM.",
			"The webhook signature is not checked; compare it in constant time before the body is parsed."},
		{"a.go", "Kill the child when the deadline passes, otherwise the process hangs for ever. Otherwise this is ready.",
			"Kill the child when the deadline passes, otherwise the process hangs for ever."},
		{"a.go", "Release the lock before the callback of the caller is called, otherwise looks good to me!", "Release the lock before the callback of the caller is called."},
		{"a.go", "Release the lock before the callback is called, or it deadlocks; nothing to add otherwise.", "Release the lock before the callback is called, or it deadlocks."},
		{"a.go", "Release the lock before the callback is called. Otherwise two callers wait for each other.",
			"Release the lock before the callback is called, otherwise two callers wait for each other."},
		{"a.go", "Release the lock before the callback is called. Otherwise no callback ever returns.",
			"Release the lock before the callback is called, otherwise no callback ever returns."},
	} {
		got := ""
		if lessons := taught(t, Finding{Path: test.path, Line: 3, Body: test.body}); len(lessons) > 0 {
			got = lessons[0]
		}
		if got != test.want {
			t.Errorf("%s\n got %q\nwant %q", test.body, got, test.want)
		}
	}
}

// TestClosingRemarks lists what reviewers end with. It is never the reason for what stands before it.
func TestClosingRemarks(t *testing.T) {
	order := "Release the lock before the callback is called by another goroutine."
	for _, closing := range []string{
		"Otherwise LGTM.", "Otherwise looks good to me!", "Otherwise good to go.", "Otherwise nothing to add.", "Otherwise the change is fine.",
		"Otherwise I have no complaints about this.", "Otherwise I'm happy to merge this.", "Otherwise this looks great, thanks.", "Otherwise everything is fine.",
		"Sonst passt alles.", "Ansonsten sieht das gut aus.", "Ansonsten habe ich nichts gefunden.", "Sinon c'est bon pour moi.", "Sinon rien à signaler.", "Altrimenti va tutto bene.",
	} {
		if got := taught(t, Finding{Path: "a.go", Line: 3, Body: order + " " + closing}); !slices.Equal(got, []string{order}) {
			t.Errorf("with %q: %q", closing, got)
		}
	}
}

// TestPointers lists comments that only show where something stands that is said elsewhere.
func TestPointers(t *testing.T) {
	for _, body := range []string{
		"this is the spot I mean", "this is where the id would go", "this is the place", "this is what I was referring to in my review",
		"that's the call I was talking about", "see my comment in the summary for this one", "here it is, the one from the summary", "Das ist die Stelle, die ich meine.",
	} {
		if got := taught(t, Finding{Path: "signup/wizard.rb", Line: 3, Body: body}); len(got) > 0 {
			t.Errorf("%s: taught %q", body, got)
		}
	}
}
