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

// Retire retires the active bullet that handle names and reports whether there was one with a
// trailer. The bullet stays in the file.
func (f *File) Retire(handle string, kind RetirementKind, date Date) bool {
	s := f.find(handle)
	if s == nil || s.Trailer == nil || !s.Active() {
		return false
	}
	t := *s.Trailer
	t.Retirement = Retirement{Kind: kind, Date: date}
	return s.set(t)
}
