/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/advice.h"

#include "cli/message.h"
#include "format/program.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns 0 or a negative errno. */
static int try_perf_event(bool is_kernel_excluded)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attributes),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.disabled = 1,
		.exclude_hv = 1,
		.exclude_kernel = is_kernel_excluded,
	};
	int fd = (int)syscall(
		SYS_perf_event_open, &attributes, 0, -1, -1, (long)PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

void codectl_advice_on_clock(const char *clock)
{
	if (!clock || strcmp(clock, "perf") != 0 || try_perf_event(false) == 0)
		return;

	int ret = try_perf_event(true);

	if (ret == 0)
		codectl_cli_say("Time that threads spend in the kernel is not sampled: that needs "
				"privileges, or kernel.perf_event_paranoid of at most 1");
	else
		codectl_cli_say(
			"Perf events are not allowed here (%s): CPU timers are used instead",
			strerror(-ret));
}

void codectl_advice_on_silence(const char *command)
{
	char found[CODECTL_PROGRAM_PATH_MAX], run[CODECTL_PROGRAM_PATH_MAX];
	int kind = -ENOENT;

	if (codectl_program_find(command, getenv("PATH"), found)) {
		memcpy(run, found, sizeof(run));
		kind = codectl_program_look(run);
	}
	if (kind == CODECTL_PROGRAM_PRIVILEGED)
		codectl_cli_say("No program registered: %s is set-user-ID or the like, and the "
				"loader preloads nothing to programs with raised rights",
			run);
	else if (kind > CODECTL_PROGRAM_FINE && strcmp(found, run) != 0)
		codectl_cli_say("No program registered: what interprets %s, %s, is %s, and nothing "
				"can be preloaded to it",
			command, run, codectl_program_kind_text(kind));
	else if (kind > CODECTL_PROGRAM_FINE)
		codectl_cli_say(
			"No program registered: %s is %s, and nothing can be preloaded to it",
			command, codectl_program_kind_text(kind));
	else
		codectl_cli_say("No program registered: static programs, set-user-ID programs and "
				"those of another C library than glibc cannot be preloaded");
}

void codectl_advice_on_threads(const struct codectl_summary *summary, uint32_t frequency)
{
	for (size_t i = 0; i < summary->unsampled_count && i < CODECTL_SUMMARY_UNSAMPLED_MAX; i++) {
		const struct codectl_unsampled_thread *thread = &summary->unsampled[i];

		codectl_cli_say("Thread %" PRId64 " (%s) of process %" PRId64 " used %.1f s of CPU "
				"time, but its samples stand for %.1f s: does it block signals?",
			thread->vtid, thread->comm, thread->vpid, (double)thread->cpu_time / 1e9,
			(double)thread->weight / frequency);
	}
	if (summary->unsampled_count > CODECTL_SUMMARY_UNSAMPLED_MAX)
		codectl_cli_say("So did %" PRIu64 " other threads",
			summary->unsampled_count - CODECTL_SUMMARY_UNSAMPLED_MAX);
}
