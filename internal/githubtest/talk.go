package githubtest

import "time"

// issueComment is a comment of a pull request's conversation.
type issueComment struct {
	id               int64
	number           int
	user, body       string
	created, updated time.Time
	reactions        []*reaction
}

type reaction struct {
	id            int64
	user, content string
	created       time.Time
}

// rollup counts reactions by kind.
func (r *Repository) rollup(self string, all []*reaction) object {
	o := object{"url": self + "/reactions", "total_count": len(all)}
	for _, kind := range reactionKinds {
		o[kind] = 0
	}
	for _, x := range all {
		o[x.content] = o[x.content].(int) + 1
	}
	return o
}

var reactionKinds = []string{"+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"}
