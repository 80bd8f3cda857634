/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Adapter `files`: finds the perf map and the jitdumps of this process and
 * registers what is written into them.
 *
 * A perf map has no times. A function in it is taken to be there since the
 * round before: what was at its address till then has been freed for some time,
 * since a run time that frees code waits until nobody runs it.
 */
#include "jit/adapters.h"
#include "jit/jitdump.h"
#include "jit/line-tail.h"
#include "jit/maps.h"
#include "jit/perf-map.h"
#include "jit/tell.h"

#include "provider/helper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* How far the clock of files may be behind, ns. */
#define FILE_CLOCK_NS ((int64_t)10 * 1000 * 1000)
/* How often it is looked for files that are not there yet, ns: first often, then seldom. */
#define SEARCH_MIN_NS ((uint64_t)10 * 1000 * 1000)
#define SEARCH_MAX_NS ((uint64_t)200 * 1000 * 1000)
/* Dumps, which have times in them, so that it does no harm to find one late. */
#define SEARCH_DUMPS_NS ((uint64_t)1000 * 1000 * 1000)
#define EARLY_NS	((uint64_t)2 * 1000 * 1000 * 1000)
/* Times of a dump further from now than this are of another clock. */
#define TIME_MAX_NS ((uint64_t)3600 * 1000 * 1000 * 1000)
#define DUMP_MAX    8

struct dump {
	dev_t device;
	ino_t inode;
	struct codectl_jitdump_reader reader;
};

/* Helper thread only. */
static struct {
	bool has_map;
	struct codectl_line_tail map;
	struct dump dumps[DUMP_MAX];
	size_t dump_count;
	uint64_t image_start; /* When this process image began, or a little later. */
	uint64_t next_search;
	uint64_t next_dump_search;
	/* When the map was read before: its lines are later than that. */
	uint64_t read_before;
} files;

/*
 * Opens a file that is the program's own work: a regular file of its user, not
 * a link that somebody else has put there. Returns a descriptor or -1.
 */
static int open_own_file(const char *path, struct stat *status)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return -1;
	if (fstat(fd, status) == 0 && S_ISREG(status->st_mode) && status->st_uid == geteuid())
		return fd;
	close(fd);
	return -1;
}

/* Whether the file has been written since this process image began. */
static bool is_of_this_process(const struct stat *status)
{
	struct timespec real;
	int64_t age;

	clock_gettime(CLOCK_REALTIME, &real);
	age = (int64_t)(real.tv_sec - status->st_mtim.tv_sec) * 1000000000 +
	      (real.tv_nsec - status->st_mtim.tv_nsec);
	return age <= (int64_t)(codectl_provider_now() - files.image_start) + FILE_CLOCK_NS;
}

/*
 * With a perf map, V8 also opens a log in the working directory, of which it
 * makes no use: isolate-ADDRESS-PID-v8.log.
 */
static void remove_v8_log(void)
{
	char end[32];
	char path[PATH_MAX];
	DIR *directory = opendir("/proc/self/fd");
	const struct dirent *entry;

	if (!directory)
		return;
	snprintf(end, sizeof(end), "-%d-v8.log", (int)getpid());
	while ((entry = readdir(directory))) {
		ssize_t len = readlinkat(dirfd(directory), entry->d_name, path, sizeof(path) - 1);
		const char *name;

		if (len <= 0)
			continue;
		path[len] = '\0';
		name = strrchr(path, '/');
		if (name && !strncmp(name + 1, "isolate-", 8) && strlen(name) > strlen(end) &&
			!strcmp(path + len - strlen(end), end))
			unlink(path);
	}
	closedir(directory);
}

static void find_map(void)
{
	char path[64];
	struct stat status;
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	fd = open_own_file(path, &status);
	if (fd < 0)
		return;
	if (!is_of_this_process(&status)) {
		close(fd);
		return;
	}
	codectl_line_tail_init(&files.map, fd);
	files.has_map = true;
	if (codectl_jit_files_are_ours()) {
		unlink(path);
		remove_v8_log();
	}
}

static bool is_known_dump(const struct stat *status)
{
	for (size_t i = 0; i < files.dump_count; i++) {
		if (files.dumps[i].device == status->st_dev &&
			files.dumps[i].inode == status->st_ino)
			return true;
	}
	return false;
}

