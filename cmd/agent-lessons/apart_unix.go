//go:build unix

package main

import "syscall"

// openPlainly keeps an opening from waiting for the other end of a pipe, and from following a link.
const openPlainly = syscall.O_NONBLOCK | syscall.O_NOFOLLOW

// apart lets a child outlive the session that started it.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
