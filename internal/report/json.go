package report

import "encoding/json"

// MarshalJSON writes the report for other programs; docs/report.md describes every key. Shares and
// scores are from 0 to 1, and what is not known is null.
func (r Report) MarshalJSON() ([]byte, error) {
	out := struct {
		Stores  []storeJSON `json:"stores"`
		Skipped []Skipped   `json:"skipped"`
	}{[]storeJSON{}, append([]Skipped{}, r.Skipped...)}
	for _, m := range r.Stores {
		out.Stores = append(out.Stores, jsonOf(m))
	}
	return json.Marshal(out)
}

type storeJSON struct {
	Path      string  `json:"path"`
	Measure   string  `json:"measure"`
	Floor     float64 `json:"floor"`
	MinTokens int     `json:"min_tokens"`

	Active     int            `json:"active"`
	Retired    map[string]int `json:"retired"`
	Bounded    int            `json:"with_trailer"`
	TooShort   int            `json:"too_short"`
	AllPairs   int            `json:"pairs"`
	Reaching   int            `json:"pairs_at_floor"`
	Merging    int            `json:"pairs_collapsing"`
	Opposed    int            `json:"contradictions"`
	Collapsing int            `json:"would_collapse"`
	Share      float64        `json:"would_collapse_share"`

	Under     *pairJSON     `json:"highest_under_floor"`
	Over      *pairJSON     `json:"lowest_over_floor"`
	Margin    *marginJSON   `json:"margin"`
	Histogram histogramJSON `json:"histogram"`

	Pairs        []pairJSON `json:"pairs_shown"`
	OpposedPairs []pairJSON `json:"contradictions_shown"`
}

type marginJSON struct {
	Below  float64 `json:"below"`
	Above  float64 `json:"above"`
	Width  float64 `json:"width"`
	Closed bool    `json:"closed"`
}

type histogramJSON struct {
	From  float64   `json:"from"`
	Below int       `json:"pairs_below"`
	Bins  []binJSON `json:"bins"`
}

type binJSON struct {
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Pairs int     `json:"pairs"`
}

type bulletJSON struct {
	Line     int    `json:"line"`
	Handle   string `json:"handle"`
	Sentence string `json:"sentence"`
}

type pairJSON struct {
	A        bulletJSON `json:"a"`
	B        bulletJSON `json:"b"`
	Sureness float64    `json:"sureness"`
	Score    float64    `json:"score"`
	Verdict  string     `json:"verdict"`
	Guard    string     `json:"guard"`
	Reason   string     `json:"reason"`
}

func jsonOf(m Measured) storeJSON {
	out := storeJSON{
		Path: m.Name, Measure: m.measure(), Floor: m.Rule.Floor, MinTokens: m.Rule.MinTokens,
		Active: m.Active, Retired: map[string]int{}, Bounded: m.Bounded, TooShort: m.TooShort,
		AllPairs: m.AllPairs(), Reaching: m.Reaching, Merging: m.Merging, Opposed: m.Opposed + len(m.Corrections),
		Collapsing: m.Superfluous, Share: m.DuplicateShare(),
		Under: nullable(m.Nearest()), Over: nullable(m.Lowest),
		Histogram: histogramJSON{From: m.Histogram.From, Below: m.Histogram.Rest},
		Pairs:     pairsJSON(m.Pairs), OpposedPairs: pairsJSON(m.AllOpposed()),
	}
	for _, k := range m.RetiredKinds() {
		out.Retired[k.Kind] = k.Count
	}
	if margin := m.Margin(); margin != nil {
		out.Margin = &marginJSON{margin.Below, margin.Above, margin.Width(), margin.Closed()}
	}
	for _, b := range m.Histogram.Bins() {
		out.Histogram.Bins = append(out.Histogram.Bins, binJSON{b.Low, b.High, b.Pairs})
	}
	return out
}

func pairsJSON(pairs []Pair) []pairJSON {
	out := make([]pairJSON, len(pairs))
	for i, p := range pairs {
		out[i] = *nullable(&p)
	}
	return out
}

func nullable(p *Pair) *pairJSON {
	if p == nil {
		return nil
	}
	return &pairJSON{
		bulletJSON{p.A.Line, p.A.Handle(), p.A.Sentence}, bulletJSON{p.B.Line, p.B.Handle(), p.B.Sentence},
		p.Decision.Sureness, p.Decision.Score, p.Verdict(), p.Decision.Guard, p.Decision.Reason,
	}
}
