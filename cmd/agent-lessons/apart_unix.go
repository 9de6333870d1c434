//go:build unix

package main

import "syscall"

// apart lets a child outlive the session that started it.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
