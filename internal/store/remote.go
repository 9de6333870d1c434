package store

import (
	"context"
	"errors"
)

// Remote is a lessons file on GitHub that is written as its branch allows: directly, until a rule
// forbids that, and through a standing pull request from then on (design decision 13).
type Remote struct {
	GitHub
	Proposal *Proposal // nil: never through a pull request
	Proposes bool      // the direct write is known to be forbidden, or is not wanted
	// Forbidden is told when a rule forbids the direct write, so that the next write need not try
	// it; nil tells nobody.
	Forbidden func(ctx context.Context) error
}

// Read returns the file with what is pending, where it is written through a pull request.
func (r *Remote) Read(ctx context.Context) (Snapshot, error) {
	if r.Proposes {
		return r.Proposal.Read(ctx)
	}
	return r.GitHub.Read(ctx)
}

// Write commits content. When the rule is only now found out it returns ErrConflict, since what
// is pending was not in the snapshot.
func (r *Remote) Write(ctx context.Context, was Snapshot, content []byte, message string) (Commit, error) {
	if r.Proposes {
		return r.Proposal.Write(ctx, was, content, message)
	}
	commit, err := r.GitHub.Write(ctx, was, content, message)
	if !errors.As(err, new(*RuleError)) || r.Proposal == nil {
		return commit, err
	}
	r.Proposes = true
	if r.Forbidden != nil {
		if err := r.Forbidden(ctx); err != nil {
			return Commit{}, err
		}
	}
	return Commit{}, ErrConflict
}

// SyncDocuments brings the documents in step where the direct write is allowed and wanted. A pull
// request carries them with the lessons alone.
func (r *Remote) SyncDocuments(ctx context.Context, message string) (Commit, error) {
	if r.Proposes {
		return Commit{}, nil
	}
	return r.GitHub.SyncDocuments(ctx, message)
}

// Messages returns the messages of the commits that touched the file, pending ones included.
func (r *Remote) Messages(ctx context.Context, recent bool) ([]string, error) {
	if r.Proposes {
		return r.Proposal.Messages(ctx, recent)
	}
	return r.GitHub.Messages(ctx, recent)
}
