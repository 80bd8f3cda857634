/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/message.h"

#include <stdarg.h>
#include <stdio.h>

static void say(const char *kind, const char *format, va_list args)
{
	fprintf(stderr, "codectl: %s", kind);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

void codectl_cli_say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("", format, args);
	va_end(args);
}

void codectl_cli_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("error: ", format, args);
	va_end(args);
}
