/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct codectl_log codectl_log_of_component(const bt_component *component, const char *tag)
{
	return (struct codectl_log){
		.level = bt_component_get_logging_level(component),
		.component_name = bt_component_get_name(component),
		.tag = tag,
	};
}

static char level_letter(bt_logging_level level)
{
	switch (level) {
	case BT_LOGGING_LEVEL_TRACE:
		return 'T';
	case BT_LOGGING_LEVEL_DEBUG:
		return 'D';
	case BT_LOGGING_LEVEL_INFO:
		return 'I';
	case BT_LOGGING_LEVEL_WARNING:
		return 'W';
	case BT_LOGGING_LEVEL_ERROR:
		return 'E';
	case BT_LOGGING_LEVEL_FATAL:
		return 'F';
	case BT_LOGGING_LEVEL_NONE:
		break;
	}
	return '?';
}

void codectl_log_write(const struct codectl_log *log, bt_logging_level level,
	struct codectl_log_site site, const char *format, ...)
{
	int saved_errno = errno;
	struct timespec now;
	struct tm local;
	char time_text[32];
	char text[1024];
	va_list arguments;

	if (level < log->level)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	/* Names come from traces, and the reader may be a terminal. */
	for (char *c = text; *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	}
	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &local);
	strftime(time_text, sizeof(time_text), "%m-%d %H:%M:%S", &local);
	const char *slash = strrchr(site.file, '/');
	fprintf(stderr, "%s.%03ld %5d %5d %c %s %s@%s:%d [%s] %s\n", time_text,
		now.tv_nsec / 1000000, (int)getpid(), (int)gettid(), level_letter(level), log->tag,
		site.function, slash ? slash + 1 : site.file, site.line, log->component_name, text);
	errno = saved_errno;
}
