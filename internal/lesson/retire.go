package lesson

// Find returns the bullet that a handle names: an active one before a retired one, then the
// oldest position. A handle may be shortened to any prefix.
func (f *File) Find(handle string) (Bullet, bool) {
	if s := f.find(handle); s != nil {
		return s.Bullet, true
	}
	return Bullet{}, false
}

func (f *File) find(handle string) *slot {
	var found *slot
	for i := range f.slots {
		s := &f.slots[i]
		if s.state == removed || handle == "" || !hasPrefix(s.Handle(), handle) {
			continue
		}
		if found == nil || (!found.Active() && s.Active()) {
			found = s
		}
	}
	return found
}

func hasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }

// slotOf returns the place of an active bullet of this file, nil for a retired one, a person's,
// and one that was changed since. Handles do not tell bullets apart: a founder note or a
// person's line may say the same in the same words.
func (f *File) slotOf(b Bullet) *slot {
	if b.Trailer == nil || b.Trailer.Retired() {
		return nil
	}
	for i := range f.slots {
		if s := &f.slots[i]; s.state != removed && s.Trailer == b.Trailer {
			return s
		}
	}
	return nil
}

// Retire retires an active bullet that Bullets or Find returned, and reports whether it did. The
// bullet stays in the file.
func (f *File) Retire(b Bullet, kind RetirementKind, date Date) bool {
	s := f.slotOf(b)
	if s == nil {
		return false
	}
	t := *s.Trailer
	t.Retirement = Retirement{Kind: kind, Date: date}
	return s.set(t)
}
