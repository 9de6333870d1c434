package githubtest

// repositoryLinks are the addresses that a repository's object lists, as paths
// below its own.
var repositoryLinks = map[string]string{
	"archive_url":       "/{archive_format}{/ref}",
	"assignees_url":     "/assignees{/user}",
	"blobs_url":         "/git/blobs{/sha}",
	"branches_url":      "/branches{/branch}",
	"collaborators_url": "/collaborators{/collaborator}",
	"comments_url":      "/comments{/number}",
	"commits_url":       "/commits{/sha}",
	"compare_url":       "/compare/{base}...{head}",
	"contents_url":      "/contents/{+path}",
	"contributors_url":  "/contributors",
	"deployments_url":   "/deployments",
	"downloads_url":     "/downloads",
	"events_url":        "/events",
	"forks_url":         "/forks",
	"git_commits_url":   "/git/commits{/sha}",
	"git_refs_url":      "/git/refs{/sha}",
	"git_tags_url":      "/git/tags{/sha}",
	"hooks_url":         "/hooks",
	"issue_comment_url": "/issues/comments{/number}",
	"issue_events_url":  "/issues/events{/number}",
	"issues_url":        "/issues{/number}",
	"keys_url":          "/keys{/key_id}",
	"labels_url":        "/labels{/name}",
	"languages_url":     "/languages",
	"merges_url":        "/merges",
	"milestones_url":    "/milestones{/number}",
	"notifications_url": "/notifications{?since,all,participating}",
	"pulls_url":         "/pulls{/number}",
	"releases_url":      "/releases{/id}",
	"stargazers_url":    "/stargazers",
	"statuses_url":      "/statuses/{sha}",
	"subscribers_url":   "/subscribers",
	"subscription_url":  "/subscription",
	"tags_url":          "/tags",
	"teams_url":         "/teams",
	"trees_url":         "/git/trees{/sha}",
}

// repositoryObject is the repository as lists, webhooks and pull requests show
// it. No property may be added that the webhooks' closed schema does not know.
func (s *Server) repositoryObject(r *Repository) object {
	pushed := r.created
	if head := r.objects.commits[r.refs["refs/heads/"+r.defaultBranch]]; head != nil {
		pushed = head.committer.when
	}
	o := object{
		"id":                          r.id,
		"node_id":                     nodeID("R", r.id),
		"name":                        r.name,
		"full_name":                   r.fullName(),
		"private":                     true,
		"visibility":                  "private",
		"owner":                       s.userObject(r.owner),
		"description":                 nil,
		"fork":                        false,
		"url":                         r.apiURL(""),
		"html_url":                    r.webURL(""),
		"git_url":                     "git://" + trimScheme(r.webURL("")) + ".git",
		"ssh_url":                     "git@" + trimScheme(s.web) + ":" + r.fullName() + ".git",
		"clone_url":                   r.webURL(".git"),
		"svn_url":                     r.webURL(""),
		"homepage":                    nil,
		"mirror_url":                  nil,
		"language":                    nil,
		"license":                     nil,
		"size":                        len(r.objects.blobs),
		"forks":                       0,
		"forks_count":                 0,
		"stargazers_count":            0,
		"watchers":                    0,
		"watchers_count":              0,
		"open_issues":                 0,
		"open_issues_count":           0,
		"default_branch":              r.defaultBranch,
		"has_issues":                  true,
		"has_projects":                false,
		"has_downloads":               false,
		"has_wiki":                    false,
		"has_pages":                   false,
		"has_discussions":             false,
		"is_template":                 false,
		"web_commit_signoff_required": false,
		"allow_forking":               true,
		"archived":                    r.archived,
		"disabled":                    false,
		"topics":                      []string{},
		"custom_properties":           object{},
		"created_at":                  stamp(r.created),
		"updated_at":                  stamp(pushed),
		"pushed_at":                   stamp(pushed),
	}
	for name, path := range repositoryLinks {
		o[name] = r.apiURL("") + path
	}
	return o
}
