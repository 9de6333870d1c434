package actions

import "context"

// sweep catches up, and then retires what is stale or expired.
func (r *run) sweep(ctx context.Context) error { return r.catchUp(ctx) }
