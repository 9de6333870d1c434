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
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"

	"github.com/agent-corp/agent-lessons/internal/lesson"
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
	Layers          []string   `yaml:"layers" jsonschema:"description=further sources\\, first wins"`
	LayersMatch     string     `yaml:"layers_match" jsonschema:"enum=basename,enum=path"`
	SyncDocs        []string   `yaml:"sync_docs" jsonschema:"description=files that carry a copy of the window between markers"`
}

// Similarity decides when two bullets are one lesson.
type Similarity struct {
	Measure   string  `yaml:"measure" jsonschema:"description=empty: the product's best; words: the plain rule"`
	Floor     float64 `yaml:"floor" jsonschema:"exclusiveMinimum=0,maximum=1"`
	MinTokens int     `yaml:"min_tokens" jsonschema:"minimum=0"`
}

// Reviewers says who may teach besides people with write permission.
type Reviewers struct {
	Bots     []string `yaml:"bots" jsonschema:"description=logins of bots that may teach\\, also by comment-only reviews"`
	Comments bool     `yaml:"comments" jsonschema:"description=comment-only reviews of people with write access teach too"`
}

// Commit says how lessons are written.
type Commit struct {
	Mode   string `yaml:"mode" jsonschema:"enum=auto,enum=direct,enum=pull-request"`
	Batch  string `yaml:"batch" jsonschema:"description=immediate\\, or a duration: at most one commit in that time"`
	SkipCI bool   `yaml:"skip_ci" jsonschema:"description=direct commits only"`
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
		Commit:          Commit{Mode: "auto", Batch: "immediate", SkipCI: true},
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
	if err := refuseAliases(src); err != nil {
		return c, fmt.Errorf("%s: %w", file, err)
	}
	if err := yaml.UnmarshalWithOptions(src, &c, yaml.Strict()); err != nil {
		return Default(), fmt.Errorf("%s: %s", file, located(err))
	}
	if key, err := c.check(); err != nil {
		return Default(), fmt.Errorf("%s: %s%s: %w", file, lineOf(src, key), key, err)
	}
	return c, nil
}

// refuseAliases keeps a small file from standing for a huge one: nine aliases of nine aliases, a
// few levels deep, fill any memory. The configuration has no use for them.
func refuseAliases(src []byte) error {
	for _, t := range lexer.Tokenize(string(src)) {
		if t.Type == token.AnchorType || t.Type == token.AliasType {
			return fmt.Errorf("line %d: anchors and aliases (& and *) are not allowed: write the value out, or quote it", t.Position.Line)
		}
	}
	return nil
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

// located renders a YAML error as "line 3: message", without the excerpt.
func located(err error) string {
	var y yaml.Error
	if !errors.As(err, &y) {
		return err.Error()
	}
	if token := y.GetToken(); token != nil && token.Position != nil {
		return "line " + strconv.Itoa(token.Position.Line) + ": " + y.GetMessage()
	}
	return y.GetMessage()
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
		switch err := checkPlace(p); {
		case err != nil:
			return fmt.Sprintf("sync_docs[%d]", i), err
		case p == c.Path || slices.Contains(c.SyncDocs[:i], p):
			return fmt.Sprintf("sync_docs[%d]", i), fmt.Errorf("%q is the lessons file, or named twice", p)
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
	for _, choice := range []struct {
		key, value string
		of         []string
	}{
		{"commit.mode", c.Commit.Mode, []string{"auto", "direct", "pull-request"}},
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
	case strings.ContainsAny(p, "%?#"):
		return fmt.Errorf("%q holds a character that stands for something else in an address", p)
	}
	return nil
}
