package distill

import "testing"

func TestUnlabel(t *testing.T) {
	tests := []struct {
		text, rest string
		grade      severity
	}{
		{"[P0] The file has a BOM.", "The file has a BOM.", critical},
		{"🟥 Must fix: the guard is skipped", "the guard is skipped", critical},
		{"BLOCKER: raw `new`", "raw `new`", critical},
		{"issue (blocking): no timeout", "no timeout", critical},
		{"[security, high] tokens in the log", "tokens in the log", high},
		{"P1: no timeout", "no timeout", high},
		{"🟠 Race in `Load`", "Race in `Load`", high},
		{"suggestion (non-blocking): rename", "rename", medium},
		{"nit: space", "space", low},
		{"[optional] rename", "rename", low},
		{"3. Missing check", "Missing check", unlabelled},
		{"Error handling: wrap it", "Error handling: wrap it", unlabelled},
		{"Note that it leaks", "Note that it leaks", unlabelled},
	}
	for _, test := range tests {
		rest, grade, _ := unlabel(test.text)
		if rest != test.rest || grade != test.grade {
			t.Errorf("unlabel(%q) = %q, %d, want %q, %d", test.text, rest, grade, test.rest, test.grade)
		}
	}
}

func TestLabelSeverity(t *testing.T) {
	tests := map[string]severity{
		"Potential issue | Minor":    medium,
		"⚠️ Likely defect 🟠 Serious": high,
		"security-high":              high,
		"Priority one":               high,
		"P2 Badge":                   unlabelled,
		"High Severity":              high,
		"Nitpick Trivial":            low,
		"严重":                         critical,
		"Alta":                       high,
		"Mittel":                     medium,
	}
	for label, want := range tests {
		if got, _ := labelSeverity(label); got != want {
			t.Errorf("labelSeverity(%q) = %d, want %d", label, got, want)
		}
	}
}

func TestSectionOf(t *testing.T) {
	tests := map[string]class{
		"Overview of this pull request":        boilerplate,
		"Files looked at":                      boilerplate,
		"Verdict":                              boilerplate,
		"Verdict: changes needed":              "",
		"Prompt for AI agents":                 boilerplate,
		"Walkthrough":                          boilerplate,
		"What works":                           praiseSection,
		"좋은 점":                                 praiseSection,
		"What I would change":                  issueSection,
		"Critical issues":                      issueSection,
		"Nitpick comments (3)":                 nitSection,
		"Small things (80)":                    nitSection,
		"Fragen":                               questionSection,
		"Command injection":                    "",
		"Unclosed file":                        "",
		"Missing error handling in the upload": "",
	}
	for heading, want := range tests {
		if got, _ := sectionOf(heading); got != want {
			t.Errorf("sectionOf(%q) = %q, want %q", heading, got, want)
		}
	}
}

// TestCues shows that the file and the code know the same classes.
func TestCues(t *testing.T) {
	known := map[class]bool{}
	for _, c := range []class{
		mustCue, shouldCue, openerCue, alwaysCue, imperativeCue, verbCue, hedgeCue, praiseCue, closingCue, pointerCue, metaCue, unsureCue, defectCue,
		trivialCue, localCue, metricCue, describesCue, reasonCue, conventionCue, contrastCue, alternativeCue, stepsCue, nameCue, ackCue, refuteCue,
		disputeCue, repeatCue, criticalLabel, highLabel, mediumLabel, lowLabel, fillerLabel, praiseSection, boilerplate,
		nitSection, questionSection, issueSection, whereField, problemField, fixField, severityField, noiseField,
	} {
		known[c] = false
	}
	seen := func(p phrase) {
		if _, ok := known[p.class]; !ok {
			t.Errorf("cues.txt has the class %q, which nothing reads", p.class)
		}
		known[p.class] = true
	}
	for _, phrases := range cues().spaced {
		for _, p := range phrases {
			seen(p)
		}
	}
	for _, p := range cues().joined {
		seen(p)
	}
	for c, found := range known {
		if !found {
			t.Errorf("cues.txt has no class %q", c)
		}
	}
}
