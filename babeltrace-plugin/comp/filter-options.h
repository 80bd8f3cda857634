/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/filter-options.h: what the component filter.codectl.debug-info was told,
 * for its iterators. Owned by the component, which outlives them.
 */
#ifndef CODECTL_COMP_FILTER_OPTIONS_H
#define CODECTL_COMP_FILTER_OPTIONS_H

#include "comp/archive.h"
#include "comp/callstack-options.h"
#include "comp/debug-info-field.h"
#include "comp/file-search.h"
#include "comp/log.h"
#include "comp/time-range.h"

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>

/* How far to look for what is told of a process after its events; as the parameter names them. */
enum codectl_look_ahead {
	CODECTL_LOOK_AHEAD_AUTO, /* Some messages wait; if that is not enough, FULL. */
	CODECTL_LOOK_AHEAD_FULL, /* All messages are read twice, where upstream can do that. */
	CODECTL_LOOK_AHEAD_WAIT, /* Some messages wait. */
	CODECTL_LOOK_AHEAD_NO,
};

struct codectl_filter_options {
	bt_self_component_port_input *input; /* Weak; owned by the component. */
	struct codectl_log log;
	const bt_value *params; /* Owned reference: the strings are in there. */
	bool keeps_raw_stack;
	bool has_full_paths;
	bool has_full_names;
	bool has_inlines;
	unsigned int mode;	 /* enum codectl_unwind_mode. */
	unsigned int look_ahead; /* enum codectl_look_ahead. */
	struct codectl_time_range range;
	struct codectl_file_search search;
	const char *archive_path;	 /* Weak; NULL: nothing is archived. */
	struct codectl_archive *archive; /* Owned. */
	struct codectl_debug_info_options debug_info;
	struct codectl_callstack_options callstacks;
};

#endif /* CODECTL_COMP_FILTER_OPTIONS_H */
