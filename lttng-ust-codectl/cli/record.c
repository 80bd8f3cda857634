/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/record.c: `codectl record`: runs a program and records it.
 */
#include "config.h"

#include "cli/cli.h"

#include "cli/advice.h"
#include "cli/child.h"
#include "cli/daemon.h"
#include "cli/files.h"
#include "cli/health.h"
#include "cli/message.h"
#include "cli/record-options.h"
#include "cli/repair.h"
#include "cli/session.h"
#include "cli/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How often the daemon is looked after. */
#define WATCH_PERIOD_MS 1000

/* What a writer that is about to end gets to do so. */
#define WRITER_TIMEOUT_MS 10000
#define WRITER_POLL_MS	  20

/* What shells use for a program that is not there or cannot be run. */
#define EXIT_NOT_FOUND	 127
#define EXIT_NOT_RUNNING 126

/* Notes beside the trace what was recorded; its presence marks the directory as ours. */
static int write_recording_file(const struct codectl_record_options *options, const char *directory)
{
	char *path = NULL;
	char date[64];
	time_t now = time(NULL);
	FILE *file;

	if (asprintf(&path, "%s/" CODECTL_RECORDING_FILE, directory) < 0)
		return -ENOMEM;
	file = fopen(path, "we");
	if (!file) {
		codectl_cli_error("Cannot write %s: %s", path, strerror(errno));
		free(path);
		return -EIO;
	}
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S%z", localtime(&now));
	fprintf(file, "version: %s\ndate: %s\nfrequency: %d\nclock: %s\ncommand:", PACKAGE_VERSION,
		date, options->frequency, options->clock ? options->clock : "cpu");
	for (const char *const *word = options->command; *word; word++)
		fprintf(file, " %s", *word);
	fputc('\n', file);

	int ret = fclose(file) == 0 ? 0 : -EIO;

	if (ret)
		codectl_cli_error("Cannot write %s: %s", path, strerror(errno));
	free(path);
	return ret;
}

static void print_summary(
	const struct codectl_record_options *options, const char *directory, uint64_t discarded)
{
	const char *name = options->directory;
	const uint32_t frequency = (uint32_t)options->frequency;
	struct codectl_summary summary;

	if (codectl_summary_read(directory, frequency, &summary))
		return;

	uint64_t lost = summary.lost + discarded;

	codectl_cli_say("%" PRIu64 " samples of %" PRIu64 " process%s in %s, %" PRIu64 " lost",
		summary.samples, summary.processes, summary.processes == 1 ? "" : "es", name, lost);
	if (summary.lost_packets)
		codectl_cli_say("%" PRIu64 " buffers could not be written, their events are lost",
			summary.lost_packets);
	codectl_advice_on_threads(&summary, frequency);
	codectl_unrecorded_say(&summary.unrecorded);
	if (summary.processes == 0)
		codectl_advice_on_silence(options->command[0]);
	else if (summary.samples == 0 && summary.unsampled_count == 0)
		codectl_cli_say(
			"The program used too little CPU time for a sample; try a higher -F");
	else if (summary.samples > 0)
		codectl_cli_say("See it with: codectl report %s", name);
}

/* Ends as the program ended, so that whoever called us sees the same. */
static int exit_like(int wait_status)
{
	if (WIFSIGNALED(wait_status)) {
		const struct rlimit no_core = {0};
		int signal_number = WTERMSIG(wait_status);
		sigset_t set;

		fflush(NULL);
		setrlimit(RLIMIT_CORE, &no_core);
		signal(signal_number, SIG_DFL);
		sigemptyset(&set);
		sigaddset(&set, signal_number);
		kill(getpid(), signal_number);
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		return 128 + signal_number;
	}
	return WEXITSTATUS(wait_status);
}

static int exit_status_of_error(int error)
{
	switch (-error) {
	case ENOENT:
		return EXIT_NOT_FOUND;
	case EACCES:
	case ENOEXEC:
		return EXIT_NOT_RUNNING;
	default:
		return EXIT_FAILURE;
	}
}

/* A number that no other recording on this machine has. */
static uint64_t make_recording_number(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec) << 8 | (uint8_t)getpid();
}

/* A recording from its start to its end. */
struct recording {
	const struct codectl_record_options *options; /* Weak. */
	char *directory;			      /* Owned; an absolute path. */
	struct codectl_daemon *daemon;		      /* Owned. */
	struct codectl_session *session;	      /* Owned; NULL when it is over. */
	bool is_watched;			      /* The daemon worked at the start. */
	bool is_broken;				      /* It does no more. */
};

static int start_recording(struct recording *recording, uint64_t number)
{
	const struct codectl_session_options options = {
		.recording = number,
		.buffer_size = recording->options->buffer_size,
		.patterns = recording->options->patterns,
	};

	if (write_recording_file(recording->options, recording->directory))
		return -EIO;
	recording->daemon = codectl_daemon_acquire();
	if (!recording->daemon)
		return -EIO;
	recording->session = codectl_session_start(recording->directory, &options);
	if (!recording->session)
		return -EIO;
	codectl_child_prime_session();
	recording->is_watched = codectl_health_read() == CODECTL_HEALTH_GOOD;
	return 0;
}

