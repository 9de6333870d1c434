package recall

import (
	"path"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Rule names why a lesson is not in the block.
type Rule string

// The rules, in the order in which they are asked (issue 7). The first four are duplicates; the others
// are no one's.
const (
	RealPath      Rule = "real-path"      // another entry is the same file
	SameName      Rule = "same-name"      // an earlier layer has a file of this name, or of this path
	SameSentence  Rule = "same-sentence"  // another layer says it in the same words
	NearDuplicate Rule = "near-duplicate" // another layer says it in other words
	Withdrawn     Rule = "withdrawn"      // an earlier store has retired this very sentence
	Inactive      Rule = "inactive"       // a Markdown lesson whose status is not active
	Broken        Rule = "broken"         // a file that cannot be read
	NoMatch       Rule = "no-match"       // a Markdown lesson or a finding that is about something else than the task
	Guarded       Rule = "guard"          // a foreign text that the guard refuses
	Full          Rule = "max-tokens"     // no room
)

// Loss is a lesson that is not shown, and why.
type Loss struct {
	Sentence string `json:"sentence,omitempty"` // not given where the guard refused it
	From     string `json:"from"`               // where it is
	Rule     Rule   `json:"rule"`
	To       string `json:"to,omitempty"` // where the one is that is kept instead
	Reason   string `json:"reason"`
}

// Match says which files of different folders count as one lesson.
type Match string

// The values of layers_match.
const (
	ByBaseName Match = "basename" // the name, but for SKILL.md, which every skill has
	ByPath     Match = "path"     // the path relative to the layer's folder, as gptme's own loader does it
)

func (m Match) key(file string) (string, bool) {
	if m == ByPath {
		return file, true
	}
	base := path.Base(file)
	return base, base != "SKILL.md"
}

// claims says who has which file and which name. A place is claimed before the file is understood: one
// that is deprecated or broken keeps its namesakes of later layers out, as gptme has it.
type claims struct {
	match Match
	real  map[string]item
	name  map[string]item
	gone  map[string]item // by handle: what an earlier store took back
}

func newClaims(match Match) *claims {
	return &claims{match: match, real: map[string]item{}, name: map[string]item{}, gone: map[string]item{}}
}

// claim returns false, the item that was there before and the rule, for an item that is a duplicate.
func (c *claims) claim(i item) (by item, rule Rule, ok bool) {
	if by, taken := c.real[i.Real]; taken && i.Real != "" && (by.layer != i.layer || i.File != "") {
		return by, RealPath, false
	}
	key, named := c.match.key(i.File)
	named = named && i.File != ""
	if by, taken := c.name[key]; taken && named && by.layer != i.layer {
		return by, SameName, false
	}
	if len(c.gone) > 0 && i.File == "" {
		if by, taken := c.gone[i.Bullet.Handle()]; taken && by.layer != i.layer {
			return by, Withdrawn, false
		}
	}
	if _, taken := c.real[i.Real]; !taken {
		c.real[i.Real] = i
	}
	if _, taken := c.name[key]; named && !taken {
		c.name[key] = i
	}
	if i.File == "" && tookBack(i.Bullet) {
		c.gone[i.Bullet.Handle()] = i
	}
	return item{}, "", true
}

// tookBack reports whether somebody said no to a bullet: what merely aged may well hold elsewhere.
func tookBack(b lesson.Bullet) bool {
	return b.Trailer != nil && (b.Trailer.Retirement.Kind == lesson.Overridden || b.Trailer.Retirement.Kind == lesson.Withdrawn)
}
