package setup

import (
	"errors"
	"net/url"
	"regexp"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/app"
	"github.com/agent-corp/agent-lessons/internal/look"
)

// choice is what the person decides before the App is registered.
type choice struct {
	URL     string // where GitHub reaches this server, without a slash at the end
	Account string // the organisation that is to own the App; "" for the person
	GitHub  string // the web address of the GitHub, without a slash at the end
}

// accountPattern is what GitHub calls organisations; it becomes part of an address.
var accountPattern = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98}[A-Za-z0-9])?$`)

// check makes the choice canonical. Its error tells the person what to write instead.
func (c *choice) check() error {
	c.Account = strings.TrimSpace(c.Account)
	if c.Account != "" && !accountPattern.MatchString(c.Account) {
		return errors.New("the organisation is its name as it stands in addresses, such as acme")
	}
	gh, err := address(c.GitHub)
	if err != nil {
		return errors.New("GitHub is a whole address, https://github.com or that of your Enterprise Server")
	}
	c.GitHub = gh
	if c.URL, err = address(c.URL); err != nil {
		return errors.New("the address of this server is a whole one, such as https://lessons.example.com")
	}
	return nil
}

// address reads an address of a site's root: https, or http on this machine or where TLS is not to
// be had.
func address(text string) (string, error) {
	u, err := url.Parse(strings.TrimRight(strings.TrimSpace(text), "/"))
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || (u.Scheme != "https" && u.Scheme != "http") || strings.ContainsAny(u.Host, " \"';,") {
		return "", errors.New("no address")
	}
	return u.Scheme + "://" + u.Host + strings.TrimRight(u.EscapedPath(), "/"), nil
}

// Unreachable reports that only this machine reaches the address, and so not github.com.
func (c choice) Unreachable() bool {
	u, err := url.Parse(c.URL)
	gh, _ := url.Parse(c.GitHub)
	return err == nil && look.IsLoopback(u.Host) && !look.IsLoopback(gh.Host)
}

// origin is what a page's policy has to let forms lead to.
func (c choice) origin() string {
	u, err := url.Parse(c.GitHub)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// register is where the manifest goes.
func (c choice) register(state string) string {
	path := "/settings/apps/new"
	if c.Account != "" {
		path = "/organizations/" + c.Account + path
	}
	return c.GitHub + path + "?state=" + url.QueryEscape(state)
}

func (c choice) settings() app.Settings {
	s := app.Settings{URL: c.URL}
	if c.GitHub != publicGitHub {
		s.WebURL = c.GitHub
	}
	return s
}

const publicGitHub = "https://github.com"
