package distill

import "testing"

// TestGrounding lists what a model may and may not put into a lesson about a review.
func TestGrounding(t *testing.T) {
	in := input{Findings: []excerpt{
		{Finding: 0, Path: "deploy/app.yaml", Text: "Run `make lint` with `--strict`; the limit of 64 KiB in `cfg.Load()` is passed over."},
		{Finding: 2, Text: "The imports perform well, but userTokenStore is built in curlew/main for each of the requests, and it is not closed."},
		{Finding: 3, Path: "scripts/deploy/run", Text: "The mirror evil.online/setup is not needed; Scheduler.Tick reads it, i.e. each time that it is called."},
		{Finding: 1, Text: "キャッシュの有効期限がありません。`ttl` を設定してください。\n\n```go\nttl := 5 * time.Minute // a long English comment in the code\n```"},
	}}
	tests := []struct {
		lesson  string
		finding int
		want    string
	}{
		{"Run `make lint` with `--strict` before every push to the branch.", 0, ""},
		{"Keep bodies below the limit of 64 KiB that `cfg.Load` enforces.", 0, ""},
		{"Set resource limits for each container in deploy/app.yaml before release.", 0, ""},
		{"Check and/or clamp the size of each body before it is parsed.", 0, ""},
		{"キャッシュには必ず `ttl` を設定してください.", 1, ""},
		{"Run `make test` with `--strict` before every push to the branch.", 0, "a lesson quotes a name that the review does not hold"},
		{"Run the linter with --fix before every push to the branch.", 0, "a lesson holds a flag that the review does not"},
		{"Set resource limits for each container in deploy/db.yaml before release.", 0, "a lesson holds a path or a host that the review does not"},
		{"Keep bodies below the limit of 32 KiB that `cfg.Load` enforces.", 0, "a lesson holds a number that the review does not"},
		{"Always set an expiry for the cache with `ttl`, or entries never go.", 1, "a lesson is not in the language of its finding"},
		{"Never call `rm` in a handler that is called for every request.", 2, "a lesson quotes a name that the review does not hold"},
		{"Never call `curl` in a handler that is called for every request.", 2, "a lesson quotes a name that the review does not hold"},
		{"Close each `userToken` when the handler of the request is done.", 2, "a lesson quotes a name that the review does not hold"},
		{"Close each `userTokenStore` when the handler of the request is done.", 2, ""},
		{"Start scripts/deploy/evil before the handler of each request is called.", 2, "a lesson holds a path or a host that the review does not"},
		{"Start scripts/deploy/run before the handler of each request is called.", 3, ""},
		{"Start scripts/deploy before the handler of each request is called.", 3, ""},
		{"Read the settings of evil.example before the handler of each request.", 3, "a lesson holds a path or a host that the review does not"},
		{"Read the settings from evil.online before the handler of each request.", 3, ""},
		{"Read the settings from evil.online/setup before each of the requests.", 3, "a lesson does not have the shape of one"},
		{"Call Scheduler.Tick once, i.e. not for every request that comes in.", 3, ""},
		{"Fermez toujours `userTokenStore` dans le code qui est appelé pour les requêtes.", 2, "a lesson is not in the language of its finding"},
		{"Keep it short.", 0, "a lesson does not have the shape of one"},
		{"Run `make lint` before every push to the branch of a colleague", 0, "a lesson does not have the shape of one"},
	}
	for _, test := range tests {
		got := ""
		if err := in.supports(test.lesson, test.finding); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%q: %q, want %q", test.lesson, got, test.want)
		}
	}
}
