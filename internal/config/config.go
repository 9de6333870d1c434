// Package config is the repository's own configuration, .agent-corp/config.yml: its type, its
// defaults, and strict parsing. Keys and addresses of models belong to the installation and
// have no place here.
package config

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/plainyaml"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// Path is where a repository keeps its configuration, on its default branch (design decision 15).
const Path = ".agent-corp/config.yml"

// maxBytes bounds a configuration: the parser takes more than linear time over hostile ones.
const maxBytes = 16 << 10

// maxDocuments bounds sync_docs: each is read for every write.
const maxDocuments = 20

// DefaultStore is the path of the lessons file where nothing else is configured.
const DefaultStore = ".agent-corp/lessons.md"

// Config is a repository's configuration. Default returns its defaults; format.md explains them.
type Config struct {
	Path            string     `yaml:"path" jsonschema:"description=the lessons file: relative\\, inside the repository\\, ending in .md,pattern=\\.[mM][dD]$"`
	Branch          string     `yaml:"branch" jsonschema:"description=empty: the default branch"`
	Cap             int        `yaml:"cap" jsonschema:"description=bullets with a trailer,minimum=1"`
	Window          int        `yaml:"window" jsonschema:"description=newest active bullets shown to an agent,minimum=1"`
	ExpireAfterDays int        `yaml:"expire_after_days" jsonschema:"description=days without new evidence after which a bullet expires,minimum=1"`
	Similarity      Similarity `yaml:"similarity"`
	Channels        []string   `yaml:"channels" jsonschema:"description=verdicts that may be written,enum=changes-requested,enum=ci-fix,enum=founder-note,enum=finding"`
	Reviewers       Reviewers  `yaml:"reviewers"`
	Commit          Commit     `yaml:"commit"`
	Distiller       Distiller  `yaml:"distiller"`
	Sweep           Sweep      `yaml:"sweep"`
	Layers          []Layer    `yaml:"layers" jsonschema:"description=further sources\\, first wins"`
	LayersMatch     string     `yaml:"layers_match" jsonschema:"enum=basename,enum=path"`
	SyncDocs        []string   `yaml:"sync_docs" jsonschema:"description=files that carry a copy of the window between markers"`
}

// Similarity decides when two bullets are one lesson.
type Similarity struct {
	Measure   string  `yaml:"measure" jsonschema:"description=empty: the product's best; words: the plain rule"`
	Floor     float64 `yaml:"floor" jsonschema:"description=sureness from which two bullets are one lesson,exclusiveMinimum=0,maximum=1"`
	MinTokens int     `yaml:"min_tokens" jsonschema:"description=words of content that both need,minimum=0"`
}

// Reviewers says who may teach besides people with write permission.
type Reviewers struct {
	Bots     []string `yaml:"bots" jsonschema:"description=logins of bots that may teach\\, also by comment-only reviews"`
	Comments bool     `yaml:"comments" jsonschema:"description=comment-only reviews of people with write access teach too"`
}

// The modes of Commit.
const (
	Auto        = "auto"         // directly, until a rule of the branch forbids it
	Direct      = "direct"       // never through a pull request
	PullRequest = "pull-request" // always through the standing pull request
)

// Commit says how lessons are written.
type Commit struct {
	Mode   string `yaml:"mode" jsonschema:"enum=auto,enum=direct,enum=pull-request"`
	Batch  string `yaml:"batch" jsonschema:"description=immediate\\, or a duration: at most one commit in that time"`
	SkipCI bool   `yaml:"skip_ci" jsonschema:"description=direct commits only"`
}

// Period returns the time in which Batch allows one commit; 0 for no bound.
func (c Commit) Period() time.Duration {
	period, _ := time.ParseDuration(c.Batch) // "immediate" is none; anything else was validated
	return period
}

// Distiller chooses what turns findings into lessons.
type Distiller struct {
	Kind  string `yaml:"kind" jsonschema:"enum=auto,enum=extractive,enum=anthropic,enum=openai"`
	Model string `yaml:"model" jsonschema:"description=the provider's model name"`
	Judge bool   `yaml:"judge" jsonschema:"description=a model's second opinion on near duplicates below the floor"`
}

// Sweep switches the optional parts of the scheduled pass.
type Sweep struct {
	Consolidate   bool `yaml:"consolidate" jsonschema:"description=collapse duplicates that were written before the product was installed"`
	FollowRenames bool `yaml:"follow_renames" jsonschema:"description=rewrite the name of a file that was renamed"`
}

