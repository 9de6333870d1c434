package lesson

// Past is what is known of a name that is no file now. The zero Past is a name that never was one.
type Past struct {
	Deleted Date   // the UTC day on which the default branch lost it; zero if it never had it
	Renamed string // the path that it has now; "" if it was not renamed
	Unknown bool   // it cannot be told
}

// Swept is what a sweep did to one bullet.
type Swept struct {
	Bullet Bullet // as it was
	What   string // "stale", "expired", "merged", "renamed"
	To     Bullet // what it was merged into or became; zero for a retired one
	Reason string
}
