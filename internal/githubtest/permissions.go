package githubtest

import (
	"net/http"
	"strings"
)

// role is what someone may do in a repository.
type role struct{ permission, name string }

// SetPermission says what a person may do: permission is "admin", "write",
// "read" or "none", and roleName the role behind it ("maintain", "triage", a
// custom one), the same as permission if empty.
func (r *Repository) SetPermission(login, permission, roleName string) {
	defer r.lock()()
	if roleName == "" {
		roleName = permission
	}
	r.s.user(login)
	r.roles[strings.ToLower(login)] = role{permission, roleName}
}

// getPermission answers 404 for a login that nobody has, and "none" for one that
// has no role here: the repository is private.
func getPermission(c *call) reply {
	login := c.PathValue("username")
	u := c.s.users[strings.ToLower(login)]
	if u == nil {
		return failure(http.StatusNotFound, login+" is not a user")
	}
	has, found := c.repo.roles[strings.ToLower(login)]
	if !found {
		has = role{"none", ""}
	}
	collaborator := c.s.userObject(login).(object)
	collaborator["role_name"] = has.name
	return ok(object{"permission": has.permission, "role_name": has.name, "user": collaborator})
}
