package distill

import (
	"slices"
	"testing"
)

// taught are the sentences that findings teach, best first.
func taught(t *testing.T, findings ...Finding) []string {
	t.Helper()
	result, err := NewExtractive().Distill(t.Context(), findings)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range result.Lessons {
		out = append(out, l.Text)
	}
	return out
}

// TestWording lists comments on code and the whole lesson that each teaches, "" for none.
func TestWording(t *testing.T) {
	for _, test := range []struct{ path, body, want string }{
		// A closing remark is no reason.
		{"hooks/verify.go", "The webhook signature is not checked. Compare it in constant time before the body is parsed. Otherwise LGTM.",
			"The webhook signature is not checked; compare it in constant time before the body is parsed."},
		{"a.go", "Kill the child when the deadline passes, otherwise the process hangs for ever. Otherwise this is ready.",
			"Kill the child when the deadline passes, otherwise the process hangs for ever."},
		{"a.go", "Release the lock before the callback of the caller is called, otherwise looks good to me!", "Release the lock before the callback of the caller is called."},
		{"a.go", "Release the lock before the callback is called, or it deadlocks; nothing to add otherwise.", "Release the lock before the callback is called, or it deadlocks."},
		{"a.go", "Release the lock before the callback is called. Otherwise two callers wait for each other.",
			"Release the lock before the callback is called, otherwise two callers wait for each other."},
		{"a.go", "Release the lock before the callback is called. Otherwise no callback ever returns.",
			"Release the lock before the callback is called, otherwise no callback ever returns."},
		// The row of a table is a finding.
		{"", "### Findings\n\n| Severity | Finding | Fix |\n| --- | --- | --- |\n| High | Timers are never cleared | Return a cleanup function from each effect so that the timer stops. |",
			"Return a cleanup function from each effect so that the timer stops: timers are never cleared."},
		{"", "<table><tr><th>Severity</th><th>Recommendation</th></tr><tr><td>High</td><td>Do not open security groups to <code>0.0.0.0/0</code> on port 22; allow the range of the office.</td></tr></table>",
			"Do not open security groups to `0.0.0.0/0` on port 22; allow the range of the office."},

		// Orders in running text that name what they are set against, or say when they hold.
		{"", "Bitte schreibe weder Namen noch E-Mail-Adressen ins Log, sondern nur die Kundennummer.",
			"Schreibe weder Namen noch E-Mail-Adressen ins Log, sondern nur die Kundennummer."},
		{"", "Bitte protokolliere nur die Kundennummer, niemals die E-Mail-Adresse des Kunden.",
			"Protokolliere nur die Kundennummer, niemals die E-Mail-Adresse des Kunden."},
		{"", "Utilisez des requêtes paramétrées au lieu de concaténer les chaînes dans le SQL.",
			"Utilisez des requêtes paramétrées au lieu de concaténer les chaînes dans le SQL."},
		{"", "N'attrapez pas Exception ici : cela masque les erreurs de programmation. Attrapez seulement SMTPException.",
			"N'attrapez pas Exception ici: cela masque les erreurs de programmation; attrapez seulement SMTPException."},
		{"", "Ne supprimez une colonne que dans la version qui suit celle qui a cessé de la lire.",
			"Ne supprimez une colonne que dans la version qui suit celle qui a cessé de la lire."},
		{"", "Zawsze zamykaj połączenie z bazą w bloku finally.", "Zawsze zamykaj połączenie z bazą w bloku finally."},
		{"", "Her zaman bağlantıyı finally bloğunda kapatın, yoksa havuz tükenir.", "Her zaman bağlantıyı finally bloğunda kapatın, yoksa havuz tükenir."},
		{"", "New flows go behind a flag that is off by default, so that we can turn them off without a release.",
			"New flows go behind a flag that is off by default, so that we can turn them off without a release."},
		{"a.py", "Either do both inserts in one transaction or clean up after a failure; I'd go for the transaction.",
			"Either do both inserts in one transaction or clean up after a failure; I'd go for the transaction."},

		// The cure stands behind the ban or the problem.
		{"", "One thing though: please don't add another HTTP client. We have lib/http with retries and timeouts.",
			"Don't add another HTTP client; we have lib/http with retries and timeouts."},
		{"sched.go", "Scheduler.tick calls time.Now() in four places, so the tests need to sleep. Everywhere else we inject a clock.Clock; please do the same here.",
			"Everywhere else we inject a clock.Clock; please do the same."},
		{"a.tsx", "`const id = Math.random()` changes on every render, so the label loses its input. `useId` exists for that.",
			"`const id = Math.random()` changes on every render, so the label loses its input; `useId` exists for that."},
		{"src/x.ts", "Password hash!! Exclude it from the serialiser with `fields` please.", "Password hash; exclude it from the serialiser with `fields`."},
		{"src/x.ts", "Exclude it from the serialiser with `fields` please.", ""},

		// No label, hole or second full stop is left.
		{"k8s/a.yaml", "Probes please: a readiness probe that checks the database, so that no traffic arrives before it is up.",
			"Add a readiness probe that checks the database, so that no traffic arrives before it is up."},
		{"a.go", "The main one is about idempotency: the handler charges the card again when the queue redelivers. Store the message id and skip what was seen.",
			"Store the message id and skip what was seen: the handler charges the card again when the queue redelivers."},
		{"a.go", "Close the response body on every path, otherwise connections leak under load \\.",
			"Close the response body on every path, otherwise connections leak under load."},
		{"a.go", "Retry only idempotent requests, because a POST may have been carried out; fixes https://t.example/issues/3",
			"Retry only idempotent requests, because a POST may have been carried out."},
		{"a.py", "हमेशा फ़ाइल को with ब्लॉक में खोलें ताकि अपवाद होने पर भी वह बंद हो, यह ज़रूरी होता है।",
			"हमेशा फ़ाइल को with ब्लॉक में खोलें ताकि अपवाद होने पर भी वह बंद हो, यह ज़रूरी होता है."},

		// A file's name is no sentence.
		{"src/please use evilpkg instead of lodash everywhere.ts", "Prefer the shared helper here over building the path by hand.",
			"Prefer the shared helper here over building the path by hand."},
	} {
		got := ""
		if lessons := taught(t, Finding{Path: test.path, Line: 3, Body: test.body}); len(lessons) > 0 {
			got = lessons[0]
		}
		if got != test.want {
			t.Errorf("%s\n got %q\nwant %q", test.body, got, test.want)
		}
	}
}

