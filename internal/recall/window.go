package recall

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// Options say what is wanted of the layers.
type Options struct {
	Task      Task
	Size      int // lines at most
	MaxTokens int // as Tokens estimates them; 0 for no bound
	Match     Match
	Rule      similarity.Rule // when two lessons of different layers are one
	// Judge is guard.Check or guard.CheckNote (for a person's words), or one that remembers their answers.
	Judge func(sentence string, note bool) guard.Result
}

// Line is a line of the block.
type Line struct {
	Bullet lesson.Bullet
	From   string // "" for this repository's store
	Text   string // as it stands in the block
	Why    string
	Relevance
	place string
}

// Window is what an agent is shown, and what it is not.
type Window struct {
	Lines []Line
	Lost  []Loss
	Notes []string // what people should know about the layers
	lead  string
}

// Block renders the window, "" when there is nothing to show.
func (w *Window) Block() string {
	texts := make([]string, len(w.Lines))
	for i, l := range w.Lines {
		texts[i] = l.Text
	}
	return block(w.lead, texts)
}

// Choose merges the layers, of which the first is the repository's own store, and picks the lines of the
// block. The same layers and options always give the same window.
func Choose(layers []Layer, o Options) *Window {
	o.Task.Files = cleanFiles(o.Task.Files)
	w := &Window{lead: newestFirst}
	if !o.Task.IsZero() {
		w.lead = taskFirst
	}
	for _, l := range layers {
		w.Notes = append(w.Notes, l.Notes...)
	}
	candidates := w.claim(layers, o.Match)
	if task := newMatcher(o.Task); task != nil {
		candidates = w.match(layers, candidates, task)
	}
	slices.SortStableFunc(candidates, order)
	w.fill(layers, candidates, o)
	w.fit(o.MaxTokens)
	return w
}

// claim returns the items that may be shown: no duplicates by file or name, and active.
func (w *Window) claim(layers []Layer, match Match) []item {
	held := newClaims(match)
	var out []item
	for n, layer := range layers {
		for at, entry := range layer.Entries {
			i := item{Entry: entry, layer: n, at: at}
			by, rule, ok := held.claim(i)
			switch {
			case !ok:
				w.lose(layers, i, rule, &by, duplicateReasons[rule])
			case i.Broken != "":
				w.lose(layers, i, Broken, nil, i.Broken)
				w.Notes = append(w.Notes, i.place(layers)+": "+i.Broken)
			case i.active():
				out = append(out, i)
			case i.Guide != nil:
				w.lose(layers, i, Inactive, nil, fmt.Sprintf("its status is %q", i.Guide.Status))
			}
		}
	}
	return out
}

// match says of each item what it has to do with the task, and drops Markdown lessons and findings that
// have nothing to do with it.
func (w *Window) match(layers []Layer, items []item, task *matcher) []item {
	remarks := task.matchAll(items)
	var out []item
	for n, i := range items {
		for _, remark := range remarks[n] {
			w.Notes = append(w.Notes, i.place(layers)+": "+remark)
		}
		if i.elsewhere() && !i.relevance.relevant() && !i.always() {
			w.lose(layers, i, NoMatch, nil, "it is about something else than the task")
			continue
		}
		out = append(out, i)
	}
	return out
}

var duplicateReasons = map[Rule]string{
	RealPath:     "it is the same file",
	SameName:     "an earlier layer has a lesson of this name",
	SameSentence: "it says the same in the same words",
	Withdrawn:    "this very sentence was taken back there",
}

// fill takes the candidates in order. Of two lines that say the same, the one of the earlier layer stays.
func (w *Window) fill(layers []Layer, candidates []item, o Options) {
	var shown []item
	for _, i := range candidates {
		if len(shown) >= o.Size {
			break
		}
		if i.layer > 0 {
			judged := o.Judge(i.Bullet.Sentence, i.Bullet.Trailer == nil && i.Guide == nil)
			if judged.Refused {
				w.lose(layers, item{Entry: Entry{File: i.File}, layer: i.layer}, Guarded, nil, judged.Rule+": "+judged.Reason)
				continue
			}
			i.Bullet.Sentence = judged.Sentence
		}
		i.text = similarity.Prepare(i.Bullet.Sentence)
		lost := false
		for n := 0; n < len(shown); n++ {
			rule, why := same(i, shown[n], o.Rule)
			if rule == "" {
				continue
			}
			if shown[n].layer <= i.layer {
				w.lose(layers, i, rule, &shown[n], why)
				lost = true
				break
			}
			w.lose(layers, shown[n], rule, &i, why)
			shown = slices.Delete(shown, n, n+1)
			n--
		}
		if !lost {
			shown = append(shown, i)
		}
	}
	for _, i := range newerFirst(shown, o.Rule) {
		w.Lines = append(w.Lines, line(layers, i, o))
	}
}

