/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "symbolize/debuginfod.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_LIBDEBUGINFOD
#include "symbolize/download.h"

#include <dirent.h>
#include <elfutils/debuginfod.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#endif

#define BUILD_ID_MAX 64

/* How often who waits looks up. */
#define WAIT_MS 200

/* Servers that failed so often, and did nothing else in between, are left alone. */
#define FAILURE_MAX 2

#ifdef HAVE_LIBDEBUGINFOD
static const char no_library[] = "libdebuginfod cannot be loaded";
static const char no_servers[] = "DEBUGINFOD_URLS names no servers";
static const char no_answer[] = "no answer in time";
static const char not_wanted[] = "interrupted";
static const char refused[] = "the servers refuse connections";
static const char unreachable[] = "the servers cannot be reached";
static const char failed[] = "the servers or the way to them fail";
#else
static const char no_support[] = "this program was built without libdebuginfod";
#endif
static const char no_time[] = "the time for all downloads is over";
static const char missing[] = "the servers do not have it";
static const char given_up[] = "the servers have failed before, and are not asked any more";

/* A question that was answered with no. */
struct refusal {
	enum codectl_debuginfod_kind kind;
	uint8_t build_id[BUILD_ID_MAX];
	size_t len;
	const char *reason; /* Static. */
};

struct codectl_debuginfod {
	struct codectl_debuginfod_options options;
	struct codectl_debuginfod_stats stats;
	void *refusals; /* Owned; a tree of struct refusal for tsearch(). */
	/* Why nobody is asked any more; NULL: somebody is. */
	const char *end;
	const char *last_reason;
	unsigned int failures; /* Since a server answered. */
	uint64_t ms_left;
	bool is_prepared;
	/* Of the question that is being asked. */
	const char *name;
	uint64_t deadline_ms;
	bool is_late;
	bool is_told;			   /* There was progress to tell. */
	struct codectl_download *download; /* Owned; NULL until it is needed. */
};

struct codectl_debuginfod *codectl_debuginfod_create(
	const struct codectl_debuginfod_options *options)
{
	struct codectl_debuginfod *debuginfod = calloc(1, sizeof(*debuginfod));

	if (!debuginfod)
		return NULL;
	debuginfod->options = *options;
	debuginfod->ms_left = options->total_seconds < UINT64_MAX / 1000
				      ? options->total_seconds * 1000
				      : UINT64_MAX;
	return debuginfod;
}

void codectl_debuginfod_destroy(struct codectl_debuginfod *debuginfod)
{
	if (!debuginfod)
		return;
#ifdef HAVE_LIBDEBUGINFOD
	codectl_download_destroy(debuginfod->download);
#endif
	tdestroy(debuginfod->refusals, free);
	free(debuginfod);
}

#ifdef HAVE_LIBDEBUGINFOD
static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Returns whether to go on. */
static bool tell_progress(
	struct codectl_debuginfod *debuginfod, uint64_t done, uint64_t total, bool is_over)
{
	const struct codectl_debuginfod_progress progress = {
		.name = debuginfod->name,
		.done = done,
		.total = total,
		.is_over = is_over,
	};

	debuginfod->is_told = true;
	return !debuginfod->options.progress ||
	       debuginfod->options.progress(debuginfod->options.user, &progress);
}

static const char *prepare(struct codectl_debuginfod *debuginfod)
{
	const char *urls = getenv(DEBUGINFOD_URLS_ENV_VAR);

	if (!urls || !*urls)
		return no_servers;
	debuginfod->download = codectl_download_create();
	return debuginfod->download ? NULL : failed;
}

/* Why a question was not answered; @error is the library's. */
static const char *reason_of(const struct codectl_debuginfod *debuginfod, int error)
{
	if (debuginfod->end)
		return debuginfod->end;
	if (debuginfod->is_late)
		return debuginfod->ms_left ? no_answer : no_time;
	switch (error) {
	case -ENOENT:
		return missing;
	case -ECONNREFUSED:
		return refused;
	case -EHOSTUNREACH:
	case -ENETUNREACH:
		return unreachable;
	case -ETIME:
	case -ETIMEDOUT:
		return no_answer;
	default:
		return failed;
	}
}

