// Package pagetest holds the generated parts of documentation against what they are generated from.
package pagetest

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Between checks what stands in a page between the lines "<!-- NAME: begin -->" and
// "<!-- NAME: end -->", and returns the whole page. Where the test binary has a flag -update that is set,
// it writes what is wanted.
func Between(t testing.TB, file, name, want string) string {
	t.Helper()
	begin, end := "<!-- "+name+": begin -->\n", "<!-- "+name+": end -->\n"
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(src), begin)
	got, tail, found := strings.Cut(rest, end)
	if !found {
		t.Fatalf("%s has no lines %q and %q", file, begin, end)
	}
	if update := flag.Lookup("update"); update != nil && update.Value.String() == "true" {
		got = want
		if err := os.WriteFile(file, []byte(head+begin+want+end+tail), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s is out of date: run with -update\n%s", file, diff)
	}
	return string(src)
}
