package report

// Margin is how far the pairs of a store keep from the floor that separates them.
type Margin struct {
	Above float64 // the lowest pair that collapses; the floor itself where there is none
	Below float64 // the highest pair below the floor; half the floor, or from where on pairs are told apart, where there is none above that
}

// Width is how far apart the two are.
func (m Margin) Width() float64 { return m.Above - m.Below }

// ClosedMargin is the width under which a floor separates by chance: the gap that it was chosen in was 0.036.
const ClosedMargin = 0.02

// Closed reports whether the margin has closed.
func (m Margin) Closed() bool { return m.Width() < ClosedMargin }

// Margin is not known, nil, where there is no pair to compare.
func (s Store) Margin() *Margin {
	if s.Active < 2 {
		return nil
	}
	m := &Margin{Above: s.Floor, Below: max(s.Floor*reach, s.Histogram.From)}
	if s.Lowest != nil {
		m.Above = s.Lowest.Decision.Sureness
	}
	if near := s.Nearest(); near != nil {
		m.Below = near.Decision.Sureness
	}
	return m
}