// Layer is one further source of lessons: exactly one of its fields is set. Paths are relative to the
// checkout, and may begin with "~/".
type Layer struct {
	Store    string `yaml:"store,omitempty" jsonschema:"description=another lessons file"`
	Owner    string `yaml:"owner,omitempty" jsonschema:"description=the store of the owner's .github repository: fetch\\, or the folder of its checkout"`
	Lessons  string `yaml:"lessons,omitempty" jsonschema:"description=a folder of Markdown lessons: gptme's .md and Cursor's .mdc"`
	Findings string `yaml:"findings,omitempty" jsonschema:"description=a folder of findings"`
}

// FetchOwner as Layer.Owner asks GitHub for the store of the owner's .github repository.
const FetchOwner = "fetch"

// maxLayers bounds what one look at the lessons reads.
const maxLayers = 20

// String names the layer as the configuration does: "lessons: docs/lessons".
func (l Layer) String() string {
	for _, s := range l.sources() {
		if s.path != "" {
			return s.kind + ": " + s.path
		}
	}
	return "nothing"
}

type source struct{ kind, path string }

func (l Layer) sources() []source {
	return []source{{"store", l.Store}, {"owner", l.Owner}, {"lessons", l.Lessons}, {"findings", l.Findings}}
}

// check reports why the layer is no source.
func (l Layer) check() error {
	named := 0
	for _, s := range l.sources() {
		if strings.ContainsAny(s.path, "\x00\r\n") {
			return fmt.Errorf("%s: %q is no path", s.kind, s.path)
		}
		if s.path != "" {
			named++
		}
	}
	if named != 1 {
		return fmt.Errorf("it names %d sources: give one of store, owner, lessons and findings", named)
	}
	return nil
}

// Default returns the configuration of a repository that has none.
func Default() Config {
	rule := similarity.DefaultRule()
	return Config{
		Path:            DefaultStore,
		Cap:             40,
		Window:          20,
		ExpireAfterDays: 90,
		Similarity:      Similarity{Measure: rule.Measure, Floor: rule.Floor, MinTokens: rule.MinTokens},
		Channels:        []string{string(lesson.ChangesRequested), string(lesson.CIFix), string(lesson.FounderNote)},
		Commit:          Commit{Mode: Auto, Batch: "immediate", SkipCI: true},
		Distiller:       Distiller{Kind: "auto"},
		LayersMatch:     "basename",
	}
}

// Rule returns the rule of collapse that the configuration asks for.
func (c Config) Rule() similarity.Rule {
	return similarity.Rule{Measure: c.Similarity.Measure, Floor: c.Similarity.Floor, MinTokens: c.Similarity.MinTokens}
}

// Teaches reports whether lessons of verdict v may be written at all.
func (c Config) Teaches(v lesson.Verdict) bool {
	return slices.Contains(c.Channels, string(v))
}

// NamesBot reports whether login is a bot that may teach; GitHub's logins ignore case.
func (c Config) NamesBot(login string) bool {
	return slices.ContainsFunc(c.Reviewers.Bots, func(bot string) bool { return strings.EqualFold(bot, login) })
}

// Parse reads a configuration over the defaults. On a mistake it returns the defaults, which
// stay in force, and an error that names file, line and key.
func Parse(file string, src []byte) (Config, error) {
	c := Default()
	if len(src) > maxBytes {
		return c, fmt.Errorf("%s: it is larger than %d bytes", file, maxBytes)
	}
	if blank(src) {
		return c, nil
	}
	if err := plainyaml.Unmarshal(src, &c, yaml.Strict()); err != nil {
		return Default(), fmt.Errorf("%s: %w", file, err)
	}
	if key, err := c.check(); err != nil {
		return Default(), fmt.Errorf("%s: %s%s: %w", file, lineOf(src, key), key, err)
	}
	return c, nil
}

// blank reports whether src holds no value at all, which the decoder would take for zeros.
func blank(src []byte) bool {
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); line != "" && line != "---" && !strings.HasPrefix(line, "#") {
			return false
		}
	}
	return true
}

// lineOf returns "line 3: " for the key's place in src, "" where it cannot be told.
func lineOf(src []byte, key string) string {
	p, err := yaml.PathString("$." + key)
	if err != nil {
		return ""
	}
	node, err := p.ReadNode(strings.NewReader(string(src)))
	if err != nil || node == nil || node.GetToken() == nil {
		return ""
	}
	return "line " + strconv.Itoa(node.GetToken().Position.Line) + ": "
}

