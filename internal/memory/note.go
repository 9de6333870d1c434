package memory

import (
	"context"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Note keeps a person's sentence as a founder note. The guard judges it like any other text; the
// words stay as they are.
func (m Memory) Note(ctx context.Context, past History, o Order, sentence string) (Obeyed, error) {
	checked := guard.CheckNote(sentence)
	if checked.Refused {
		return Obeyed{Deeds: []Deed{{Reason: "the guard refuses it: " + checked.Reason}}}, nil
	}
	return m.obey(ctx, past, o, func(f *lesson.File, done *Obeyed) []string {
		return m.add(f, o, checked.Sentence, done)
	})
}

func (m Memory) add(f *lesson.File, o Order, sentence string, done *Obeyed) []string {
	change := f.Add([]lesson.Candidate{{Sentence: sentence, Evidence: o.evidence()}}, m.Config.Rule(), m.Config.Cap)
	outcome := change.Outcomes[0]
	deed := Deed{What: string(outcome.Kind), Bullet: outcome.Bullet, Reason: outcome.Reason, was: outcome.Replaced}
	if outcome.Kind == lesson.Refused || outcome.Unchanged {
		deed.What = ""
	}
	done.Deeds = append(done.Deeds, deed)
	done.Evicted = append(done.Evicted, change.Evicted...)
	return contradictions(change)
}

// Wanted is a lesson that a person wants to keep.
type Wanted struct {
	Handle   string // of the bullet that says it
	Sentence string // to note where no bullet has the handle any more; "" when it is not known
}

// Keep makes lessons founder notes: an active bullet in place, a retired one by restoring it, and
// one that is not in the file by noting its sentence.
func (m Memory) Keep(ctx context.Context, past History, o Order, wanted ...Wanted) (Obeyed, error) {
	return m.obey(ctx, past, o, func(f *lesson.File, done *Obeyed) []string {
		var why []string
		for _, w := range wanted {
			if found := f.Named(w.Handle); len(found) > 0 {
				done.Deeds = append(done.Deeds, keep(f, found, o))
				continue
			}
			checked := guard.CheckNote(w.Sentence)
			switch {
			case w.Sentence == "":
				done.Deeds = append(done.Deeds, Deed{Reason: "no bullet has the handle " + w.Handle + " any more"})
			case checked.Refused:
				done.Deeds = append(done.Deeds, Deed{Reason: "the guard refuses it: " + checked.Reason})
			default:
				why = append(why, m.add(f, o, checked.Sentence, done)...)
			}
		}
		return why
	})
}

// keep makes the best of several bullets that say the same a founder note: one that is a person's
// already, else an active one, else the newest of the retired ones.
func keep(f *lesson.File, same []lesson.Bullet, o Order) Deed {
	best := same[0]
	for _, b := range same {
		if own(b) {
			return Deed{Bullet: b, Reason: "it is a person's note already"}
		}
		if b.Active() || !best.Active() {
			best = b
		}
	}
	if kept, ok := f.Keep(best); ok {
		return Deed{What: Kept, Bullet: kept}
	}
	restored, _ := f.Restore(best, o.evidence())
	return Deed{What: Restored, Bullet: restored}
}

// own reports whether an active bullet is a person's: a founder note, or a line without a trailer.
func own(b lesson.Bullet) bool {
	return b.Active() && (b.Trailer == nil || b.Trailer.Verdict == lesson.FounderNote)
}

// Withdraw retires the active bullet that a person names, as withdrawn.
func (m Memory) Withdraw(ctx context.Context, past History, o Order, handle string) (Obeyed, error) {
	return m.obey(ctx, past, o, func(f *lesson.File, done *Obeyed) []string {
		done.Deeds = append(done.Deeds, m.onNamed(f, handle, func(b lesson.Bullet) Deed {
			switch {
			case b.Trailer == nil:
				return Deed{Bullet: b, Reason: "the line has no trailer, so it is its author's: edit the file"}
			case !b.Active():
				return Deed{Bullet: b, Reason: "it is retired already"}
			}
			f.Retire(b, lesson.Withdrawn, o.Date)
			b.Trailer = &lesson.Trailer{Evidence: b.Trailer.Evidence, Earned: b.Trailer.Earned, Retirement: lesson.Retirement{Kind: lesson.Withdrawn, Date: o.Date}}
			return Deed{What: string(lesson.Withdrawn), Bullet: b, was: b.Trailer.Evidence}
		}))
		return nil
	})
}

// Restore makes the retired bullet that a person names a founder note of the order's day.
func (m Memory) Restore(ctx context.Context, past History, o Order, handle string) (Obeyed, error) {
	return m.obey(ctx, past, o, func(f *lesson.File, done *Obeyed) []string {
		done.Deeds = append(done.Deeds, m.onNamed(f, handle, func(b lesson.Bullet) Deed {
			if b.Active() {
				return Deed{Bullet: b, Reason: "it is not retired"}
			}
			restored, _ := f.Restore(b, o.evidence())
			return Deed{What: Restored, Bullet: restored}
		}))
		return nil
	})
}

// onNamed does something to the bullet that a person means by a handle: of several that say the
// same, an active one with a trailer.
func (m Memory) onNamed(f *lesson.File, handle string, do func(lesson.Bullet) Deed) Deed {
	found, err := f.Resolve(handle, m.Config.Window)
	if err != nil {
		return Deed{Reason: err.Error()}
	}
	best := found[0]
	for _, b := range found {
		if b.Active() && (!best.Active() || best.Trailer == nil) {
			best = b
		}
	}
	return do(best)
}

// Reword gives the active bullet that a person names another sentence. The guard judges it like a
// note's; the evidence stays.
func (m Memory) Reword(ctx context.Context, past History, o Order, handle, sentence string) (Obeyed, error) {
	checked := guard.CheckNote(sentence)
	if checked.Refused {
		return Obeyed{Deeds: []Deed{{Reason: "the guard refuses it: " + checked.Reason}}}, nil
	}
	return m.obey(ctx, past, o, func(f *lesson.File, done *Obeyed) []string {
		done.Deeds = append(done.Deeds, m.onNamed(f, handle, func(b lesson.Bullet) Deed {
			switch {
			case b.Trailer == nil:
				return Deed{Bullet: b, Reason: "the line has no trailer, so it is its author's: edit the file"}
			case !b.Active():
				return Deed{Bullet: b, Reason: "it is retired: restore it first"}
			case b.Handle() == lesson.Handle(checked.Sentence):
				return Deed{Bullet: b, Reason: "that is what it says"}
			}
			change, ok := f.Reword(b, checked.Sentence)
			if !ok {
				return Deed{Bullet: b, Reason: "another bullet says that, or it would not read back as one bullet"}
			}
			return Deed{What: Reworded, Bullet: change.To, former: b.Handle(), was: b.Trailer.Evidence}
		}))
		return nil
	})
}