/* Tells it at once if there is nobody any more to write the trace. */
static void check_daemon(struct recording *recording, bool has_ended)
{
	enum codectl_health health;

	if (!recording->is_watched)
		return;
	health = codectl_health_read();
	if (health == CODECTL_HEALTH_GOOD)
		return;
	recording->is_watched = false;
	recording->is_broken = true;
	codectl_cli_say("The %s has died: the recording ends here%s",
		health == CODECTL_HEALTH_NO_DAEMON ? "session daemon" : "consumer daemon",
		has_ended ? "" : ", the program goes on");
}

/* Makes what was written readable if its writer could not end in order. */
static void repair(const struct recording *recording)
{
	const struct timespec pause = {.tv_nsec = WRITER_POLL_MS * 1000000};
	struct statvfs disk;
	uint64_t cut;

	/* A consumer daemon that lost its session daemon writes what there is, and ends. */
	for (int waited = 0; recording->is_broken && waited < WRITER_TIMEOUT_MS &&
			     codectl_files_are_open(recording->directory);
		waited += WRITER_POLL_MS)
		nanosleep(&pause, NULL);

	int ret = codectl_repair_traces(recording->directory, &cut);

	if (ret < 0)
		codectl_cli_error(
			"Cannot check the trace for half-written packets: %s", strerror(-ret));
	else if (cut)
		codectl_cli_say("%" PRIu64
				" bytes of half-written packets are taken out: the trace is "
				"good up to where writing failed",
			cut);
	if (statvfs(recording->directory, &disk) == 0 && disk.f_bavail == 0)
		codectl_cli_say(
			"There is no space left on the disk: the end of the trace may be missing");
}

/* Ends the recording and tells what there is of it, if @has_run. */
static void finish_recording(struct recording *recording, bool has_run, bool has_ended)
{
	uint64_t discarded = 0;
	int ret;

	check_daemon(recording, has_ended);
	ret = codectl_session_stop(recording->session, recording->is_broken, &discarded);
	recording->session = NULL;
	if (has_run) {
		codectl_daemon_explain(recording->daemon);
		repair(recording);
		if (ret == 0)
			print_summary(recording->options, recording->directory, discarded);
	}
	codectl_daemon_release(recording->daemon);
	recording->daemon = NULL;
}

/* Waits for the program; ends the recording when it is time, or nobody writes it any more. */
static int wait_for_program(struct recording *recording, pid_t pid)
{
	const uint64_t duration_ms = recording->options->duration_ms;
	uint64_t left_ms = duration_ms ? duration_ms : UINT64_MAX;
	int wait_status;

	while (!recording->is_broken && left_ms) {
		const uint64_t slice = left_ms < WATCH_PERIOD_MS ? left_ms : WATCH_PERIOD_MS;

		if (codectl_child_wait(pid, slice, &wait_status) == 0)
			return wait_status;
		check_daemon(recording, false);
		left_ms -= left_ms == UINT64_MAX ? 0 : slice;
	}
	finish_recording(recording, true, false);
	if (!recording->is_broken)
		codectl_cli_say("The recording is over, the program (pid %d) goes on", pid);
	codectl_child_wait(pid, UINT64_MAX, &wait_status);
	return wait_status;
}

static int record(const struct codectl_record_options *options)
{
	const struct codectl_child_options child = {
		.frequency = (uint32_t)options->frequency,
		.recording = make_recording_number(),
		.clock = options->clock,
		.stack_mode = options->stack_mode,
		.stack_size = options->stack_size,
		.signal_number = options->signal_number,
		.jit = options->jit,
		.has_no_children = options->has_no_children,
		.has_other_events = options->patterns && options->patterns[0],
	};
	struct recording recording = {.options = options};
	int wait_status = 0;
	int error;
	pid_t pid;
	sigset_t before;

	recording.directory = codectl_files_make_recording(options->directory);
	if (!recording.directory)
		return EXIT_FAILURE;
	codectl_advice_on_clock(options->clock);
	codectl_child_block_signals(&before);
	error = start_recording(&recording, child.recording);
	if (!error)
		error = codectl_child_start(&child, options->command, &before, &pid);
	if (!error)
		wait_status = wait_for_program(&recording, pid);
	if (recording.session)
		finish_recording(&recording, !error, true);
	codectl_daemon_release(recording.daemon);
	if (error)
		codectl_files_remove_tree(recording.directory);
	free(recording.directory);
	return error ? exit_status_of_error(error) : exit_like(wait_status);
}

int codectl_cli_record(int argc, const char **argv)
{
	struct codectl_record_options options;
	int status = CODECTL_EXIT_USAGE;

	if (codectl_record_options_init(&options, argc, argv) == 0)
		status = record(&options);
	codectl_record_options_fini(&options);
	return status;
}
