package githubtest

import (
	"strings"
)

// user is a person, an organisation or a bot.
type user struct {
	id    int64
	login string
	kind  string // "User", "Organization", "Bot"
}

// user returns whoever has the login, made on first mention; nil for "", which
// is how GitHub shows an account that is gone.
func (s *Server) user(login string) *user {
	if login == "" {
		return nil
	}
	key := strings.ToLower(login)
	u := s.users[key]
	if u == nil {
		u = &user{id: s.nextID(), login: login, kind: "User"}
		if strings.HasSuffix(login, "[bot]") {
			u.kind = "Bot"
		}
		s.users[key] = u
	}
	return u
}

// userObject is the user as all answers and webhooks show it; null for "".
func (s *Server) userObject(login string) any {
	u := s.user(login)
	if u == nil {
		return nil
	}
	path := strings.NewReplacer("[", "%5B", "]", "%5D").Replace(u.login)
	at := s.api + "/users/" + path
	html := s.web + "/" + path
	if app, isBot := strings.CutSuffix(u.login, "[bot]"); isBot {
		html = s.web + "/apps/" + app
	}
	return object{
		"login":               u.login,
		"id":                  u.id,
		"node_id":             nodeID("U", u.id),
		"avatar_url":          s.web + "/avatars/" + path,
		"gravatar_id":         "",
		"url":                 at,
		"html_url":            html,
		"followers_url":       at + "/followers",
		"following_url":       at + "/following{/other_user}",
		"gists_url":           at + "/gists{/gist_id}",
		"starred_url":         at + "/starred{/owner}{/repo}",
		"subscriptions_url":   at + "/subscriptions",
		"organizations_url":   at + "/orgs",
		"repos_url":           at + "/repos",
		"events_url":          at + "/events{/privacy}",
		"received_events_url": at + "/received_events",
		"type":                u.kind,
		"site_admin":          false,
	}
}

func trimScheme(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	return rest
}
