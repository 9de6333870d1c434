package distill

import "context"

// Asks reports whether a finding asks for a change: something in it orders, demands or advises, or
// is called a fix. A comment that only tells or wonders does not (issue 4, comment-only reviewers).
func Asks(ctx context.Context, f Finding) (bool, error) {
	remarks, err := settle(ctx, []Finding{f})
	for _, r := range remarks {
		if a, ok := boil(r); ok && !a.order.empty() {
			return true, err
		}
	}
	return false, err
}
