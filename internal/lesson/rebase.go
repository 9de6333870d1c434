package lesson

// Rebase does to f what happened between two versions of the file, was and mine: bullets that were
// appended, re-earned, retired or evicted. What f did to the same bullets stays, so nothing of
// either side is lost; a bullet that f no longer has stays gone. f is then trimmed to limit, as by
// Add. Prose comes from f alone.
func (f *File) Rebase(was, mine *File, limit int) {
	before, here, theirs := was.named(), f.named(), mine.named()
	var change Change
	for _, s := range mine.slots {
		name := nameOf(s.Bullet)
		at, present := here[name]
		if !present {
			if _, gone := before[name]; !gone {
				here[name] = len(f.slots)
				f.slots = append(f.slots, slot{Bullet: s.Bullet, state: added})
				change.Outcomes = append(change.Outcomes, Outcome{Kind: Appended, Sentence: s.Sentence, Bullet: s.Bullet})
			}
			continue
		}
		if f.slots[at].Trailer != nil && s.Trailer != nil {
			f.slots[at].set(together(was.trailer(before, name), *f.slots[at].Trailer, *s.Trailer))
		}
	}
	for name := range before {
		at, present := here[name]
		if _, stays := theirs[name]; present && !stays && evictable(f.slots[at], was.trailer(before, name)) {
			f.slots[at].state = removed
		}
	}
	f.trim(&change, limit)
}

// evictable reports whether an eviction of the bullet with trailer t still holds for s.
func evictable(s slot, t Trailer) bool { return s.Trailer != nil && *s.Trailer == t && !s.Nested }

// trailer returns the trailer of a bullet that named found; the zero Trailer for another, or a
// person's.
func (f *File) trailer(named map[name]int, n name) Trailer {
	if at, ok := named[n]; ok && f.slots[at].Trailer != nil {
		return *f.slots[at].Trailer
	}
	return Trailer{}
}

// together returns the trailer that two lines of events leave on one that was.
func together(was, a, b Trailer) Trailer {
	switch {
	case a == was:
		return b
	case b == was, a == b:
		return a
	}
	out := a
	if b.Date.t.After(a.Date.t) {
		out.Evidence = b.Evidence
	}
	if !out.Retired() {
		out.Retirement = b.Retirement
	}
	out.Earned = a.Earned + b.Earned - was.Earned
	if a.PR.Same(b.PR) { // both sides saw the same pull request earn it
		out.Earned--
	}
	out.Earned = max(1, out.Earned)
	return out
}

// name tells bullets apart between versions of a file: a founder note may say what a bullet says.
type name struct {
	sentence string
	person   bool // a founder note, or a line without a trailer
}

func nameOf(b Bullet) name {
	return name{normal(b.Sentence), b.Trailer == nil || b.Trailer.Verdict == FounderNote}
}

// named returns the places of the bullets; of two with one name the first.
func (f *File) named() map[name]int {
	out := make(map[name]int, len(f.slots))
	for i, s := range f.slots {
		if _, taken := out[nameOf(s.Bullet)]; !taken {
			out[nameOf(s.Bullet)] = i
		}
	}
	return out
}
