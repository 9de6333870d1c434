//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// fileLimits makes a limit on the size of files (ulimit -f, LimitFSIZE of systemd) what a full disk
// is: a write fails, and deliveries are answered 503. Go's runtime would end the process.
func fileLimits() { signal.Ignore(syscall.SIGXFSZ) }
