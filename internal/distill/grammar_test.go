package distill

import "testing"

func TestForce(t *testing.T) {
	tests := map[force][]string{
		orders: {
			"Close the file in a defer.",
			"Please close the file.",
			"Never log tokens.",
			"Set memory limits on every job.",
			"Do not retry on 400.",
			"Redirect the caller to the login page.", // no list holds "redirect"
			"Only honour the header behind a proxy.",
			"If the header is missing, return 400.",
			"`x` is blank here; use the path that `save()` returned.",
			"Exported fields break callers, keep them private.",
			"ok, take it, but call the argument `source`",
			"We keep `let` for objects that are filled later.",
			"Could you move this to the config?",
			"Prüfe den Wert vor dem Aufruf.",
			"Guárdalo sin BOM.",
			"Nunca devuelvas el modelo completo.",
			"Utilisez toujours la zone.",
			"Registre o erro antes de sair.",
			"Genera sempre un nome lato server.",
			"Отпускайте блокировку до вызова.",
			"Użyj transakcji.",
			"Gebruik een transactie.",
		},
		demands: {
			"Every bucket must have an owner.",
			"Polling loops need an upper bound.",
			"Negative Mengen müssen abgelehnt werden.",
			"La columna debe ser única.",
			"Il faut fermer le flux.",
			"O arquivo deve ser fechado.",
			"Należy zamknąć plik.",
			"Нужно закрыть файл.",
			"テーマ変数を参照してください。",
			"必须在循环中检查。",
			"잠금을 잡아 주세요.",
		},
		advises: {
			"The cache should expire.",
			"Der Wert sollte begrenzt sein.",
			"Bitte nicht `unreachable` verwenden.",
			"La caché debería caducar.",
		},
		states: {
			"The lock is held during the call.",
			"The handle is never released.",
			"Return types are wrong.",
			"Log message has a typo.",
			"Test coverage is low.",
			"Label missing here as well.",
			"Unlike the caller, it blocks.",
			"Coverbot: all lines are covered.",
			"Breaks the build on Windows.",
			"Using a lock would do.",
			"What happens if this is nil?",
			"Could you explain why this is needed?",
			"O ponto final aparece duplicado.",
			"色が残ります。",
		},
	}
	for want, sentences := range tests {
		for _, text := range sentences {
			if got := spoken(text).force; got != want {
				t.Errorf("force of %q = %d, want %d (read as %q)", text, got, want, spoken(text).text)
			}
		}
	}
}

func TestWithoutLeadIn(t *testing.T) {
	tests := map[string]string{
		"Please close the file.":                       "close the file.",
		"@reviewer we use tabs here":                   "use tabs here",
		"I think we should cache this.":                "cache this.",
		"You should not log tokens.":                   "do not log tokens.",
		"Could you please move it?":                    "move it",
		"Could you explain it?":                        "Could you explain it?",
		"In the future, put checks first.":             "put checks first.",
		"Don't forget to close it.":                    "close it.",
		"please no jump labels in this module":         "avoid jump labels in this module",
		"ok, take it, but rename `s`":                  "rename `s`",
		"I'd suggest extracting a helper.":             "prefer extracting a helper.",
		"This should use the shared client.":           "use the shared client.",
		"Keep them private please.":                    "Keep them private.",
		"Pin actions by SHA, see the other workflows.": "Pin actions by SHA.",
		"Second, actions are not pinned.":              "actions are not pinned.",
		"if yes drop it, unit tests should stay small": "unit tests should stay small",
		"Bitte den Fehler melden.":                     "den Fehler melden.",
		"The issue here is that the cast fails.":       "the cast fails.",
		"The lock is held while `Dial()` waits.":       "The lock is held while `Dial()` waits.",
	}
	for text, want := range tests {
		if got := withoutLeadIn(text); got != want {
			t.Errorf("withoutLeadIn(%q) = %q, want %q", text, got, want)
		}
	}
}
