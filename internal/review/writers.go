package review

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/go-github/v66/github"
)

// Writers returns the logins of those who write what is in a pull request: its author, and the owner
// of the repository that its commits are in where that is another than its base. Anybody can open a
// pull request from anybody's fork, and the fork's owner goes on pushing to it. head and base are
// full names; without a head, since the fork is gone, nobody is known to be the only writer.
func Writers(author, head, base string) []string {
	owner, _, known := strings.Cut(head, "/")
	switch {
	case author == "" || !known:
		return nil
	case strings.EqualFold(head, base), strings.EqualFold(owner, author):
		return []string{author}
	}
	return []string{author, owner}
}

// WritersOf returns the [Writers] of a pull request.
func WritersOf(pull *github.PullRequest) []string {
	return Writers(pull.GetUser().GetLogin(), pull.GetHead().GetRepo().GetFullName(), pull.GetBase().GetRepo().GetFullName())
}

// distrust returns why not all writers of a pull request have write permission, "" where they have.
// mayWrite is [Repository.MayWrite], or knows more who is to be trusted.
func distrust(ctx context.Context, writers []string, who string, mayWrite func(context.Context, string) (bool, error)) (reason string, err error) {
	for i, login := range writers {
		may, err := mayWrite(ctx, login)
		if err != nil {
			return "", err
		}
		if !may {
			is := []string{"the author of the pull request", "the owner of the pull request's fork"}[i]
			return fmt.Sprintf("%s, %s, %s, has no write permission", is, login, who), nil
		}
	}
	if len(writers) == 0 {
		return "who writes the pull request is not known: its author's account or its fork is gone", nil
	}
	return "", nil
}
