// Package guard decides what may enter a file that agents read. A sentence in the lessons file
// is an instruction that agents obey, so whatever a review says is hostile until it has passed
// here: it is normalised to one harmless line, secrets are removed from it, and a sentence that
// speaks to the agent instead of about the code is refused. The package is pure.
package guard

import (
	"fmt"
	"unicode/utf8"
)

const (
	// MaxLength is the most characters (runes) that a distilled sentence may have.
	MaxLength = 240
	// MaxNoteLength is the most characters that a person's note may have.
	MaxNoteLength = 1000

	minWords = 3
	// maxInput bounds, in bytes, what is worth parsing: no sentence within MaxNoteLength comes
	// from more.
	maxInput = 8 << 10
)

// Result is the judgement on one sentence.
type Result struct {
	// Sentence is the sentence as it may be written: one line of valid UTF-8 in NFC that ends
	// in ".", "!" or "?", without invisible characters, HTML, image, link target, fence or bare
	// URL, without a forged trailer, and with mentions and issue references in code spans, where
	// they do not act. It is "" when the sentence was refused.
	Sentence string
	Refused  bool
	Rule     string // the rule that refused, e.g. "agent-address"; "" when nothing did
	Reason   string // one line for people; it quotes nothing of the sentence
	Redacted int    // how many secrets were removed
}

// Check normalises, redacts and judges one sentence that is about to become a bullet. What it
// lets through it lets through unchanged a second time.
func Check(sentence string) Result { return check(sentence, distilled) }

// CheckNote does the same for a founder note, with the person's words kept as they are: up to
// MaxNoteLength characters, however few words, with emphasis, and with URLs and link targets
// shown in code spans instead of removed.
func CheckNote(note string) Result { return check(note, personal) }

// Judge judges a source of a sentence, such as the remark that it was distilled from: what it says
// counts, with its addresses, but not its shape or length. A Result that is not refused has no
// Sentence.
func Judge(source string) Result {
	if len(source) > maxInput {
		return refuse(verdict{"too-long", "its source is too long to judge"}, 0)
	}
	if v, refused := judge(hidden(source), withoutTargets(visible(source))); refused {
		return refuse(v, 0)
	}
	return Result{}
}

// Clean prepares raw review text (Markdown of many lines) for a distiller or a model: invisible
// characters and HTML comments are removed, each secret is replaced by "[redacted]", and the
// layout is kept, except where it would cost a Markdown parser more than time in proportion to the
// text. It returns how many secrets it removed.
func Clean(text string) (cleaned string, redacted int) {
	cleaned, redacted = redact(withoutComments(visible(text)))
	return bounded(cleaned), redacted
}

// manner is how much of the author's form is kept.
type manner struct {
	maxLength, minWords int
	verbatim            bool // keep emphasis, and links as code
}

var (
	distilled = manner{maxLength: MaxLength, minWords: minWords}
	personal  = manner{maxLength: MaxNoteLength, minWords: 1, verbatim: true}
)

func check(raw string, m manner) Result {
	if len(raw) > maxInput {
		return refuse(tooLong(m), 0)
	}
	text, redacted := redact(visible(raw))
	sentence, more, settled := normalise(text, m)
	redacted += more
	if !settled {
		return refuse(verdict{"unstable", "its markup does not settle into one line"}, redacted)
	}
	if utf8.RuneCountInString(sentence) > m.maxLength { // before it costs the judgement
		return refuse(tooLong(m), redacted)
	}
	if v, refused := judge(hidden(raw), withoutTargets(text), sentence); refused {
		return refuse(v, redacted)
	}
	if v, refused := judgeShape(sentence, m); refused {
		return refuse(v, redacted)
	}
	return Result{Sentence: sentence, Redacted: redacted}
}

// verdict is the rule that refused and why.
type verdict struct{ rule, reason string }

func refuse(v verdict, redacted int) Result {
	return Result{Refused: true, Rule: v.rule, Reason: v.reason, Redacted: redacted}
}

func tooLong(m manner) verdict {
	return verdict{"too-long", fmt.Sprintf("it has more than %d characters", m.maxLength)}
}

// judgeShape refuses what is no sentence, whatever it says.
func judgeShape(sentence string, m manner) (verdict, bool) {
	switch {
	case wordCount(sentence) < m.minWords:
		if m.minWords == 1 {
			return verdict{"too-short", "it has no words"}, true
		}
		return verdict{"too-short", fmt.Sprintf("it has fewer than %d words", m.minWords)}, true
	case !mostlyWords(sentence):
		return verdict{"not-words", "it is mostly not words"}, true
	case citesProvenance(sentence):
		return verdict{"forged-provenance", "it ends like the provenance of a lesson"}, true
	}
	return verdict{}, false
}
