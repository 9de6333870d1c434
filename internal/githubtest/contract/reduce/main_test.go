package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The documents in testdata are those that go generate would write now: a route
// that was added without it is told here, and not by a puzzling failure elsewhere.
func TestTestdataIsCurrent(t *testing.T) {
	const modules = "../../../../npm/node_modules"
	if _, err := os.Stat(modules); err != nil {
		const why = "GitHub's descriptions are not installed: npm install --prefix npm"
		if os.Getenv("AGENT_LESSONS_TEST_ALL") == "1" {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	dir := t.TempDir()
	if err := reduce(modules, dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"openapi.json.gz", "webhooks.json.gz"} {
		now, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		kept, err := os.ReadFile(filepath.Join("../testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(now) != string(kept) {
			t.Errorf("%s is out of date: go generate ./internal/githubtest/contract", name)
		}
	}
}
