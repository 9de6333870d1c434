package trend

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// MarshalJSON writes a series for other programs. Shares and scores are from 0 to 1; what is not known
// is null.
func (s Series) MarshalJSON() ([]byte, error) {
	type margin struct {
		Width float64 `json:"width"`
		Below float64 `json:"below"`
		Above float64 `json:"above"`
	}
	type week struct {
		Week      string   `json:"week"` // its Monday
		Appended  int      `json:"appended"`
		Refreshed int      `json:"refreshed"`
		Share     *float64 `json:"refresh_share"`
		Active    int      `json:"active"`
		Retired   int      `json:"retired"`
		Evicted   int      `json:"evicted"`
		Margin    *margin  `json:"margin"`
	}
	out := struct {
		Store   string   `json:"store"`
		Path    string   `json:"path"`
		Floor   float64  `json:"floor"`
		Share   *float64 `json:"refresh_share"`
		Weeks   []week   `json:"weeks"`
		Warning string   `json:"warning,omitempty"`
	}{Store: s.Store, Path: s.Path, Floor: s.Rule.Floor, Share: shareOf(s.Weeks...), Weeks: []week{}, Warning: s.Warning()}
	for _, w := range s.Weeks {
		o := week{
			Week: w.Monday.String(), Appended: w.Appended, Refreshed: w.Refreshed, Share: shareOf(w),
			Active: w.Active, Retired: w.Retired, Evicted: w.Evicted,
		}
		if m := w.Margin; m != nil {
			o.Margin = &margin{m.Width(), m.Below, m.Above}
		}
		out.Weeks = append(out.Weeks, o)
	}
	return json.Marshal(out)
}

func shareOf(weeks ...Week) *float64 {
	if share, known := RefreshShare(weeks...); known {
		return &share
	}
	return nil
}

// CSV renders a line for each store and week, under a header. What is not known is empty.
func CSV(all []Series) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	write := func(fields ...string) { _ = w.Write(fields) } // a strings.Builder never fails
	write("store", "path", "week", "appended", "refreshed", "refresh_share", "active", "retired", "evicted", "margin_below", "margin_above")
	for _, s := range all {
		for _, week := range s.Weeks {
			share, below, above := "", "", ""
			if v := shareOf(week); v != nil {
				share = number(*v)
			}
			if m := week.Margin; m != nil {
				below, above = number(m.Below), number(m.Above)
			}
			write(plain(s.Store), plain(s.Path), week.Monday.String(), strconv.Itoa(week.Appended), strconv.Itoa(week.Refreshed), share,
				strconv.Itoa(week.Active), strconv.Itoa(week.Retired), strconv.Itoa(week.Evicted), below, above)
		}
	}
	w.Flush()
	return b.String()
}

// plain keeps a spreadsheet from taking a name for a formula.
func plain(name string) string {
	if strings.HasPrefix(name, "=") || strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") || strings.HasPrefix(name, "@") {
		return "'" + name
	}
	return name
}

func number(v float64) string { return fmt.Sprintf("%.4f", v) }
