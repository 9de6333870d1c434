package githubtest

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// installation is the App on one account.
type installation struct {
	id          int64
	account     string
	permissions map[string]string
	created     time.Time
	suspended   time.Time // zero while it is not
	quota       quota     // all its tokens share it
}

// productPermissions are those that the product's App asks for.
func productPermissions() map[string]string {
	return map[string]string{
		"metadata": "read", "contents": "write", "pull_requests": "write",
		"checks": "write", "actions": "read", "issues": "read",
	}
}

var productEvents = []string{
	"check_run", "check_suite", "issue_comment", "pull_request", "pull_request_review",
	"pull_request_review_comment", "push", "repository", "workflow_run",
}

// AddInstallation installs the App on an account, an organisation, with the
// permissions that the product asks for.
func (s *Server) AddInstallation(id int64, account string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.user(account).kind = "Organization"
	s.installations[id] = &installation{id: id, account: account, permissions: productPermissions(), created: s.now(), quota: quota{limit: s.opts.RateLimit}}
}

// SetPermissions changes what tokens minted from now on may do.
func (s *Server) SetPermissions(installation int64, permissions map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.installations[installation].permissions = maps.Clone(permissions)
}

// Suspend suspends an installation: its tokens are refused, and none is minted.
func (s *Server) Suspend(installation int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.installations[installation].suspended = s.now()
}

// Unsuspend ends a suspension.
func (s *Server) Unsuspend(installation int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.installations[installation].suspended = time.Time{}
}

// Uninstall removes an installation with its tokens; its repositories are out of
// the App's reach.
func (s *Server) Uninstall(installation int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.installations, installation)
	maps.DeleteFunc(s.tokens, func(_ string, t *token) bool {
		return t.installation != nil && t.installation.id == installation
	})
}

func suspended() reply {
	return failure(http.StatusForbidden, "This installation has been suspended")
}

// botLogin is the App's own account.
func (s *Server) botLogin() string { return s.opts.AppSlug + "[bot]" }

func (s *Server) clientID() string { return fmt.Sprintf("Iv23li%014d", s.opts.AppID) }

func getApp(c *call) reply { return ok(c.s.appObject()) }

func (s *Server) appObject() object {
	return object{
		"id":           s.opts.AppID,
		"slug":         s.opts.AppSlug,
		"client_id":    s.clientID(),
		"node_id":      nodeID("A", s.opts.AppID),
		"owner":        s.userObject("agent-corp"),
		"name":         s.opts.AppSlug,
		"description":  "",
		"external_url": s.web + "/" + s.opts.AppSlug,
		"html_url":     s.web + "/apps/" + s.opts.AppSlug,
		"created_at":   "2026-01-01T00:00:00Z",
		"updated_at":   "2026-01-01T00:00:00Z",
		"permissions":  productPermissions(),
		"events":       productEvents,
	}
}

func listInstallations(c *call) reply {
	all := slices.SortedFunc(maps.Values(c.s.installations), func(a, b *installation) int { return int(a.id - b.id) })
	return list(c, all, c.s.installationObject)
}

func getInstallation(c *call) reply {
	in := c.installation()
	if in == nil {
		return notFound()
	}
	return ok(c.s.installationObject(in))
}

func getRepositoryInstallation(c *call) reply {
	if rep := c.s.findRepository(c); rep.status != 0 {
		return rep
	}
	in := c.s.installations[c.repo.installation]
	if in == nil {
		return notFound()
	}
	return ok(c.s.installationObject(in))
}

func (c *call) installation() *installation {
	id, _ := strconv.ParseInt(c.PathValue("installation_id"), 10, 64)
	return c.s.installations[id]
}

func (s *Server) installationObject(in *installation) object {
	account := s.userObject(in.account).(object)
	var suspendedBy any
	if !in.suspended.IsZero() {
		suspendedBy = account
	}
	return object{
		"id":                   in.id,
		"client_id":            s.clientID(),
		"account":              account,
		"repository_selection": "selected",
		"access_tokens_url":    fmt.Sprintf("%s/app/installations/%d/access_tokens", s.api, in.id),
		"repositories_url":     s.api + "/installation/repositories",
		"html_url":             fmt.Sprintf("%s/organizations/%s/settings/installations/%d", s.web, in.account, in.id),
		"app_id":               s.opts.AppID,
		"app_slug":             s.opts.AppSlug,
		"target_id":            account["id"],
		"target_type":          account["type"],
		"permissions":          in.permissions,
		"events":               productEvents,
		"created_at":           stamp(in.created),
		"updated_at":           stamp(in.created),
		"single_file_name":     nil,
		"suspended_by":         suspendedBy,
		"suspended_at":         stampOrNull(in.suspended),
	}
}

// createToken mints a token for an hour, narrowed to the repositories and
// permissions asked for.
func createToken(c *call) reply {
	in := c.installation()
	if in == nil {
		return notFound()
	}
	if !in.suspended.IsZero() {
		return suspended()
	}
	var want struct {
		Repositories  []string          `json:"repositories"`
		RepositoryIDs []int64           `json:"repository_ids"`
		Permissions   map[string]string `json:"permissions"`
	}
	if len(c.body) > 0 {
		if rep, ok := c.decode(&want); !ok {
			return rep
		}
	}
	t := &token{
		value:        fmt.Sprintf("ghs_%d_%s.%s", c.s.opts.AppID, base64.RawURLEncoding.EncodeToString([]byte(randomHex(150))), randomHex(20)),
		installation: in,
		expires:      c.s.opts.AuthNow().Add(time.Hour),
		permissions:  maps.Clone(in.permissions),
		login:        c.s.botLogin(),
		quota:        &in.quota,
	}
	if len(want.Permissions) > 0 {
		t.permissions = map[string]string{"metadata": "read"}
	}
	for name, level := range want.Permissions {
		have := in.permissions[name]
		if have == "" || (have == "read" && level != "read") {
			return invalid("The permissions requested are not granted to this installation.")
		}
		t.permissions[name] = level
	}
	if len(want.Repositories)+len(want.RepositoryIDs) > 0 {
		t.repositories = map[int64]bool{}
	}
	for _, repo := range c.s.repositories {
		if repo.installation == in.id && (slices.Contains(want.RepositoryIDs, repo.id) || slices.Contains(want.Repositories, repo.name)) {
			t.repositories[repo.id] = true
		}
	}
	if len(t.repositories) < len(want.Repositories)+len(want.RepositoryIDs) {
		return invalid("There is at least one repository that does not exist or is not accessible to the parent installation.")
	}
	c.s.tokens[t.value] = t
	body := object{
		"token":                t.value,
		"expires_at":           stamp(t.expires),
		"permissions":          t.permissions,
		"repository_selection": "selected",
	}
	if t.repositories != nil {
		body["repositories"] = each(c.s.visible(t), c.s.repositoryObject)
	}
	return created(body)
}

func listInstallationRepositories(c *call) reply {
	all := c.s.visible(c.token)
	part, header := page(c, all)
	return reply{status: http.StatusOK, header: header, body: object{
		"total_count":          len(all),
		"repository_selection": "selected",
		"repositories":         each(part, c.s.repositoryObject),
	}}
}
