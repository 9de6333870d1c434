// Package lesson is the domain: bullets with their provenance, the file that holds them, and
// what may happen to them. It is pure: time is an argument, and nothing here reads or writes.
package lesson

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Bullet is a lesson as an item of the lessons file.
type Bullet struct {
	Sentence string
	// Trailer is nil for a person's bullet, which is active, undated, and never touched
	// (design decision 9).
	Trailer *Trailer
	// Line is the 1-based line where the bullet began when its file was parsed; 0 for a bullet
	// that has not been written yet.
	Line int
	// Nested is true when the list item holds more than its sentence. Its trailer may change,
	// but it is never evicted, since what hangs below it is a person's.
	Nested bool
	// Oddity says what about the bullet's ending was not understood, "" for nothing.
	Oddity string
}

// Active reports whether an agent may be shown the bullet.
func (b Bullet) Active() bool { return b.Trailer == nil || !b.Trailer.Retired() }

// Handle returns the name of the bullet in commits, commands and pages: the first 8 hex digits
// of the SHA-256 of its sentence, in NFC and with white space folded.
func (b Bullet) Handle() string { return Handle(b.Sentence) }

// Handle returns the handle of a bullet with this sentence.
func Handle(sentence string) string {
	sum := sha256.Sum256([]byte(normal(sentence)))
	return hex.EncodeToString(sum[:4])
}

func normal(sentence string) string {
	return norm.NFC.String(strings.Join(strings.Fields(sentence), " "))
}

// String returns the bullet's canonical line without its line end.
func (b Bullet) String() string {
	if b.Trailer == nil {
		return "- " + b.Sentence
	}
	return "- " + b.Sentence + " (" + b.Trailer.String() + ")"
}

// date returns the day of the newest evidence; a person's bullet has none.
func (b Bullet) date() Date {
	if b.Trailer == nil {
		return Date{}
	}
	return b.Trailer.Date
}
