//go:build !unix

package main

// fileLimits has nothing to do where there are none.
func fileLimits() {}
