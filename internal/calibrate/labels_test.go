package calibrate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadLabels(t *testing.T) {
	t.Parallel()
	line := func(a, b, label string) string { return `{"a":"` + a + `","b":"` + b + `","label":"` + label + "\"}\n" }
	for name, c := range map[string]struct {
		file string
		want []Label
		err  string
	}{
		"nothing":                        {"\n\n", nil, ""},
		"in order":                       {line("x", "y", "duplicate") + "\r\n" + line("x", "z", "opposite"), []Label{{"x", "y", Duplicate}, {"x", "z", Opposite}}, ""},
		"the last line of a pair":        {line("x", "y", "duplicate") + line("y", " x", "distinct"), []Label{{"y", " x", Distinct}}, ""},
		"undone":                         {line("x", "y", "duplicate") + line("x", "z", "skip") + line("x", "y", "undone"), []Label{{"x", "z", Skip}}, ""},
		"undone and labelled again":      {line("x", "y", "duplicate") + line("x", "y", "undone") + line("x", "y", "skip"), []Label{{"x", "y", Skip}}, ""},
		"the word of other data":         {line("x", "y", "contradictory"), []Label{{"x", "y", Opposite}}, ""},
		"more keys than these":           {`{"id":1,"a":"x","b":"y","label":"skip","why":"?"}`, []Label{{"x", "y", Skip}}, ""},
		"a last line without line end":   {strings.TrimSpace(line("x", "y", "skip")), []Label{{"x", "y", Skip}}, ""},
		"a writer that was stopped":      {line("x", "y", "skip") + `{"a":"x","b":"z","la`, []Label{{"x", "y", Skip}}, ""},
		"half a line in the middle":      {line("x", "y", "skip") + "{\"a\":\n" + line("x", "z", "skip"), nil, "line 2: "},
		"an unknown label":               {line("x", "y", "maybe"), nil, `line 1: label "maybe" is none of duplicate`},
		"an unknown label without end":   {strings.TrimSpace(line("x", "y", "maybe")), nil, `line 1: label "maybe"`},
		"an empty sentence":              {line("x", "", "skip"), nil, "line 1: "},
		"a line that fills the memory":   {strings.Repeat("x", maxLine+1), nil, "longer than"},
		"what is no object":              {"[1]\n", nil, "line 1: "},
		"a sentence that is no sentence": {`{"a":1,"b":"y","label":"skip"}` + "\n", nil, "line 1: "},
	} {
		got, err := ReadLabels(strings.NewReader(c.file))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, want %q", name, err, c.err)
		}
	}
}

// Whatever a file holds, reading it ends in labels that are written and read again, or in an error.
func FuzzReadLabels(f *testing.F) {
	f.Add("{\"a\":\"x\",\"b\":\"y\",\"label\":\"skip\"}\n{\"a\":\"x\"")
	f.Fuzz(func(t *testing.T, file string) {
		labels, err := ReadLabels(strings.NewReader(file))
		if err != nil {
			return
		}
		seen := map[key]bool{}
		for _, l := range labels {
			if k := keyOf(l.A, l.B); seen[k] {
				t.Errorf("%+v is there twice", l)
			} else {
				seen[k] = true
			}
			if l.Verdict == Undone || l.A == "" {
				t.Errorf("%+v counts", l)
			}
		}
	})
}

func TestIn(t *testing.T) {
	t.Parallel()
	labels := []Label{{"x", "y", Skip}, {"x", "z", Skip}, {"z", "y", Skip}}
	in, elsewhere := In(labels, []string{"y", " x  "})
	if diff := cmp.Diff(labels[:1], in); diff != "" || elsewhere != 2 {
		t.Errorf("%d elsewhere (-want +got):\n%s", elsewhere, diff)
	}
}
