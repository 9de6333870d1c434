package web

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/queue"
)

// repositoryLine is a repository in the list.
type repositoryLine struct {
	repo
	queue.Tally
}

// maxLines bounds a list on one page.
const maxLines = 100

// repositories lists what the viewer may see, those with news first.
func (v *visit) repositoriesShown() ([]repositoryLine, error) {
	tallies, err := v.Deliveries.Tallies(v.ctx(), v.ids())
	if err != nil {
		return nil, err
	}
	wanted := strings.ToLower(strings.TrimSpace(v.r.URL.Query().Get("q")))
	var out []repositoryLine
	for name, r := range v.byName {
		if strings.Contains(name, wanted) {
			out = append(out, repositoryLine{r, tallies[r.Repository]})
		}
	}
	slices.SortFunc(out, func(a, b repositoryLine) int {
		return cmp.Or(b.Newest.Compare(a.Newest), cmp.Compare(strings.ToLower(a.FullName), strings.ToLower(b.FullName)))
	})
	return out, nil
}

func (d *desk) repositories(v *visit) error {
	lines, err := v.repositoriesShown()
	if err != nil {
		return err
	}
	return v.show(repositoriesPage, "Repositories", struct {
		Query          string
		Lines          []repositoryLine
		Found, All     int
		GitHub, Person string
	}{v.r.URL.Query().Get("q"), lines[:min(maxLines, len(lines))], len(lines), len(v.byName), v.github(""), v.Login})
}
