package cifix

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// testProblem is a test that failed: it is to be run after touching what the fix touched.
func testProblem(f *Failure, tool, test, place, command, reason string) problem {
	order := "Run `" + command + "` before pushing changes to `" + place + "`"
	if source := sourceOf(f.Touched, place); source != "" && source != place {
		order = "Run `" + command + "` after touching `" + source + "`"
	}
	reason = strings.TrimPrefix(strings.TrimSpace(reason), "E ")
	said := "`" + test + "` failed"
	if reason = strings.TrimSpace(reason); reason != "" {
		said += ", " + strings.ReplaceAll(reason, "`", "'")
	}
	return problem{tool: tool, rule: test, place: place, order: order, message: said}
}

var testFile = regexp.MustCompile(`(?:^|/)(?:tests?|testdata|__tests__|spec)/|(?:^|/)(?:test_|conftest)[^/]*$|[._-](?:test|spec)\.\w+$`)

// sourceOf is the first touched file of the test's language that is no test.
func sourceOf(touched []string, test string) string {
	i := slices.IndexFunc(touched, func(p string) bool {
		return path.Ext(p) == path.Ext(test) && !testFile.MatchString(p) && placeOf(p) == p
	})
	if i < 0 {
		return ""
	}
	return touched[i]
}

var (
	pytestLine  = regexp.MustCompile(`^(?:FAILED|ERROR) (\S+\.py)((?:::[\w.-]+)+)(?:\[[^\]]*\])?(?: - (.*))?$`)
	pythonError = regexp.MustCompile(`^(?:E\s+)?((?:\w+\.)*\w*(?:Error|Exception|Warning|Failed)\b(?::.*)?|assert .*)$`)
	pyTest      = regexp.MustCompile(`\b(?:Test\w*\.|test_)\w+\b`)
)

// pytest reads the short summary, and annotations of the usual plugin on test files.
func pytest(f *Failure, r remark) []problem {
	var out []problem
	for _, line := range r.lines {
		if m := pytestLine.FindStringSubmatch(line); m != nil && placeOf(m[1]) != "" {
			parts := strings.Split(m[2], "::")
			out = append(out, testProblem(f, "pytest", parts[len(parts)-1], placeOf(m[1]), "pytest "+placeOf(m[1]), m[3]))
		}
	}
	if len(out) > 0 || path.Ext(r.place) != ".py" {
		return out
	}
	test := pyTest.FindString(r.title)
	if test == "" && len(r.lines) > 0 && testFile.MatchString(r.place) {
		test = pyTest.FindString(r.lines[0])
	}
	if test == "" {
		return nil
	}
	reason := ""
	for _, line := range r.lines {
		if m := pythonError.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			reason = m[1]
			break
		}
	}
	return []problem{testProblem(f, "pytest", test, r.place, "pytest "+r.place, reason)}
}

var (
	goFail = regexp.MustCompile(`^\s*--- FAIL: (Test\w+|Fuzz\w+|Example\w*)(?:/\S+)? \(`)
	goSays = regexp.MustCompile(`^\s+(\w[\w.-]*_test\.go):\d+: (.*)$`)
)

// goTest reads go test: the failed test, and the line below that says why.
func goTest(f *Failure, r remark) []problem {
	var out []problem
	for i, line := range r.lines {
		m := goFail.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for _, below := range r.lines[i+1 : min(i+6, len(r.lines))] {
			says := goSays.FindStringSubmatch(below)
			if says == nil {
				continue
			}
			place := says[1]
			for _, p := range f.Touched {
				if path.Base(p) == place {
					place = p
				}
			}
			out = append(out, testProblem(f, "go test", m[1], placeOf(place), "go test -run "+m[1]+" ./...", says[2]))
			break
		}
	}
	return out
}
