package queue

import (
	"errors"
	"time"
)

type permanentError struct{ error }

func (e permanentError) Unwrap() error { return e.error }

// Permanent says that trying again will not help: the intent is given up at once, and stays
// visible with err as its reason.
func Permanent(err error) error { return permanentError{err} }

type laterError struct {
	error
	until time.Time
}

func (e laterError) Unwrap() error { return e.error }

// Later says that the intent's whole repository has to wait, as at a rate limit: intents that
// arrive meanwhile wait too. It spends no attempt. An until that is past waits a few seconds.
func Later(until time.Time, err error) error { return laterError{err, until} }

// parkedFor is how long a parked repository waits at most: whoever was to act may have done so
// without an event that tells of it.
const parkedFor = 7 * 24 * time.Hour

type parkedError struct{ error }

func (e parkedError) Unwrap() error { return e.error }

// Parked says that the intent's whole repository waits for a person to act elsewhere: until Resume
// is called, or for a week. It spends no attempt.
func Parked(err error) error { return parkedError{err} }

// ErrStopped is what Put returns once the queue stops.
var ErrStopped = errors.New("the queue is stopping")
