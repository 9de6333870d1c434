package githubtest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// page returns the part of items that the query's page and per_page (30, at
// most 100) ask for, and the Link header that leads to the others.
func page[T any](c *call, items []T) ([]T, http.Header) {
	size, number := positive(c.query("per_page"), 30), positive(c.query("page"), 1)
	size = min(size, 100)
	last := max((len(items)+size-1)/size, 1)
	from := min((number-1)*size, len(items))
	to := min(from+size, len(items))

	var links []string
	link := func(page int, rel string) {
		u := *c.URL
		q := u.Query()
		q.Set("page", strconv.Itoa(page))
		u.RawQuery = q.Encode()
		links = append(links, fmt.Sprintf(`<%s%s?%s>; rel=%q`, c.s.api, u.EscapedPath(), u.RawQuery, rel))
	}
	if number > 1 {
		link(number-1, "prev")
	}
	if number < last {
		link(number+1, "next")
		link(last, "last")
	}
	if number > 1 {
		link(1, "first")
	}
	header := http.Header{}
	if len(links) > 0 {
		header.Set("Link", strings.Join(links, ", "))
	}
	return items[from:to], header
}

// list answers with one page of items, each rendered.
func list[T any](c *call, items []T, render func(T) object) reply {
	part, header := page(c, items)
	return reply{status: http.StatusOK, header: header, body: each(part, render)}
}

// each renders all items; never nil, so that none is [] and not null.
func each[T any](items []T, render func(T) object) []object {
	out := make([]object, 0, len(items))
	for _, item := range items {
		out = append(out, render(item))
	}
	return out
}

func positive(s string, fallback int) int {
	if n, err := strconv.Atoi(s); err == nil && n > 0 {
		return n
	}
	return fallback
}