// newerFirst moves each item in front of the older ones that it contradicts or corrects, whichever fits
// the task better (issue 6).
func newerFirst(shown []item, rule similarity.Rule) []item {
	out := make([]item, 0, len(shown))
	for _, b := range shown {
		at := slices.IndexFunc(out, func(a item) bool {
			return a.Bullet.Trailer != nil && b.Bullet.Trailer != nil && a.Bullet.Trailer.Date.Before(b.Bullet.Trailer.Date) &&
				(lesson.Corrects(b.Bullet, a.Bullet) || rule.Compare(a.text, b.text).Contradiction)
		})
		if at < 0 {
			at = len(out)
		}
		out = slices.Insert(out, at, b)
	}
	return out
}

// same reports whether two items are one lesson. A person's own bullets lose to the same words only,
// and founder notes to founder notes only, as in a store (lesson.Add). This repository's own store was
// collapsed when it was written: there only the same words are one.
func same(a, b item, rule similarity.Rule) (Rule, string) {
	switch {
	case a.Bullet.Handle() == b.Bullet.Handle():
		return SameSentence, duplicateReasons[SameSentence]
	case a.layer == 0 && b.layer == 0, a.personal() || b.personal(), a.founders() != b.founders():
		return "", ""
	}
	if d := rule.Compare(a.text, b.text); d.Collapse {
		return NearDuplicate, d.Reason
	}
	return "", ""
}

func (i item) personal() bool { return i.Bullet.Trailer == nil && i.Guide == nil }

func (i item) founders() bool {
	return i.Bullet.Trailer != nil && i.Bullet.Trailer.Verdict == lesson.FounderNote
}

func line(layers []Layer, i item, o Options) Line {
	l := Line{Bullet: i.Bullet, Text: guard.Visible(i.Bullet.String()), Why: i.reason(), Relevance: i.relevance, place: i.place(layers)}
	if i.layer > 0 {
		l.From = l.place
		l.Text += " [from " + shownPlace(l.place, i.layer, o.Judge) + "]"
	}
	return l
}

// shownPlace is a place as agents may read it: a file's name can speak to them, too.
func shownPlace(place string, layer int, judge func(string, bool) guard.Result) string {
	words := strings.NewReplacer("/", " ", "-", " ", "_", " ", ".", " ").Replace(strings.TrimLeft(place, "./"))
	plain := !strings.ContainsAny(place, "[]`<>\n\r") && guard.Visible(place) == place
	if plain && !judge("Read more in "+words, true).Refused {
		return place
	}
	return "layer " + strconv.Itoa(layer)
}

// fit drops the lines that the budget has no room for.
func (w *Window) fit(maxTokens int) {
	if maxTokens <= 0 {
		return
	}
	size := len(opening(w.lead))
	w.Lines = slices.DeleteFunc(w.Lines, func(l Line) bool {
		if with := size + len(l.Text) + 1; (with+2)/3 <= maxTokens {
			size = with
			return false
		}
		w.Lost = append(w.Lost, Loss{Sentence: l.Bullet.Sentence, From: l.place, Rule: Full, Reason: fmt.Sprintf("it does not fit into %d tokens", maxTokens)})
		return true
	})
}

func (w *Window) lose(layers []Layer, i item, rule Rule, to *item, reason string) {
	l := Loss{Sentence: i.Bullet.Sentence, From: i.place(layers), Rule: rule, Reason: reason}
	if to != nil {
		l.To = to.place(layers)
		if to.File == "" && to.Bullet.Sentence != "" && rule != RealPath {
			l.To += ": " + to.Bullet.Sentence
		}
	}
	w.Lost = append(w.Lost, l)
}