static void add_dump(const char *path)
{
	struct stat status;
	int fd;

	if (files.dump_count == DUMP_MAX)
		return;
	fd = open_own_file(path, &status);
	if (fd < 0)
		return;
	if (is_known_dump(&status)) {
		close(fd);
		return;
	}
	struct dump *dump = &files.dumps[files.dump_count++];

	dump->device = status.st_dev;
	dump->inode = status.st_ino;
	codectl_jitdump_init(&dump->reader, fd);
}

static void take_mapping(void *user, const struct codectl_jit_mapping *mapping)
{
	const char *end = user;
	size_t len = strlen(mapping->path);

	if (mapping->is_executable && len >= strlen(end) &&
		strcmp(mapping->path + len - strlen(end), end) == 0)
		add_dump(mapping->path);
}

/* A run time maps its dump's first page executable, so that a profiler sees where it is. */
static void find_dumps(void)
{
	char end[32];

	snprintf(end, sizeof(end), "/jit-%d.dump", (int)getpid());
	codectl_jit_maps_each(take_mapping, end);
}

static void search(uint64_t now)
{
	bool is_early = now - files.image_start < EARLY_NS;

	if (!files.has_map && now >= files.next_search) {
		find_map();
		files.next_search = codectl_jit_maps_next_look(
			now, is_early ? SEARCH_MIN_NS : SEARCH_MAX_NS);
	}
	if (now >= files.next_dump_search) {
		find_dumps();
		files.next_dump_search = codectl_jit_maps_next_look(
			now, is_early ? SEARCH_MIN_NS : SEARCH_DUMPS_NS);
	}
}

static void take_line(void *user, const char *text, size_t len)
{
	struct codectl_perf_map_entry entry;

	(void)user;
	if (codectl_perf_map_parse(text, len, &entry) && entry.size)
		codectl_jit_tell_symbol(&(struct codectl_jit_told){
			.timestamp = files.read_before,
			.start = entry.start,
			.size = entry.size,
			.name = entry.name,
			.name_len = entry.name_len,
		});
}

/* The time in a dump if it is one of ours, else now. */
static uint64_t dump_time(const struct dump *dump, uint64_t timestamp)
{
	uint64_t now = codectl_provider_now();

	return !dump->reader.has_tsc && timestamp <= now && now - timestamp < TIME_MAX_NS
		       ? timestamp
		       : now;
}

static void take_load(void *user, const struct codectl_jitdump_load *load)
{
	const struct dump *dump = user;

	codectl_jit_tell_symbol(&(struct codectl_jit_told){
		.timestamp = dump_time(dump, load->timestamp),
		.start = load->start,
		.size = load->size,
		.name = load->name,
		.name_len = strlen(load->name),
		.lines = load->lines,
		.line_count = load->line_count,
		.can_move = true,
	});
}

static void take_move(void *user, uint64_t timestamp, uint64_t from, uint64_t to, uint64_t size)
{
	const struct dump *dump = user;

	codectl_jit_tell_move(dump_time(dump, timestamp), from, to, size);
}

void codectl_jit_files_round(void)
{
	uint64_t now = codectl_provider_now();

	if (!codectl_jit_adapter_is_on(CODECTL_JIT_ADAPTER_FILES))
		return;
	search(now);
	if (files.has_map)
		codectl_line_tail_read(&files.map, take_line, NULL);
	files.read_before = now;
	for (size_t i = 0; i < files.dump_count; i++) {
		const struct codectl_jitdump_callbacks callbacks = {
			.load = take_load, .move = take_move, .user = &files.dumps[i]};

		codectl_jitdump_read(&files.dumps[i].reader, &callbacks);
	}
}

void codectl_jit_files_begin(void)
{
	files.image_start = files.read_before = codectl_provider_now();
}

void codectl_jit_files_after_fork(void)
{
	if (files.has_map)
		close(files.map.fd);
	for (size_t i = 0; i < files.dump_count; i++) {
		close(files.dumps[i].reader.fd);
		codectl_jitdump_finish(&files.dumps[i].reader);
	}
	files.has_map = false;
	files.dump_count = 0;
	files.next_search = files.next_dump_search = 0;
	codectl_jit_files_begin();
}
