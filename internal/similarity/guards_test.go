package similarity

import "testing"

// TestGuards shows for each guard pairs that it keeps apart and, below, what none of them may forbid.
func TestGuards(t *testing.T) {
	tests := []struct{ guard, a, b string }{
		{"exchange", "Copy settings from staging to production after every release has been approved.",
			"Copy settings from production to staging after every release has been approved."},
		{"exchange", "Check permissions in the resolver and trust the caller inside the repository class.",
			"Check permissions in the repository class and trust the caller inside the resolver."},
		{"exchange", "Put shared types into the core package and leave the client package without any.",
			"Put shared types into the client package and leave the core package without any."},
		{"exchange", "Log at debug in the parser and at warn in the fetcher of the crawler.",
			"Log at warn in the parser and at debug in the fetcher of the crawler."},
		{"exchange", "Lock the account first and the ledger second when transferring money between users.",
			"Lock the ledger first and the account second when transferring money between users."},
		{"exchange", "Validate webhook payloads inside the handler, and leave the queue consumer without checks.",
			"Validate webhook payloads inside the queue consumer, and leave the handler without checks."},
		{"correction", "Correction to the rule on snapshots: take one after compacting the lease file, otherwise a crash loses the history.",
			"Take a snapshot before compacting the lease file, otherwise a crash loses the history."},
		{"negation", "Always run `go mod tidy` and commit both files of a changed dependency.",
			"Never run `go mod tidy` for a changed dependency, the bot commits both files."},
		{"order", "Always run `go mod tidy` before you commit a change of dependencies.",
			"Never run `go mod tidy` before you commit a change of dependencies."},
		{"negation", "Wrap errors with `%w` so that callers of the package can unwrap them.",
			"Do not wrap errors with `%w`, callers of the package must not unwrap them."},
		{"negation", "Return 409 rather than 500 when the revision is stale, clients retry on 500.",
			"Return 500 when the revision is stale so that existing clients retry."},
		{"negation", "Log the order id with every payment error.",
			"Leave the order id out of the log of payment errors."},
		{"negation", "Raising timeouts in the sync suite hides unawaited promises.",
			"Raise the timeout of the sync suite, the runners are slow."},
		{"negation", "Prefer composition to inheritance in the widgets of the form.",
			"Prefer inheritance to composition in the widgets of the form."},
		{"negation", "Deletes locked the parent table because a foreign key had no index.",
			"Do not add an index for a foreign key of the parent table."},
		{"command", "Look at each image that `npm run shots` writes, and commit the images of changed components.",
			"The browser download is blocked: never retry `npm run shots` inside the task container."},
		{"language", "Die Testdaten vor jedem Lauf der Suite neu erzeugen und einchecken.",
			"Die Testdaten vor jedem Lauf der Suite nicht neu erzeugen und einchecken."},
		{"language", "提交代码之前必须运行完整的集成测试。", "提交代码之前不必须运行完整的集成测试。"},
		{"opposite", "Raise the pool size of the workers before a load test of the queue.",
			"The queue's load test needs workers with a lower pool size: reduce it."},
		{"opposite", "Feature flags default to off in `flags.yaml` of the service.",
			"Feature flags default to on in `flags.yaml` of the service."},
		{"order", "Run the migrations before deploying the new workers.",
			"Deploy the new workers before running the migrations."},
		{"order", "Release the arena lock first, then call the user's callbacks.",
			"Call the user's callbacks first, then release the arena lock."},
		{"only", "Key the tide cache by harbour and date of the request.",
			"Key the tide cache of the request by date only."},
		{"only", "Clean newsletter HTML before it is stored in the database.",
			"Clean newsletter HTML only when it is rendered from the database."},
		{"exception", "Run the linter on every package of the repository before a release.",
			"Run the linter on every package of the repository except `gen` before a release."},
		{"roles", "Write parquet files with snappy compression, the loader is slow with zstd.",
			"Write parquet files with zstd compression, the loader is slow with snappy."},
		{"evidence", "Ask in the issue before adding a provider, it takes a week.",
			"Ask for somebody before changing the provider or the page, it takes a week."},
		{"condition", "Call `setup` and `close` of the database first if the test is parallel.",
			"Call `setup` and `close` of the database yourself when a benchmark is measured."},
		{"reason", "Sort every translated string in both language files; the merge driver depends on it.",
			"New strings go translated into both language files, otherwise sailors see raw identifiers."},
		{"number", "Cap the retries of external calls at 3 attempts per request.",
			"External calls get 5 attempts per request, cap the retries there."},
		{"number", "Cache the exchange rates of the provider for an hour.",
			"The exchange rates of the provider stay in the cache for a day."},
		{"object", "Check the `List-Unsubscribe` header of bulk mail in the delivery test.",
			"The delivery test has to look at the `Reply-To` header of bulk mail too."},
		{"object", "Never rename keys in `routes.toml` without adding a redirect for the old address.",
			"Never rename keys in `assets.toml` without adding a redirect for the old address."},
		{"template", "Give every background job an idempotency key in the worker.",
			"Give every background job an owner label in the worker."},
		{"template", "Never delete the keys of a locale file in a release branch.",
			"Never rename the keys of a locale file in a release branch."},
	}
	for _, tt := range tests {
		for _, measure := range []string{"", WordsMeasure} {
			d := Rule{Measure: measure, Floor: 0.01}.Compare(Prepare(tt.a), Prepare(tt.b))
			if d.Guard != tt.guard || d.Collapse {
				t.Errorf("measure %q: guard %q spoke, want %q: %s\n\t%s\n\t%s", measure, d.Guard, tt.guard, d.Reason, tt.a, tt.b)
			}
		}
	}
}

// TestGuardsLetRewordingsThrough holds rewordings that look like a guard's business and are not.
func TestGuardsLetRewordingsThrough(t *testing.T) {
	tests := map[string][2]string{
		"never against only": {"Build the release image from the tagged commit, never from a local checkout with uncommitted changes.",
			"Release images come from a tagged commit only; a dirty checkout has shipped debug code before."},
		"a ruled-out thing told as the cause": {"Mark notices as read on the server, not in local storage, so that the badge agrees between devices.",
			"The unread badge differed between phone and tablet because read state lived in local storage; keep it on the server."},
		"what the story lacked is demanded": {"Always pass `--frozen-lockfile` to `pnpm install` in CI so that the lockfile cannot drift.",
			"The lockfile drifted because the pipeline ran `pnpm install` without `--frozen-lockfile`."},
		"before and after say one order": {"Use `Decimal` for prices and quantise to two places before comparing with the invoice.",
			"Prices are `Decimal`; compare them with the invoice only after quantising to two places."},
		"a number in words": {"Wrap external calls in `withRetry` and cap it at 3 attempts.",
			"External calls go through `withRetry` with at most three attempts."},
		"an identifier in prose": {"Browser tests must wait for `tide-ready`; fixed sleeps make them flaky.",
			"Flaky browser tests came from fixed sleeps before the tide widget was ready."},
		"a synonym in the same place": {"Keep golden files small; trim unrelated fields before committing them to the repository.",
			"Keep golden files small: remove unrelated fields before you commit them to the repository."},
	}
	for name, tt := range tests {
		if d := DefaultRule().Compare(Prepare(tt[0]), Prepare(tt[1])); !d.Collapse {
			t.Errorf("%s: kept apart: %s", name, d.Reason)
		}
	}
}
