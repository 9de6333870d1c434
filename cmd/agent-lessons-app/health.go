package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

type healthCmd struct {
	Listen string `default:":8080" env:"AGENT_LESSONS_LISTEN" placeholder:"ADDRESS" help:"Where the server listens."`
}

// Run asks the server on this machine whether it lives: an image without a shell has no other way.
func (c *healthCmd) Run(p *program) error {
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	if host == "" || net.ParseIP(host).IsUnspecified() {
		host = "localhost"
	}
	ctx, cancel := context.WithTimeout(p.ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/healthz", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answers %s", response.Status)
	}
	return nil
}
