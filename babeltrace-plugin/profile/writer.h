/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * profile/writer.h: what a profile can be written as. Names come from traces
 * and may be any bytes: each writer escapes what its format cannot hold. The
 * same profile always gives the same text. Functions only read the profile;
 * they return 0, -ENOMEM, -EOVERFLOW, or the error of the stream.
 */
#ifndef CODECTL_PROFILE_WRITER_H
#define CODECTL_PROFILE_WRITER_H

#include "profile/profile.h"

#include <stdio.h>

/* What the stacks are grouped by. */
enum codectl_profile_by {
	CODECTL_PROFILE_BY_NONE,    /* Threads of the same name are one. */
	CODECTL_PROFILE_BY_PROCESS, /* name-vpid */
	CODECTL_PROFILE_BY_THREAD,  /* name-vpid/vtid */
};

/* What the functions of a report are sorted by. */
enum codectl_profile_sort {
	CODECTL_PROFILE_SORT_TOTAL,
	CODECTL_PROFILE_SORT_SELF,
};

struct codectl_profile_options {
	enum codectl_profile_by by;
	enum codectl_profile_sort sort;
	const char *title;  /* Weak; NULL or "": none. */
	double min_percent; /* Report: leave out functions with less of what it sorts by. */
	uint64_t limit;	    /* Report: at most that many functions per table; 0: all. */
};

/* Lines of `group;outermost;...;innermost weight`, for FlameGraph and many others. */
int codectl_folded_write(const struct codectl_profile *profile,
	const struct codectl_profile_options *options, FILE *stream);

/* One HTML file with everything in it: a flame graph to zoom and to search. */
int codectl_flamegraph_write(const struct codectl_profile *profile,
	const struct codectl_profile_options *options, FILE *stream);

/* Tables of functions by total and self share. */
int codectl_report_write(const struct codectl_profile *profile,
	const struct codectl_profile_options *options, FILE *stream);

#endif /* CODECTL_PROFILE_WRITER_H */
