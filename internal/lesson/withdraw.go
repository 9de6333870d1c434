package lesson

// Replay returns the trailer that evidence leaves on a bullet when it arrives in this order:
// the newest piece, and how often it was earned. No evidence leaves the zero Trailer.
// A piece whose day is unknown has the zero Date, and so counts as older than all others.
func Replay(evidence []Evidence) Trailer {
	var t Trailer
	for i, e := range evidence {
		if i == 0 {
			t = Trailer{Evidence: e, Earned: 1}
			continue
		}
		t = t.earn(e)
	}
	return t
}

// TakeBack gives an active bullet that Bullets or Find returned an older trailer: other evidence
// of pull request and day, and fewer earnings. Its verdict stays. It reports whether that
// changed the bullet.
func (f *File) TakeBack(b Bullet, shown Evidence, earned int) bool {
	s := f.slotOf(b)
	if s == nil {
		return false
	}
	t := *s.Trailer
	t.PR, t.Date, t.Earned = shown.PR, shown.Date, max(earned, 1)
	return s.set(t)
}

// set gives the bullet another trailer and reports whether that changed it.
func (s *slot) set(t Trailer) bool {
	if t == *s.Trailer {
		return false
	}
	s.Trailer = &t
	if s.state == kept {
		s.state = changed
	}
	return true
}
