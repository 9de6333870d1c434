package calibrate

import "math"

// Share is a part of a whole, such as 29 right ones of 43.
type Share struct {
	Part  int `json:"part"`
	Whole int `json:"whole"`
}

// Value is the share from 0 to 1; 1 of nothing, of which nothing is wrong.
func (s Share) Value() float64 {
	if s.Whole == 0 {
		return 1
	}
	return float64(s.Part) / float64(s.Whole)
}

// z is the quantile of the normal distribution for an interval of 95 %.
const z = 1.959964

// Wilson returns the 95 % confidence interval of the share by Wilson's score method (1927), which
// holds for few pairs and for shares near 1. Of nothing nothing is known: 0 to 1.
func (s Share) Wilson() (low, high float64) {
	if s.Whole == 0 {
		return 0, 1
	}
	n, p := float64(s.Whole), s.Value()
	middle, width := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, (middle-width)/(1+z*z/n)), min(1, (middle+width)/(1+z*z/n))
}

// missing is how many more right ones it takes until the lower end of the interval reaches least.
func (s Share) missing(least float64) int {
	for n := 0; ; n++ {
		if low, _ := (Share{s.Part + n, s.Whole + n}).Wilson(); low >= least {
			return n
		}
	}
}
