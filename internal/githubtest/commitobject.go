package githubtest

// commitObject is a commit as the commits API shows it, with users beside the
// names that git knows.
func (r *Repository) commitObject(c *commit) object {
	userOrNull := func(p person) any { return r.s.userObject(p.login) }
	return object{
		"url":          r.apiURL("/commits/%s", c.sha),
		"sha":          c.sha,
		"node_id":      nodeID("C", c.sha),
		"html_url":     r.webURL("/commit/%s", c.sha),
		"comments_url": r.apiURL("/commits/%s/comments", c.sha),
		"commit": object{
			"url":           r.apiURL("/git/commits/%s", c.sha),
			"author":        personObject(c.author),
			"committer":     personObject(c.committer),
			"message":       c.message,
			"comment_count": 0,
			"tree":          object{"sha": c.tree, "url": r.apiURL("/git/trees/%s", c.tree)},
			"verification":  verification(c),
		},
		"author":    userOrNull(c.author),
		"committer": userOrNull(c.committer),
		"parents":   r.parentObjects(c),
	}
}

// gitCommitObject is the same as the git data and contents APIs show it.
func (r *Repository) gitCommitObject(c *commit) object {
	return object{
		"sha":          c.sha,
		"node_id":      nodeID("C", c.sha),
		"url":          r.apiURL("/git/commits/%s", c.sha),
		"html_url":     r.webURL("/commit/%s", c.sha),
		"author":       personObject(c.author),
		"committer":    personObject(c.committer),
		"message":      c.message,
		"tree":         object{"sha": c.tree, "url": r.apiURL("/git/trees/%s", c.tree)},
		"parents":      r.parentObjects(c),
		"verification": verification(c),
	}
}

func personObject(p person) object {
	return object{"name": p.name, "email": p.email, "date": stamp(p.when)}
}

func (r *Repository) parentObjects(c *commit) []object {
	return each(c.parents, func(p string) object {
		return object{"sha": p, "url": r.apiURL("/git/commits/%s", p), "html_url": r.webURL("/commit/%s", p)}
	})
}

func verification(c *commit) object {
	if !c.verified {
		return object{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}
	}
	return object{
		"verified":    true,
		"reason":      "valid",
		"signature":   "-----BEGIN PGP SIGNATURE-----\n\nc3RhbmQtaW4=\n-----END PGP SIGNATURE-----\n",
		"payload":     "tree " + c.tree + "\n",
		"verified_at": stamp(c.committer.when),
	}
}
