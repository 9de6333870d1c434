package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"agent-lessons": main})
}

// The program as its user sees it: each file under testdata/script is a story.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", Cmds: map[string]func(*testscript.TestScript, bool, []string){
		"eventually": eventually, "expand": expand,
	}})
}

// eventually waits for a file that a process in the background writes.
func eventually(ts *testscript.TestScript, _ bool, args []string) {
	const patience, step = 30 * time.Second, 10 * time.Millisecond
	for range patience / step {
		if found, _ := filepath.Glob(ts.MkAbs(args[0])); len(found) > 0 {
			return
		}
		time.Sleep(step)
	}
	ts.Fatalf("%s: nobody wrote it", args[0])
}

// expand writes a file anew, with the script's variables in it.
func expand(ts *testscript.TestScript, _ bool, args []string) {
	content := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(content), 0o600))
}

// What is printed of files is text to a terminal, whatever the files hold.
func TestSpelledOut(t *testing.T) {
	t.Parallel()
	if got := spelledOut("é\t1\r\n\x1b[31m\u202e\rX\xff\n"); got != "é\t1\r\n\\u001b[31m\\u202e\\u000dX\\xff\n" {
		t.Errorf("got %q", got)
	}
}
