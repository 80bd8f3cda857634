/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/record-options.h"

#include "cli/files.h"
#include "cli/jit.h"
#include "cli/message.h"
#include "format/settings.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_FREQUENCY 99

/* Of the buffers of samples, per CPU. */
#define BUFFER_MIN ((uint64_t)64 << 10)
#define BUFFER_MAX ((uint64_t)1 << 30)

#define DURATION_MAX_S 1e9

static const char *const clocks[] = {"cpu", "perf", "wall", NULL};
static const char *const stack_modes[] = {"sparse", "full", NULL};

/* What popt gives as text, before it is checked. */
struct words {
	const char *frequency;
	const char *stack_size;
	const char *signal;
	const char *buffer_size;
	const char *duration;
	const char *pid;
	const char **patterns;
	int has_no_children;
};

static int refuse(const char *option, const char *rule, const char *word)
{
	codectl_cli_error("%s %s, not \"%s\"", option, rule, word);
	return -EINVAL;
}

/* A number of bytes with K, M or G behind it, or nothing. Returns 0 if it is none. */
static uint64_t read_size(const char *word)
{
	static const char units[] = "KMG";
	char *end;

	if (*word < '0' || *word > '9')
		return 0;
	errno = 0;

	unsigned long long value = strtoull(word, &end, 10);
	const char *unit = *end ? strchr(units, *end >= 'a' ? *end - ('a' - 'A') : *end) : NULL;
	const unsigned int shift = unit ? 10 * (unsigned int)(unit - units + 1) : 0;

	if (errno || end[unit ? 1 : 0] || value > UINT64_MAX >> shift)
		return 0;
	return (uint64_t)value << shift;
}

/* A number after RTMIN or RTMAX. Returns 0 if it is none. */
static int read_real_time_signal(const char *name)
{
	const bool is_min = !strncmp(name, "RTMIN", 5);
	char *end;

	if (!is_min && strncmp(name, "RTMAX", 5) != 0)
		return 0;
	if (!name[5])
		return is_min ? SIGRTMIN : SIGRTMAX;
	if (name[5] != (is_min ? '+' : '-'))
		return 0;

	long offset = strtol(name + 5, &end, 10);

	if (*end || offset < -SIGRTMAX || offset > SIGRTMAX)
		return 0;

	int number = (is_min ? SIGRTMIN : SIGRTMAX) + (int)offset;

	return number >= SIGRTMIN && number <= SIGRTMAX ? number : 0;
}

/* A number, or a name as kill(1) takes it. Returns 0 if it is none. */
static int read_signal(const char *word)
{
	char *end;
	long number = strtol(word, &end, 10);

	if (end != word && !*end)
		return number > 0 && number <= SIGRTMAX ? (int)number : 0;

	const char *name = strncmp(word, "SIG", 3) ? word : word + 3;

	for (int known = 1; known < SIGRTMIN; known++) {
		const char *abbreviation = sigabbrev_np(known);

		if (abbreviation && !strcmp(abbreviation, name))
			return known;
	}
	return read_real_time_signal(name);
}

/* @choices ends with NULL. An option that is not given (NULL) is fine. */
static int check_choice(
	const char *option, const char *word, const char *rule, const char *const *choices)
{
	if (!word)
		return 0;
	for (; *choices; choices++) {
		if (!strcmp(word, *choices))
			return 0;
	}
	return refuse(option, rule, word);
}

/* A sub-buffer, a quarter of the buffer, has to hold a whole stack and the rest of a sample. */
static int check_room(const struct codectl_record_options *options, const char *buffer_size)
{
	const uint64_t stack = options->stack_size ? options->stack_size
						   : CODECTL_SETTINGS_STACK_DEFAULT;

	if (options->buffer_size && options->buffer_size / 8 < stack)
		return refuse("--buffer-size", "with --stack=full is at least 8 * --stack-size",
			buffer_size);
	return 0;
}

static int read_sizes(struct codectl_record_options *options, const struct words *words)
{
	if (words->stack_size) {
		uint64_t size = read_size(words->stack_size);

		if (size < CODECTL_SETTINGS_STACK_MIN || size > CODECTL_SETTINGS_STACK_MAX)
			return refuse(
				"--stack-size", "is from 1K to 256K bytes", words->stack_size);
		options->stack_size = (uint32_t)size;
	}
	if (words->buffer_size) {
		options->buffer_size = read_size(words->buffer_size);
		if (options->buffer_size < BUFFER_MIN || options->buffer_size > BUFFER_MAX)
			return refuse(
				"--buffer-size", "is from 64K to 1G bytes", words->buffer_size);
	}
	if (options->stack_mode && !strcmp(options->stack_mode, "full"))
		return check_room(options, words->buffer_size);
	return 0;
}

static int read_frequency(struct codectl_record_options *options, const char *word)
{
	char *end;
	long frequency = strtol(word, &end, 10);

	if (end == word || *end || frequency < 1 || frequency > CODECTL_SETTINGS_FREQUENCY_MAX)
		return refuse("-F, --frequency", "is a number from 1 to 10000", word);
	options->frequency = (int)frequency;
	return 0;
}

static int read_duration(struct codectl_record_options *options, const char *word)
{
	char *end;
	double seconds = strtod(word, &end);

	/* Less than a millisecond would mean for ever. */
	if (end == word || *end || !isfinite(seconds) || seconds < 0.001 ||
		seconds > DURATION_MAX_S)
		return refuse("--duration", "is a number of seconds above 0", word);
	options->duration_ms = (uint64_t)(seconds * 1000);
	return 0;
}

