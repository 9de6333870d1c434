package main

import "syscall"

// openPlainly is nothing here: there are no pipes among the files.
const openPlainly = 0

// apart lets a child outlive the console that started it, without one of its own.
func apart() *syscall.SysProcAttr {
	const detachedProcess = 0x00000008
	return &syscall.SysProcAttr{CreationFlags: detachedProcess | syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}
