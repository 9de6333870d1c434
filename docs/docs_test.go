package docs

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// page is what a page of the documentation refers to, and what can be referred to in it.
type page struct {
	links   []string
	anchors map[string]bool
}

func readPage(t *testing.T, file string) page {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := page{anchors: map[string]bool{}}
	err = ast.Walk(goldmark.DefaultParser().Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Link:
			if entering {
				p.links = append(p.links, string(n.Destination))
			}
		case *ast.Image:
			if entering {
				p.links = append(p.links, string(n.Destination))
			}
		case *ast.Heading:
			if entering {
				p.anchors[anchor(string(n.Lines().Value(src)))] = true
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// Tables are no Markdown of goldmark's core: their links are read from the text.
	for _, m := range regexp.MustCompile(`(?m)^\|.*$`).FindAllString(string(src), -1) {
		for _, link := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(m, -1) {
			p.links = append(p.links, link[1])
		}
	}
	return p
}

var dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// anchor is the name that GitHub gives a heading.
func anchor(heading string) string {
	return strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), ""), " ", "-")
}

// Links inside the repository lead somewhere, and the pages are all reachable from the README.
func TestLinks(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	reachable := map[string]bool{}
	for _, file := range append(pages, "../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md") {
		for _, link := range readPage(t, file).links {
			u, err := url.Parse(link)
			if err != nil {
				t.Errorf("%s: %s: %s", file, link, err)
				continue
			}
			if u.Scheme != "" || u.Host != "" {
				continue
			}
			target := file
			if u.Path != "" {
				target = filepath.Join(filepath.Dir(file), filepath.FromSlash(u.Path))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s leads nowhere", file, link)
				continue
			}
			if target != file {
				reachable[absolute(t, target)] = true
			}
			if u.Fragment != "" && filepath.Ext(target) == ".md" && !readPage(t, target).anchors[u.Fragment] {
				t.Errorf("%s: %s has no such heading", file, link)
			}
		}
	}
	for _, file := range pages {
		if !reachable[absolute(t, file)] {
			t.Errorf("nothing leads to docs/%s", file)
		}
	}
}

func absolute(t *testing.T, file string) string {
	t.Helper()
	file, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