/* Where libdebuginfod keeps files, as debuginfod_find_debuginfo(3) tells it. Owned. */
static char *find_cache(void)
{
	const char *own = getenv(DEBUGINFOD_CACHE_PATH_ENV_VAR);
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	char *path = NULL;
	int ret;

	if (own)
		return strdup(own);
	if (home) {
		ret = asprintf(&path, "%s/.debuginfod_client_cache", home);
		if (ret >= 0 && access(path, F_OK) == 0)
			return path;
		if (ret >= 0)
			free(path);
	}
	if (cache)
		ret = asprintf(&path, "%s/debuginfod_client", cache);
	else
		ret = home ? asprintf(&path, "%s/.cache/debuginfod_client", home) : -1;
	return ret < 0 ? NULL : path;
}

/* Removes an empty or unfinished file that is new. */
static void remove_new_file(int directory, const char *name, bool is_unfinished, time_t start)
{
	struct stat info;

	if (fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode) &&
		(is_unfinished || info.st_size == 0) && info.st_mtime >= start)
		unlinkat(directory, name, 0);
}

/*
 * Whatever ends its waiting, libdebuginfod takes it for an answer: an empty file
 * tells it, and other tools, for ten minutes that there is no such thing. If its
 * process was ended, KIND.XXXXXX is left of what it had begun.
 */
static void remove_traces(
	enum codectl_debuginfod_kind kind, const uint8_t *build_id, size_t len, time_t start)
{
	const char *name = kind == CODECTL_DEBUGINFOD_EXECUTABLE ? "executable" : "debuginfo";
	const size_t name_len = strlen(name);
	char id[2 * BUILD_ID_MAX + 1] = "";
	char *cache = find_cache(), *path = NULL;
	const struct dirent *entry;
	DIR *directory = NULL;

	for (size_t i = 0; i < len; i++)
		snprintf(id + 2 * i, 3, "%02x", build_id[i]);
	if (cache && asprintf(&path, "%s/%s", cache, id) < 0)
		path = NULL;
	if (path)
		directory = opendir(path);
	while (directory && (entry = readdir(directory))) {
		const char *rest = entry->d_name + name_len;

		if (strncmp(entry->d_name, name, name_len) != 0)
			continue;
		if (!*rest || (*rest == '.' && strlen(rest) == 7))
			remove_new_file(dirfd(directory), entry->d_name, *rest, start);
	}
	if (directory)
		closedir(directory);
	free(path);
	free(cache);
}

/* Waits until it is over, too late or not wanted any more. Returns libdebuginfod's error. */
static int wait_for(struct codectl_debuginfod *debuginfod, char **path)
{
	struct codectl_download_state state;
	uint64_t done = 0, total = 0;

	for (;;) {
		codectl_download_wait(debuginfod->download, WAIT_MS, &state);
		if (state.is_over)
			break;
		done = state.done > done ? state.done : done;
		total = state.total ? state.total : total;
		if (now_ms() >= debuginfod->deadline_ms)
			debuginfod->is_late = true;
		else if (!tell_progress(debuginfod, done, total, false))
			debuginfod->end = not_wanted;
		if (debuginfod->is_late || debuginfod->end) {
			codectl_download_cancel(debuginfod->download);
			return -EINTR;
		}
	}
	*path = state.path;
	return state.error;
}

/* Returns why there is nothing, or NULL with *@path. */
static const char *ask(struct codectl_debuginfod *debuginfod, enum codectl_debuginfod_kind kind,
	const uint8_t *build_id, size_t len, char **path)
{
	uint64_t start = now_ms();
	uint64_t file_ms = debuginfod->options.file_seconds < UINT32_MAX
				   ? debuginfod->options.file_seconds * 1000
				   : UINT32_MAX;
	const time_t start_time = time(NULL);
	uint64_t spent;
	int error;

	*path = NULL;
	debuginfod->is_late = false;
	debuginfod->is_told = false;
	debuginfod->deadline_ms = start +
				  (file_ms < debuginfod->ms_left ? file_ms : debuginfod->ms_left);
	error = codectl_download_begin(debuginfod->download, kind, build_id, len);
	if (error == 0)
		error = wait_for(debuginfod, path);
	if (error == -ELIBACC)
		debuginfod->end = no_library;
	spent = now_ms() - start;
	debuginfod->stats.ms += spent;
	debuginfod->ms_left -= spent < debuginfod->ms_left ? spent : debuginfod->ms_left;
	if (debuginfod->is_told)
		tell_progress(debuginfod, 0, 0, true);
	if (error == -EINTR)
		remove_traces(kind, build_id, len, start_time);
	return error < 0 ? reason_of(debuginfod, error) : NULL;
}
#else
static const char *prepare(struct codectl_debuginfod *debuginfod)
{
	(void)debuginfod;
	return no_support;
}

