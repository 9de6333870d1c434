package web

import (
	"embed"
	"html/template"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/look"
	"github.com/agent-corp/agent-lessons/internal/trend"
)

//go:embed pages
var pageFiles embed.FS

var (
	repositoriesPage         = parse("repositories")
	lessonsPage              = parse("lessons")
	lessonPage               = parse("lesson")
	pairsPage                = parse("pairs")
	trendPage                = parse("trend")
	deliveriesPage           = parse("deliveries")
	repositoryDeliveriesPage = parse("repositorydeliveries")
	deliveryPage             = parse("delivery")
	jobsPage                 = parse("jobs")
	welcomePage              = parse("welcome")
	messagePage              = parse("message")
)

// parse reads a page with the parts that several have.
func parse(name string) *template.Template {
	var text strings.Builder
	for _, file := range []string{"parts", name} {
		content, err := pageFiles.ReadFile("pages/" + file + ".html.tmpl")
		if err != nil {
			panic(err) // it is embedded
		}
		text.Write(content)
	}
	return look.Templates(text.String(), template.FuncMap{"plot": trend.Section})
}
