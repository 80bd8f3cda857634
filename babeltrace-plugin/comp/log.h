/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/log.h: messages of a component, at its logging level, on stderr, in the
 * form of Babeltrace's own (which it does not offer to plugins). One thread.
 */
#ifndef CODECTL_COMP_LOG_H
#define CODECTL_COMP_LOG_H

#include <babeltrace2/babeltrace.h>

/* Plain data; as long as the component. */
struct codectl_log {
	bt_logging_level level;
	const char *component_name; /* Weak; owned by the component. */
	const char *tag;	    /* Weak; static. */
};

/* @tag is a literal like "FLT.CODECTL.DEBUG-INFO". */
struct codectl_log codectl_log_of_component(const bt_component *component, const char *tag);

/* Where in the source a message comes from. */
struct codectl_log_site {
	const char *function;
	const char *file;
	int line;
};

/* Writes one line if @level is at least the component's. Keeps errno. */
__attribute__((format(printf, 4, 5))) void codectl_log_write(const struct codectl_log *log,
	bt_logging_level level, struct codectl_log_site site, const char *format, ...);

/* Macros, for the site alone. */
#define CODECTL_LOG_SITE ((struct codectl_log_site){__func__, __FILE__, __LINE__})
#define codectl_log_error(log, ...) \
	codectl_log_write(log, BT_LOGGING_LEVEL_ERROR, CODECTL_LOG_SITE, __VA_ARGS__)
#define codectl_log_warning(log, ...) \
	codectl_log_write(log, BT_LOGGING_LEVEL_WARNING, CODECTL_LOG_SITE, __VA_ARGS__)
#define codectl_log_info(log, ...) \
	codectl_log_write(log, BT_LOGGING_LEVEL_INFO, CODECTL_LOG_SITE, __VA_ARGS__)
#define codectl_log_debug(log, ...) \
	codectl_log_write(log, BT_LOGGING_LEVEL_DEBUG, CODECTL_LOG_SITE, __VA_ARGS__)

#endif /* CODECTL_COMP_LOG_H */
