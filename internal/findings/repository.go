package findings

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"
)

// Repository names the repository of a checkout as host/owner/name, from the address of its
// remote origin; "" where it has none.
func Repository(ctx context.Context, checkout string) string {
	address, err := git{dir: checkout}.run(ctx, "remote", "get-url", "origin")
	if err != nil {
		return ""
	}
	return repositoryOf(address)
}

// repositoryOf reads an address as git takes it: https://user@host/owner/name.git,
// git@host:owner/name. No user and no password is kept; a local folder is no repository's name.
func repositoryOf(address string) string {
	host, path := "", ""
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		host, path = u.Hostname(), u.Path
	} else if before, after, ok := strings.Cut(address, ":"); ok && !strings.Contains(before, "/") && len(before) > 1 {
		host, path = before[strings.LastIndex(before, "@")+1:], after
	}
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	if host == "" || path == "" {
		return ""
	}
	return strings.ToLower(host + "/" + path)
}

// Concerns reports whether the record was made in the repository, or, where neither it nor the
// checkout has a name, in a folder of the checkout's name, or below the checkout's path, which
// agent-findings records.
func (r Record) Concerns(repository, checkout string) bool {
	if r.Source == nil {
		return false
	}
	if r.Source.Repository != "" || repository != "" && r.Source.CWD == "" {
		return r.Source.Repository != "" && strings.EqualFold(r.Source.Repository, repository)
	}
	if !filepath.IsAbs(r.Source.CWD) {
		return repository == "" && r.Source.CWD == filepath.Base(checkout)
	}
	inside, err := filepath.Rel(checkout, r.Source.CWD)
	return err == nil && filepath.IsLocal(inside)
}
