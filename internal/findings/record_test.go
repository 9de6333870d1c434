package findings

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const seven = `"task_type":"debugging","language":"go","what_worked":"Inject a clock.","what_failed":"","better_exit_condition":"","tags":["clock"],"confidence":0.86`

// What people and models write: the seven fields are enough, and names are brought into form.
func TestDraft(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, src string
		want      string // task type, language and tags; or the beginning of the error
	}{
		{"the seven fields", `{` + seven + `}`, "debugging go [clock]"},
		{"a newer minor version", `{"schema_version":"1.7","mood":"fine",` + seven + `}`, "debugging go [clock]"},
		{"without a language", `{"task_type":"x","what_worked":"A.","what_failed":"","better_exit_condition":"","tags":[],"confidence":1}`, "x  []"},
		{"names in another form", `{"task_type":"API Integration","language":"TypeScript","what_worked":"A.","what_failed":"","better_exit_condition":"","tags":["HTTP_Client","Context","Context","--"],"confidence":0.5}`, "api-integration typescript [context http-client]"},
		{"no kind of task", `{"task_type":"","what_worked":"A.","what_failed":"","better_exit_condition":"","tags":[],"confidence":0.5}`, "general  []"},
		{"a path", `{"task_type":"../../.ssh",` + seven[strings.Index(seven, ",")+1:] + `}`, `task_type: "../../.ssh" names a path`},
		{"a path of Windows", `{"task_type":"..\\x",` + seven[strings.Index(seven, ",")+1:] + `}`, `task_type: "..\\x" names a path`},
		{"a newer major version", `{"schema_version":"2.0",` + seven + `}`, `schema_version: "2.0" is not known here`},
		{"a field too few", `{"task_type":"x"}`, "missing properties 'what_worked'"},
		{"a wrong type", `{"task_type":"x","what_worked":7,"what_failed":"","better_exit_condition":"","tags":"clock","confidence":"high"}`, "confidence: got string, want number"},
		{"too sure", strings.Replace(`{`+seven+`}`, "0.86", "86", 1), "confidence: "},
		{"seventeen tags", strings.Replace(`{`+seven+`}`, `"clock"`, `"a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p","q"`, 1), "tags: "},
		{"an id that leads elsewhere", `{"id":"../x",` + seven + `}`, "id: "},
		{"no day", `{"timestamp":"yesterday",` + seven + `}`, "timestamp: "},
		{"a list", `[{` + seven + `}]`, "it is no JSON object"},
		{"two values", `{` + seven + `} {}`, "it is no JSON object"},
		{"huge", `{"x":"` + strings.Repeat("x", maxRecord) + `",` + seven + `}`, "it is larger than 65536 bytes"},
		{"deep", strings.Repeat(`{"a":`, 12_000), "it is no JSON object"},
	} {
		r, err := Draft([]byte(tt.src))
		got := r.TaskType + " " + r.Language + " [" + strings.Join(r.Tags, " ") + "]"
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, tt.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A file in a store is what its name says, and never repaired: the name fills in what is left out.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, want string }{
		{"the seven fields", `{` + seven + `}`, "abc 1.0 0001-01-01"},
		{"all fields", `{"schema_version":"1.0","id":"abc","timestamp":"2026-06-08T22:00:00+02:00",` + seven + `}`, "abc 1.0 2026-06-08"},
		{"another's name", `{"id":"def",` + seven + `}`, "id: it is not the file's name"},
		{"another's folder", `{` + strings.Replace(seven, "debugging", "testing", 1) + `}`, "task_type: it is not the file's folder"},
		{"a tag that is none", `{` + strings.Replace(seven, `"clock"`, `"Clock work"`, 1) + `}`, "tags.0: "},
	} {
		r, err := parse("debugging", "abc", []byte(tt.src))
		got := r.ID + " " + r.SchemaVersion + " " + r.Timestamp.Format("2006-01-02")
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestRepositoryOf(t *testing.T) {
	t.Parallel()
	got := map[string]string{}
	for _, address := range []string{
		"https://tok:en@github.com/Acme/Leases.git", "git@github.com:acme/leases.git", "ssh://git@github.com:22/acme/leases",
		"https://github.com/acme/leases/", "/srv/git/leases", "../leases", `C:\git\leases`, "",
	} {
		got[address] = repositoryOf(address)
	}
	want := map[string]string{
		"https://tok:en@github.com/Acme/Leases.git": "github.com/acme/leases", "git@github.com:acme/leases.git": "github.com/acme/leases",
		"ssh://git@github.com:22/acme/leases": "github.com/acme/leases", "https://github.com/acme/leases/": "github.com/acme/leases",
		"/srv/git/leases": "", "../leases": "", `C:\git\leases`: "", "": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{` + seven + `}`))
	f.Add([]byte(`{"id":"abc","source":{"session_id":"s","cwd":"/w","extra":1},` + seven + `}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		r, err := parse("debugging", "abc", src)
		if err != nil {
			return
		}
		if r.ID != "abc" || r.TaskType != "debugging" || r.Confidence < 0 || r.Confidence > 1 {
			t.Errorf("%+v", r)
		}
		again, err := r.marshal()
		if err != nil {
			t.Fatal(err)
		}
		if second, err := parse("debugging", "abc", again); err != nil || !cmp.Equal(r, second) {
			t.Errorf("what is written reads back otherwise: %v\n%s", err, cmp.Diff(r, second))
		}
	})
}