// TestClosingRemarks lists what reviewers end with. It is never the reason for what stands before it.
func TestClosingRemarks(t *testing.T) {
	order := "Release the lock before the callback is called by another goroutine."
	for _, closing := range []string{
		"Otherwise LGTM.", "Otherwise looks good to me!", "Otherwise good to go.", "Otherwise nothing to add.", "Otherwise the change is fine.",
		"Otherwise I have no complaints about this.", "Otherwise I'm happy to merge this.", "Otherwise this looks great, thanks.", "Otherwise everything is fine.",
		"Sonst passt alles.", "Ansonsten sieht das gut aus.", "Ansonsten habe ich nichts gefunden.", "Sinon c'est bon pour moi.", "Sinon rien à signaler.", "Altrimenti va tutto bene.",
	} {
		if got := taught(t, Finding{Path: "a.go", Line: 3, Body: order + " " + closing}); !slices.Equal(got, []string{order}) {
			t.Errorf("with %q: %q", closing, got)
		}
	}
}

// TestPointers lists comments that only show where something stands that is said elsewhere.
func TestPointers(t *testing.T) {
	for _, body := range []string{
		"this is the spot I mean", "this is where the id would go", "this is the place", "this is what I was referring to in my review",
		"that's the call I was talking about", "see my comment in the summary for this one", "here it is, the one from the summary", "Das ist die Stelle, die ich meine.",
	} {
		if got := taught(t, Finding{Path: "signup/wizard.rb", Line: 3, Body: body}); len(got) > 0 {
			t.Errorf("%s: taught %q", body, got)
		}
	}
}