// check returns the key of the first value that cannot be meant, and what is wrong with it.
func (c Config) check() (key string, err error) {
	if err := CheckPath(c.Path); err != nil {
		return "path", err
	}
	for i, p := range c.SyncDocs {
		switch err := c.CheckDocument(p); {
		case err != nil:
			return fmt.Sprintf("sync_docs[%d]", i), err
		case slices.Contains(c.SyncDocs[:i], p):
			return fmt.Sprintf("sync_docs[%d]", i), fmt.Errorf("%q is named twice", p)
		}
	}
	if len(c.SyncDocs) > maxDocuments {
		return "sync_docs", fmt.Errorf("%d files are more than %d", len(c.SyncDocs), maxDocuments)
	}
	for _, bound := range []struct {
		key   string
		value int
		low   int
	}{{"cap", c.Cap, 1}, {"window", c.Window, 1}, {"expire_after_days", c.ExpireAfterDays, 1}, {"similarity.min_tokens", c.Similarity.MinTokens, 0}} {
		if bound.value < bound.low {
			return bound.key, fmt.Errorf("%d is less than %d", bound.value, bound.low)
		}
	}
	if err := c.Rule().Validate(); err != nil {
		return "similarity", err
	}
	for i, channel := range c.Channels {
		if !lesson.Verdict(channel).Known() {
			return fmt.Sprintf("channels[%d]", i), fmt.Errorf("%q is none of %v", channel, lesson.Verdicts)
		}
	}
	if len(c.Layers) > maxLayers {
		return "layers", fmt.Errorf("%d are more than %d", len(c.Layers), maxLayers)
	}
	for i, layer := range c.Layers {
		if err := layer.check(); err != nil {
			return fmt.Sprintf("layers[%d]", i), err
		}
	}
	for _, choice := range []struct {
		key, value string
		of         []string
	}{
		{"commit.mode", c.Commit.Mode, []string{Auto, Direct, PullRequest}},
		{"distiller.kind", c.Distiller.Kind, []string{"auto", "extractive", "anthropic", "openai"}},
		{"layers_match", c.LayersMatch, []string{"basename", "path"}},
	} {
		if !slices.Contains(choice.of, choice.value) {
			return choice.key, fmt.Errorf("%q is none of %s", choice.value, strings.Join(choice.of, ", "))
		}
	}
	if c.Commit.Batch != "immediate" {
		if d, err := time.ParseDuration(c.Commit.Batch); err != nil || d <= 0 {
			return "commit.batch", fmt.Errorf("%q is neither immediate nor a duration like 10m", c.Commit.Batch)
		}
	}
	return "", nil
}

// CheckPath reports why p cannot be the path of a lessons file: it must be relative, stay inside
// the repository, and end in .md (design decision 15).
func CheckPath(p string) error {
	if err := checkPlace(p); err != nil {
		return err
	}
	if !strings.HasSuffix(strings.ToLower(p), ".md") {
		return fmt.Errorf("%q does not end in .md", p)
	}
	return nil
}

// CheckDocument reports why p cannot carry a copy of the lessons: it is no place to write to, no
// Markdown, or the lessons file itself.
func (c Config) CheckDocument(p string) error {
	ext := strings.ToLower(path.Ext(p))
	switch err := checkPlace(p); {
	case err != nil:
		return err
	case strings.EqualFold(p, c.Path):
		return fmt.Errorf("%q is the lessons file", p)
	case ext != ".md" && ext != ".mdc" && ext != ".markdown":
		return fmt.Errorf("%q is no Markdown file (.md, .mdc, .markdown)", p)
	}
	return nil
}

// checkPlace reports why p cannot be the path of a file that is written in a repository.
func checkPlace(p string) error {
	switch {
	case p == "":
		return errors.New("it is empty")
	case strings.ContainsAny(p, "\\\x00\r\n"):
		return fmt.Errorf("%q holds a character that a path in a repository cannot hold", p)
	case path.IsAbs(p) || (len(p) > 1 && p[1] == ':'):
		return fmt.Errorf("%q is not relative to the repository", p)
	case path.Clean(p) != p || p == ".." || strings.HasPrefix(p, "../"):
		return fmt.Errorf("%q is not a plain path inside the repository", p)
	case slices.ContainsFunc(strings.Split(p, "/"), func(part string) bool { return strings.EqualFold(part, ".git") }):
		return fmt.Errorf("%q is inside .git", p)
	case strings.HasPrefix(strings.ToLower(p), ".github/workflows/"):
		return fmt.Errorf("%q is inside .github/workflows, where no App may write", p)
	case strings.ContainsAny(p, "%?#"):
		return fmt.Errorf("%q holds a character that stands for something else in an address", p)
	}
	return nil
}