/* An empty pattern would mean all events to LTTng. */
static int check_patterns(const struct words *words)
{
	for (const char **word = words->patterns; word && *word; word++) {
		const size_t len = strlen(*word);

		if (!len || **word == ',' || (*word)[len - 1] == ',' || strstr(*word, ",,"))
			return refuse("--with", "takes patterns of event names", *word);
	}
	return 0;
}

static int refuse_pid(const char *word)
{
	codectl_cli_error(
		"-p, --pid=%s: a program that runs already cannot be recorded, for our libraries "
		"are loaded when it starts. Start it with them: codectl record -- COMMAND "
		"(--duration ends the recording before the program). Or start it with LD_PRELOAD "
		"as lttng-ust-codectl(3) has it, and record it at any time with lttng(1)",
		word);
	return -EINVAL;
}

static int check_words(struct codectl_record_options *options, const struct words *words)
{
	if (words->pid)
		return refuse_pid(words->pid);
	if (words->frequency && read_frequency(options, words->frequency))
		return -EINVAL;
	if (check_choice("--clock", options->clock, "is cpu, perf or wall", clocks) ||
		check_choice("--stack", options->stack_mode, "is sparse or full", stack_modes) ||
		read_sizes(options, words) || check_patterns(words))
		return -EINVAL;
	if (options->jit && !codectl_jit_is_choice(options->jit))
		return refuse("--jit",
			"is auto, all, none, or some of frames, gdb, files, v8, unknown with "
			"commas between",
			options->jit);
	if (words->signal) {
		options->signal_number = read_signal(words->signal);
		if (!codectl_settings_is_usable_signal(options->signal_number))
			return refuse("--signal",
				"is the number or name of a signal that timers may use (PROF, "
				"RTMAX-4)",
				words->signal);
	}
	if (words->duration && read_duration(options, words->duration))
		return -EINVAL;
	if (!options->command || !options->command[0]) {
		codectl_cli_error("No command to record; see codectl record --help");
		return -EINVAL;
	}
	return 0;
}

int codectl_record_options_init(struct codectl_record_options *options, int argc, const char **argv)
{
	struct words words = {0};

	*options = (struct codectl_record_options){
		.frequency = DEFAULT_FREQUENCY,
		.directory = CODECTL_DEFAULT_DIRECTORY,
	};
	const struct poptOption table[] = {
		{"frequency", 'F', POPT_ARG_STRING, &words.frequency, 0,
			"Samples per second and thread (default: 99)", "HZ"},
		{"output", 'o', POPT_ARG_STRING, &options->directory, 0,
			"Where the trace goes (default: " CODECTL_DEFAULT_DIRECTORY ")", "DIR"},
		{"duration", 'd', POPT_ARG_STRING, &words.duration, 0,
			"End the recording after that time; the program goes on", "SECONDS"},
		{"clock", 0, POPT_ARG_STRING, &options->clock, 0,
			"What a thread is sampled by: its CPU time by timers (default) or by perf "
			"events, which are finer, or the wall clock",
			"cpu|perf|wall"},
		{"stack-size", 0, POPT_ARG_STRING, &words.stack_size, 0,
			"Bytes of stack to look at, at most (default: 128K)", "SIZE"},
		{"stack", 0, POPT_ARG_STRING, &options->stack_mode, 0,
			"Words of it to keep: those that unwinding needs (default), or all",
			"sparse|full"},
		{"signal", 0, POPT_ARG_STRING, &words.signal, 0,
			"Signal to sample with (default: RTMAX-4)", "SIGNAL"},
		{"buffer-size", 0, POPT_ARG_STRING, &words.buffer_size, 0,
			"Buffers for samples, per CPU (default: 4M)", "SIZE"},
		{"with", 0, POPT_ARG_ARGV, &words.patterns, 0,
			"Record the program's own LTTng-UST events too; may be repeated",
			"PATTERN[,PATTERN...]"},
		{"jit", 0, POPT_ARG_STRING, &options->jit, 0,
			"How generated code is learned of: all ways (default), none, some of "
			"frames, gdb, files, v8, unknown; or auto: all, and node and java are "
			"asked to tell",
			"auto|all|none|LIST"},
		{"no-children", 0, POPT_ARG_NONE, &words.has_no_children, 0,
			"Leave out the processes that the program starts", NULL},
		{"pid", 'p', POPT_ARG_STRING, &words.pid, 0,
			"Not possible; tells what to do instead", "PID"},
		POPT_AUTOHELP POPT_TABLEEND,
	};
	int code;

	options->context = poptGetContext(
		"codectl record", argc, argv, table, POPT_CONTEXT_POSIXMEHARDER);
	poptSetOtherOptionHelp(options->context, "[OPTION...] [--] COMMAND [ARGUMENT...]");
	code = poptGetNextOpt(options->context);
	options->command = poptGetArgs(options->context);
	options->patterns = words.patterns;
	options->has_no_children = words.has_no_children;
	if (code < -1) {
		codectl_cli_error("%s: %s", poptBadOption(options->context, POPT_BADOPTION_NOALIAS),
			poptStrerror(code));
		return -EINVAL;
	}
	return check_words(options, &words);
}

void codectl_record_options_fini(struct codectl_record_options *options)
{
	for (const char **pattern = options->patterns; pattern && *pattern; pattern++)
		free((char *)(uintptr_t)*pattern);
	free(options->patterns);
	poptFreeContext(options->context);
}
