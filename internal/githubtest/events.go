package githubtest

import (
	"maps"
	"strings"
)

// The events that GitHub tells an App of. Each is built from the state of the
// moment, and has the shape of GitHub's own payloads, all properties included.
// The sender is who did it.

// ReviewEvent is a pull_request_review: action "submitted", "edited" or
// "dismissed". The sender of the first two is the reviewer if empty.
func (r *Repository) ReviewEvent(action string, number int, reviewID int64, sender string) Event {
	defer r.lock()()
	p := r.pulls[number]
	v := p.review(reviewID)
	if sender == "" {
		sender = v.User
	}
	shown := r.reviewObject(v)
	shown["state"] = strings.ToLower(v.State) // only REST writes it in capitals
	shown["body"] = stringOrNull(v.Body)
	payload := object{"review": shown, "pull_request": r.simplePull(p)}
	if action == "edited" {
		payload["changes"] = object{"body": object{"from": "before"}}
	}
	return r.event("pull_request_review", action, sender, payload)
}

// PullEvent is a pull_request: "opened", "closed", "reopened", "edited",
// "ready_for_review" or "synchronize".
func (r *Repository) PullEvent(action string, number int, sender string) Event {
	defer r.lock()()
	p := r.pulls[number]
	payload := object{"number": number, "pull_request": r.fullPull(p)}
	switch action {
	case "synchronize":
		payload["after"] = p.HeadSHA
		payload["before"] = r.objects.commits[p.HeadSHA].parents[0]
	case "edited":
		payload["changes"] = object{}
	}
	return r.event("pull_request", action, sender, payload)
}

// event adds what all events of a repository bear.
func (r *Repository) event(name, action, sender string, payload object) Event {
	maps.Copy(payload, object{"repository": r.s.repositoryObject(r)})
	if in := r.s.installations[r.installation]; in != nil {
		payload["installation"] = object{"id": in.id, "node_id": nodeID("MDIz", in.id)}
	}
	if u := r.s.user(r.owner); u.kind == "Organization" {
		payload["organization"] = r.s.organizationObject(u)
	}
	return r.s.event(name, action, sender, payload)
}

func (s *Server) event(name, action, sender string, payload object) Event {
	if action != "" {
		payload["action"] = action
	}
	if sender != "" {
		payload["sender"] = s.userObject(sender)
	}
	return Event{Name: name, Action: action, Payload: payload}
}

// PingEvent is what GitHub sends first.
func (s *Server) PingEvent() Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.event("ping", "", "", object{
		"zen":     "Keep it logically awesome.",
		"hook_id": s.hook.id,
		"hook": object{
			"url": s.api + "/app/hook", "ping_url": s.api + "/app/hook/pings",
			"type": "App", "id": s.hook.id, "name": "web", "active": true, "app_id": s.opts.AppID,
			"events":     productEvents,
			"config":     object{"content_type": "json", "insecure_ssl": "0", "secret": "********", "url": s.hook.url},
			"updated_at": stamp(s.now()), "created_at": stamp(s.now()),
			"deliveries_url": s.api + "/app/hook/deliveries",
		},
	})
}

// InstallationEvent is an installation: "created", "deleted", "suspend",
// "unsuspend" or "new_permissions_accepted". "deleted" is to be built before
// Uninstall.
func (s *Server) InstallationEvent(action string, id int64, sender string) Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.event("installation", action, sender, object{
		"installation": s.installationObject(s.installations[id]),
		"repositories": s.repositoryRefs(id),
	})
}

// repositoryRefs are the repositories of an installation, as its events name them.
func (s *Server) repositoryRefs(installation int64) []object {
	mine := s.visible(&token{installation: s.installations[installation]})
	return each(mine, func(r *Repository) object {
		return object{"id": r.id, "node_id": nodeID("R", r.id), "name": r.name, "full_name": r.fullName(), "private": true}
	})
}

func (s *Server) organizationObject(u *user) object {
	at := s.api + "/orgs/" + u.login
	return object{
		"login": u.login, "id": u.id, "node_id": nodeID("O", u.id), "url": at,
		"repos_url": at + "/repos", "events_url": at + "/events", "hooks_url": at + "/hooks",
		"issues_url": at + "/issues", "members_url": at + "/members{/member}",
		"public_members_url": at + "/public_members{/member}",
		"avatar_url":         s.web + "/avatars/" + u.login, "description": "",
	}
}
