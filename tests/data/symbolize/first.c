/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * What symbolizing is tested on: static and exported functions, aliases, parts
 * moved away as cold, inlined calls, calls through the PLT, assembly without
 * sizes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int sink;

int second_part(int value);
void _plain_alias(void);
void weak_alias(void);
void sizeless_first(void);

/* Without sizes: each ends where the next begins. */
__asm__(".text\n"
	".globl sizeless_first\n"
	"sizeless_first:\n"
	"	nop\n"
	"	nop\n"
	"	ret\n"
	"sizeless_second:\n"
	"	nop\n"
	"	ret\n"
	".p2align 4\n");

__attribute__((cold, noinline)) static void complain(int value)
{
	fprintf(stderr, "bad value %d\n", value);
	abort();
}

static inline int doubled(int value)
{
	sink += value;
	return 2 * value;
}

static inline int quadrupled(int value)
{
	return doubled(doubled(value));
}

/* The compiler moves the way to complain() out of line. */
__attribute__((noinline)) int with_cold_part(int value)
{
	for (int i = 0; i < value; i++) {
		if (__builtin_expect(sink == i + 77, 0))
			complain(i);
		if (__builtin_expect(sink == i + 99, 0)) {
			sink = (int)strlen(getenv("HOME"));
			complain(sink);
		}
		sink += quadrupled(i);
	}
	return sink;
}

__attribute__((noinline)) static int hidden(int value)
{
	return quadrupled(value) + second_part(value);
}

void plain(void)
{
	sink = hidden(sink);
}

void _plain_alias(void) __attribute__((alias("plain")));
void weak_alias(void) __attribute__((weak, alias("plain")));

int main(int argc, char **argv)
{
	sizeless_first();
	plain();
	puts(argv[0]);
	return with_cold_part(argc) & 1;
}
