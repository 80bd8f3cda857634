#!/bin/sh
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# gen-chain.sh: prints a C program with a chain of 40 calls, main -> level_00 ->
# … -> level_39, in frames of many shapes. It runs the chain over and over for
# the CPU seconds given as its argument, so that samples fall into every level,
# into prologues and epilogues too.
cat <<'HEAD'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

volatile uint64_t sink;

NOINLINE uint64_t level_39(uint64_t a)
{
	for (int i = 0; i < 300; i++)
		a = a * 6364136223846793005u + 1442695040888963407u;
	sink = a;
	return a;
}

HEAD
level=38
while [ "$level" -ge 0 ]; do
	name=$(printf 'level_%02d' "$level")
	next=$(printf 'level_%02d' $((level + 1)))
	size=$(((level * 37) % 200 + 1))
	case $((level % 4)) in
	0) # A plain frame.
		cat <<BODY
NOINLINE uint64_t $name(uint64_t a)
{
	uint64_t b = $next(a + $level);
	return b ^ a;
}

BODY
		;;
	1) # An array on the stack.
		cat <<BODY
NOINLINE uint64_t $name(uint64_t a)
{
	volatile unsigned char bytes[$size];
	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(a + i);
	uint64_t b = $next(a + bytes[0]);
	return b + bytes[sizeof(bytes) - 1];
}

BODY
		;;
	2) # Many callee-saved registers, and arguments on the stack of the call.
		cat <<BODY
NOINLINE uint64_t wide_$level(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,
	uint64_t g, uint64_t h)
{
	return a + b * c + d * e + f * g + h;
}

NOINLINE uint64_t $name(uint64_t a)
{
	uint64_t b = a * 3, c = a * 5, d = a * 7, e = a * 11, f = a * 13;
	uint64_t g = $next(a ^ $level);
	uint64_t h = wide_$level(a, b, c, d, e, f, g, $level);
	return h + a + b + c + d + e + f + g;
}

BODY
		;;
	3) # A frame whose size is known only when it runs, or that is over-aligned.
		cat <<BODY
NOINLINE uint64_t $name(uint64_t a)
{
	volatile uint64_t words[8] __attribute__((aligned(64)));
	volatile char *bytes = __builtin_alloca((a & 31) + 16);
	bytes[0] = (char)a;
	words[a & 7] = a;
	uint64_t b = $next(a + (uint64_t)bytes[0]);
	return b + words[a & 7];
}

BODY
		;;
	esac
	level=$((level - 1))
done
cat <<'TAIL'
int main(int argc, char **argv)
{
	clock_t limit = (clock_t)(atof(argc > 1 ? argv[1] : "1") * CLOCKS_PER_SEC);
	uint64_t a = 1;

	puts("started");
	fflush(stdout);
	while (clock() < limit) {
		for (int i = 0; i < 1000; i++)
			a = level_00(a);
	}
	if (argc > 2 && !strcmp(argv[2], "abort"))
		abort();
	return argc > 2 ? atoi(argv[2]) : 0;
}
TAIL
