package calibrate

import "encoding/json"

// MarshalJSON writes the report for other programs. Shares are from 0 to 1, with the two ends of
// their 95 % Wilson interval; what is not known is null.
func (r Report) MarshalJSON() ([]byte, error) {
	type example struct {
		A     string  `json:"a"`
		B     string  `json:"b"`
		Label Verdict `json:"label"`
		Score float64 `json:"score"`
	}
	exampleOf := func(e *Example) *example {
		if e == nil {
			return nil
		}
		return &example{e.A, e.B, e.Verdict, e.Score}
	}
	type point struct {
		Floor     float64   `json:"floor"`
		Precision shareJSON `json:"precision"`
		Recall    shareJSON `json:"recall"`
		Distinct  int       `json:"distinct_collapsed"`
		Opposite  int       `json:"opposite_collapsed"`
	}
	type result struct {
		Measure   string          `json:"measure"`
		Floor     float64         `json:"floor"`
		MinTokens int             `json:"min_tokens"`
		Points    []point         `json:"points"`
		Guarded   map[Verdict]int `json:"guarded"`
		Short     int             `json:"too_short"`
		Highest   *example        `json:"highest_not_one_lesson"`
		Lowest    *example        `json:"lowest_duplicate"`
		Recommend struct {
			Floor   float64 `json:"floor"`
			Reason  string  `json:"reason"`
			TooFew  bool    `json:"too_few_labels"`
			Missing int     `json:"missing_labels"`
		} `json:"recommended"`
	}
	out := struct {
		Labels    int             `json:"labels"`
		Elsewhere int             `json:"labels_elsewhere"`
		Counts    map[Verdict]int `json:"counts"`
		Interval  string          `json:"interval"`
		Measures  []result        `json:"measures"`
	}{Labels: r.Labels, Elsewhere: r.Elsewhere, Counts: map[Verdict]int{}, Interval: "Wilson, 95 %", Measures: []result{}}
	for _, one := range r.Results {
		out.Counts = one.Counts
		o := result{
			Measure: one.measure(), Floor: one.Rule.Floor, MinTokens: one.Rule.MinTokens, Guarded: one.Guarded, Short: one.Short,
			Highest: exampleOf(one.Highest), Lowest: exampleOf(one.Lowest),
		}
		for _, p := range one.Points {
			o.Points = append(o.Points, point{p.Floor, shareOf(p.Precision), shareOf(p.Recall), p.Distinct, p.Opposite})
		}
		o.Recommend.Floor, o.Recommend.Reason = one.Recommend.Floor, one.Recommend.Reason
		o.Recommend.TooFew, o.Recommend.Missing = one.Recommend.TooFew, one.Recommend.Missing
		out.Measures = append(out.Measures, o)
	}
	return json.Marshal(out)
}

// shareJSON is a share with its interval; value, low and high are null for a share of nothing.
type shareJSON struct {
	Share
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

func shareOf(s Share) shareJSON {
	if s.Whole == 0 {
		return shareJSON{Share: s}
	}
	value := s.Value()
	low, high := s.Wilson()
	return shareJSON{s, &value, &low, &high}
}