static const char *ask(struct codectl_debuginfod *debuginfod, enum codectl_debuginfod_kind kind,
	const uint8_t *build_id, size_t len, char **path)
{
	(void)debuginfod;
	(void)kind;
	(void)build_id;
	(void)len;
	(void)path;
	return no_support;
}
#endif

static int compare_refusals(const void *left, const void *right)
{
	const struct refusal *a = left, *b = right;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->len != b->len)
		return a->len < b->len ? -1 : 1;
	return memcmp(a->build_id, b->build_id, a->len);
}

/* Without memory it is forgotten, and asked again. */
static void remember(struct codectl_debuginfod *debuginfod, const struct refusal *refusal)
{
	struct refusal *copy = malloc(sizeof(*copy));

	if (!copy)
		return;
	*copy = *refusal;
	if (!tsearch(copy, &debuginfod->refusals, compare_refusals))
		free(copy);
}

/* Counts how it went, and decides whether to ask again. */
static void count(struct codectl_debuginfod *debuginfod, const char *reason)
{
	debuginfod->stats.asked++;
	if (!reason || reason == missing) {
		*(reason ? &debuginfod->stats.missing : &debuginfod->stats.found) += 1;
		debuginfod->failures = 0;
		return;
	}
	debuginfod->stats.failed++;
	debuginfod->failures++;
	if (!debuginfod->end && !debuginfod->ms_left)
		debuginfod->end = no_time;
	if (!debuginfod->end && debuginfod->failures == FAILURE_MAX)
		debuginfod->end = given_up;
}

void codectl_debuginfod_find(struct codectl_debuginfod *debuginfod,
	enum codectl_debuginfod_kind kind, const uint8_t *build_id, size_t len, const char *name,
	struct codectl_debuginfod_answer *answer)
{
	struct refusal refusal = {.kind = kind, .len = len};
	struct refusal *const *known;

	*answer = (struct codectl_debuginfod_answer){.reason = missing, .is_missing = true};
	if (len == 0 || len > BUILD_ID_MAX)
		return;
	memcpy(refusal.build_id, build_id, len);
	known = tfind(&refusal, &debuginfod->refusals, compare_refusals);
	if (!debuginfod->is_prepared && !debuginfod->end)
		debuginfod->end = prepare(debuginfod);
	debuginfod->is_prepared = true;
	if (known) {
		refusal.reason = (*known)->reason;
	} else if (debuginfod->end) {
		refusal.reason = debuginfod->end;
	} else {
		debuginfod->name = name;
		refusal.reason = ask(debuginfod, kind, build_id, len, &answer->path);
		count(debuginfod, refusal.reason);
		if (refusal.reason)
			remember(debuginfod, &refusal);
	}
	answer->reason = refusal.reason;
	answer->is_missing = refusal.reason == missing;
	answer->is_repeated = refusal.reason && refusal.reason == debuginfod->last_reason &&
			      refusal.reason == debuginfod->end;
	debuginfod->last_reason = refusal.reason;
}

void codectl_debuginfod_reject(struct codectl_debuginfod *debuginfod, const char *path)
{
	debuginfod->stats.found--;
	debuginfod->stats.rejected++;
	unlink(path);
}

const struct codectl_debuginfod_stats *codectl_debuginfod_borrow_stats(
	const struct codectl_debuginfod *debuginfod)
{
	return &debuginfod->stats;
}
