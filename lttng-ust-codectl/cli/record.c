/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/record.c: `codectl record`: runs a program and records it.
 */
#include "config.h"

#include "cli/cli.h"

#include "cli/child.h"
#include "cli/daemon.h"
#include "cli/files.h"
#include "cli/message.h"
#include "cli/session.h"
#include "cli/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <popt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_FREQUENCY 99
#define MAX_FREQUENCY	  10000

/* What shells use for a program that is not there or cannot be run. */
#define EXIT_NOT_FOUND	 127
#define EXIT_NOT_RUNNING 126

struct record_options {
	int frequency;
	const char *directory;	    /* Weak; popt's or a literal. */
	const char *const *command; /* Weak; popt's. */
};

/* Notes beside the trace what was recorded; its presence marks the directory as ours. */
static int write_recording_file(const struct record_options *options, const char *directory)
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
	fprintf(file, "version: %s\ndate: %s\nfrequency: %d\ncommand:", PACKAGE_VERSION, date,
		options->frequency);
	for (const char *const *word = options->command; *word; word++)
		fprintf(file, " %s", *word);
	fputc('\n', file);

	int ret = fclose(file) == 0 ? 0 : -EIO;

	if (ret)
		codectl_cli_error("Cannot write %s: %s", path, strerror(errno));
	free(path);
	return ret;
}

static void print_summary(const char *name, const char *directory, uint64_t discarded)
{
	struct codectl_summary summary;

	if (codectl_summary_read(directory, &summary))
		return;

	uint64_t lost = summary.lost + discarded;

	codectl_cli_say("%" PRIu64 " samples of %" PRIu64 " process%s in %s, %" PRIu64 " lost",
		summary.samples, summary.processes, summary.processes == 1 ? "" : "es", name, lost);
	if (summary.processes == 0)
		codectl_cli_say("No program registered: static programs, set-user-ID programs and "
				"those of another C library than glibc cannot be preloaded");
	else if (summary.samples == 0)
		codectl_cli_say(
			"The program used too little CPU time for a sample; try a higher -F");
	else
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

static int record(const struct record_options *options)
{
	const struct codectl_child_options child = {
		.frequency = (uint32_t)options->frequency,
		.recording = make_recording_number(),
	};
	struct codectl_daemon *daemon = NULL;
	struct codectl_session *session = NULL;
	int status = EXIT_FAILURE;
	int wait_status = 0;
	int error = -EIO;
	uint64_t discarded = 0;
	sigset_t before;
	char *directory = codectl_files_make_recording(options->directory);

	if (!directory)
		return EXIT_FAILURE;
	codectl_child_block_signals(&before);
	if (write_recording_file(options, directory))
		goto end;
	daemon = codectl_daemon_acquire();
	if (!daemon)
		goto end;
	session = codectl_session_start(directory, child.recording);
	if (!session)
		goto end;
	codectl_child_prime_session();
	error = codectl_child_run(&child, options->command, &before, &wait_status);
	if (codectl_session_stop(session, &discarded) == 0 && !error)
		print_summary(options->directory, directory, discarded);
	status = error ? exit_status_of_error(error) : EXIT_SUCCESS;
end:
	codectl_daemon_release(daemon);
	if (error)
		codectl_files_remove_tree(directory);
	free(directory);
	return error ? status : exit_like(wait_status);
}

int codectl_cli_record(int argc, const char **argv)
{
	struct record_options options = {
		.frequency = DEFAULT_FREQUENCY,
		.directory = CODECTL_DEFAULT_DIRECTORY,
	};
	const struct poptOption table[] = {
		{"frequency", 'F', POPT_ARG_INT, &options.frequency, 0,
			"Samples per second of CPU time and thread (default: 99)", "HZ"},
		{"output", 'o', POPT_ARG_STRING, &options.directory, 0,
			"Where the trace goes (default: " CODECTL_DEFAULT_DIRECTORY ")", "DIR"},
		POPT_AUTOHELP POPT_TABLEEND,
	};
	poptContext context = poptGetContext(
		"codectl record", argc, argv, table, POPT_CONTEXT_POSIXMEHARDER);
	int status = CODECTL_EXIT_USAGE;
	int code;

	poptSetOtherOptionHelp(context, "[OPTION…] [--] COMMAND [ARGUMENT…]");
	code = poptGetNextOpt(context);
	options.command = poptGetArgs(context);
	if (code < -1)
		codectl_cli_error("%s: %s", poptBadOption(context, POPT_BADOPTION_NOALIAS),
			poptStrerror(code));
	else if (options.frequency < 1 || options.frequency > MAX_FREQUENCY)
		codectl_cli_error("The frequency is between 1 and %d, not %d", MAX_FREQUENCY,
			options.frequency);
	else if (!options.command || !options.command[0])
		codectl_cli_error("No command to record; see codectl record --help");
	else
		status = record(&options);
	poptFreeContext(context);
	return status;
}
