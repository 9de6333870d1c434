package githubtest

import (
	"cmp"
	"maps"
	"slices"
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
	shown := r.reviewObject(v)
	shown["state"] = lowerState(v.State) // only REST writes it in capitals
	shown["body"] = stringOrNull(v.Body)
	payload := object{"review": shown, "pull_request": r.simplePull(p)}
	if action == "edited" {
		payload["changes"] = object{"body": object{"from": "before"}}
	}
	return r.event("pull_request_review", action, cmp.Or(sender, v.User, "ghost"), payload)
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

// CommentEvent is an issue_comment: "created", "edited" or "deleted", the last
// to be built while the comment is still there.
func (r *Repository) CommentEvent(action string, commentID int64, sender string) Event {
	defer r.lock()()
	k := r.comment(commentID)
	shown := r.commentObject(k)
	if app, ours := shown["performed_via_github_app"].(object); ours {
		delete(app, "client_id") // the webhook's schema does not know it
	}
	payload := object{"issue": r.issueObject(r.issues[k.number]), "comment": shown}
	if action == "edited" {
		payload["changes"] = object{"body": object{"from": "before"}}
	}
	return r.event("issue_comment", action, cmp.Or(sender, k.User), payload)
}

// ReviewCommentEvent is a pull_request_review_comment: "created", "edited" or
// "deleted".
func (r *Repository) ReviewCommentEvent(action string, commentID int64, sender string) Event {
	defer r.lock()()
	k := r.reviewComment(commentID)
	payload := object{"comment": r.reviewCommentObject(k), "pull_request": r.simplePull(r.pulls[k.number])}
	if action == "edited" {
		payload["changes"] = object{"body": object{"from": "before"}}
	}
	return r.event("pull_request_review_comment", action, cmp.Or(sender, k.User), payload)
}

// CheckRunEvent is a check_run: "created", "completed", "rerequested", or
// "requested_action" with the identifier of the button.
func (r *Repository) CheckRunEvent(action string, checkID int64, identifier, sender string) Event {
	defer r.lock()()
	i := slices.IndexFunc(r.checks, func(k *CheckRun) bool { return k.ID == checkID })
	run := r.checkObject(r.checks[i])
	delete(run["app"].(object), "client_id") // the webhook's schema does not know it
	run["check_suite"] = object{
		"id": r.id, "node_id": nodeID("CS", r.id), "head_branch": nil, "head_sha": run["head_sha"],
		"status": run["status"], "conclusion": suiteConclusion(run["conclusion"]), "url": r.apiURL("/check-suites/%d", r.id),
		"before": nil, "after": nil, "pull_requests": run["pull_requests"], "app": run["app"],
		"created_at": run["started_at"], "updated_at": run["started_at"],
	}
	payload := object{"check_run": run}
	if identifier != "" {
		payload["requested_action"] = object{"identifier": identifier}
	}
	return r.event("check_run", action, sender, payload)
}

// suiteConclusion is a suite's where its one run concluded so: a suite is never skipped.
func suiteConclusion(run any) any {
	if run == "skipped" {
		return "neutral"
	}
	return run
}

// PushEvent is a push to a branch, from the commit before, "" if there was no
// such branch, to its present head.
func (r *Repository) PushEvent(branch, before, sender string) Event {
	defer r.lock()()
	head := r.refs["refs/heads/"+branch]
	commits := each(r.objects.between(before, head), r.pushedCommit)
	const none = "0000000000000000000000000000000000000000"
	payload := object{
		"ref": "refs/heads/" + branch, "before": cmp.Or(before, none), "after": cmp.Or(head, none),
		"created": before == "", "deleted": head == "", "forced": false, "base_ref": nil,
		"compare": r.webURL("/compare/%s...%s", before, head), "commits": commits, "head_commit": nil,
		"pusher": object{"name": sender, "email": r.s.person(sender).email},
	}
	if len(commits) > 0 {
		payload["head_commit"] = commits[len(commits)-1]
	}
	return r.event("push", "", sender, payload)
}

func (r *Repository) pushedCommit(k *commit) object {
	paths := map[string][]string{"added": {}, "modified": {}, "removed": {}}
	before := ""
	if len(k.parents) > 0 {
		before = k.parents[0]
	}
	for _, f := range r.diff(before, k.sha) {
		paths[f.status] = append(paths[f.status], f.path)
	}
	by := func(p person) object {
		o := object{"name": p.name, "email": p.email}
		if p.login != "" {
			o["username"] = p.login
		}
		return o
	}
	return object{
		"id": k.sha, "tree_id": k.tree, "distinct": true, "message": k.message, "timestamp": stamp(k.committer.when),
		"url": r.webURL("/commit/%s", k.sha), "author": by(k.author), "committer": by(k.committer),
		"added": paths["added"], "modified": paths["modified"], "removed": paths["removed"],
	}
}

// RepositoryEvent is a repository: "renamed", with the former name, "archived",
// "unarchived", "edited" or "deleted".
func (r *Repository) RepositoryEvent(action, formerName, sender string) Event {
	defer r.lock()()
	payload := object{}
	switch action {
	case "renamed":
		payload["changes"] = object{"repository": object{"name": object{"from": formerName}}}
	case "edited":
		payload["changes"] = object{"default_branch": object{"from": formerName}}
	}
	return r.event("repository", action, sender, payload)
}

// InstallationRepositoriesEvent is an installation_repositories: "added" or
// "removed", of the repositories named.
func (s *Server) InstallationRepositoriesEvent(action string, id int64, sender string, repos ...*Repository) Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	payload := object{
		"installation": s.webhookInstallation(s.installations[id]), "repository_selection": "selected",
		"repositories_added": []object{}, "repositories_removed": []object{}, "requester": nil,
	}
	payload["repositories_"+action] = each(repos, repositoryRef)
	return s.event("installation_repositories", action, sender, payload)
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
		"installation": s.webhookInstallation(s.installations[id]),
		"repositories": s.repositoryRefs(id),
	})
}

// webhookInstallation leaves out what the webhook's schema does not know.
func (s *Server) webhookInstallation(in *installation) object {
	o := s.installationObject(in)
	delete(o, "client_id")
	return o
}

// repositoryRefs are the repositories of an installation, as its events name them.
func (s *Server) repositoryRefs(installation int64) []object {
	return each(s.visible(&token{installation: s.installations[installation]}), repositoryRef)
}

func repositoryRef(r *Repository) object {
	return object{"id": r.id, "node_id": nodeID("R", r.id), "name": r.name, "full_name": r.fullName(), "private": true}
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
