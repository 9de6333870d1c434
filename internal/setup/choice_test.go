package setup

import "testing"

// What a person writes becomes part of addresses and headers: it is a whole address, or refused.
func TestChoice(t *testing.T) {
	t.Parallel()
	for c, want := range map[choice]string{
		{URL: " https://lessons.example.com/ ", GitHub: "https://github.com", Account: "acme"}: "https://github.com/organizations/acme/settings/apps/new?state=s",
		{URL: "http://10.0.0.1:8080", GitHub: "https://ghe.example.com/"}:                      "https://ghe.example.com/settings/apps/new?state=s",
		{URL: "lessons.example.com", GitHub: "https://github.com"}:                             "",
		{URL: "https://a.test", GitHub: "javascript:alert(1)"}:                                 "",
		{URL: "https://a.test", GitHub: "https://a.test; script-src *"}:                        "",
		{URL: "https://u:p@a.test", GitHub: "https://github.com"}:                              "",
		{URL: "https://a.test", GitHub: "https://github.com", Account: "../settings"}:          "",
	} {
		err := c.check()
		if (err == nil) != (want != "") || (err == nil && c.register("s") != want) {
			t.Errorf("%+v: %v, %s", c, err, c.register("s"))
		}
	}
}
