package cifix

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every example on the page is what an output in testdata comes to.
func TestDocsTellTheTruth(t *testing.T) {
	page, err := os.ReadFile("../../docs/ci-fix.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/outputs/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	_, table, _ := strings.Cut(string(page), "| tool | for example |\n| --- | --- |\n")
	rows := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 2 {
			break
		}
		rows++
		if example := strings.TrimSuffix(cells[1], " |"); !strings.Contains(all.String(), "> "+example+"\n") {
			t.Errorf("no output comes to %q", example)
		}
	}
	if rows < len(readers)-1 {
		t.Errorf("%d examples, for %d readers", rows, len(readers))
	}
}
