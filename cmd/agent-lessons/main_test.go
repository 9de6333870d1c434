package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"agent-lessons": main})
}

// The program as its user sees it: each file under testdata/script is a story.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}

// What is printed of files is text to a terminal, whatever the files hold.
func TestSpelledOut(t *testing.T) {
	t.Parallel()
	if got := spelledOut("é\t1\r\n\x1b[31m\u202e\rX\xff\n"); got != "é\t1\r\n\\u001b[31m\\u202e\\u000dX\\xff\n" {
		t.Errorf("got %q", got)
	}
}
