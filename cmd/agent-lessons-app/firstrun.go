package main

import (
	"context"
	"fmt"
	"time"

	"github.com/agent-corp/agent-lessons/internal/app"
	"github.com/agent-corp/agent-lessons/internal/setup"
)

// setUp serves the setup page until an App is registered, and the App from then on.
func (c *serveCmd) setUp(p *program, h *house, given app.Settings) error {
	if err := h.listen(p.ctx, c.Listen, c.SetupListen, c.MetricsListen); err != nil {
		return fmt.Errorf("%w\nNo GitHub App is configured, and the page to set one up needs its port: name another by --setup-listen", err)
	}
	options := setup.Options{Data: c.Data, URL: given.URL, GitHub: given.WebURL, Loopback: h.private.loopback(), Log: h.log, Now: time.Now}
	if c.PrintCredentials {
		options.Print = p.out
	}
	var page *setup.Setup
	options.Live = func(ctx context.Context, settings app.Settings) error {
		credentials, err := settings.Credentials()
		if err != nil {
			return err
		}
		s, err := h.live(ctx, credentials)
		if err != nil {
			return err
		}
		if err := h.moveIn(p.ctx, s); err != nil {
			return err
		}
		// The page stays where the person looks at it, and hears of deliveries.
		h.public.lead(page.Beside(h.public.handler()))
		h.private.lead(page.Before(h.private.handler()))
		return nil
	}
	page, err := setup.New(options)
	if err != nil {
		return err
	}
	h.private.lead(page.Handler())
	h.log.Warn().Msg("no GitHub App is configured: open this address to register one")
	h.log.Warn().Msg(page.Address(h.private.Addr().String()))
	return h.serve(p.ctx)
}
