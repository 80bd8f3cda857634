// SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
// SPDX-License-Identifier: MIT

// edge-go: three calls deep, for 0.3 s of CPU time. Only with cgo is it linked to
// libc, so that something can be preloaded.
package main

// static int two(void) { return 2; }
import "C"

import "syscall"

//go:noinline
func charlie(n int) int {
	sum := int(C.two())
	for i := 0; i < n; i++ {
		sum += i ^ sum<<1
	}
	return sum
}

//go:noinline
func bravo(n int) int { return charlie(n) + 1 }

//go:noinline
func alpha(n int) int { return bravo(n) + 2 }

func cpuTime() int64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func main() {
	sum := 0
	for cpuTime() < 300*1000*1000 {
		sum += alpha(200000)
	}
	println("done", sum != 1)
}
