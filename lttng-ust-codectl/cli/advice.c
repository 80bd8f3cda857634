/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/advice.h"

#include "cli/message.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#define PROGRAM_HEADERS_MAX 128

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

/* Opens the file that execvp() would run. Returns -1 if there is none. */
static int open_program(const char *command)
{
	const char *folder = getenv("PATH");
	char path[PATH_MAX];

	if (strchr(command, '/'))
		return open(command, O_RDONLY | O_CLOEXEC);
	for (; folder && *folder; folder += *folder == ':') {
		size_t len = strcspn(folder, ":");
		int written = snprintf(
			path, sizeof(path), "%.*s/%s", (int)len, len ? folder : ".", command);

		if (written < (int)sizeof(path) && access(path, X_OK) == 0)
			return open(path, O_RDONLY | O_CLOEXEC);
		folder += len;
	}
	return -1;
}

/* Whether it gets rights that its user has not, so that the loader preloads nothing. */
static bool is_privileged(int fd)
{
	struct stat status;

	if (fstat(fd, &status) != 0)
		return false;
	return (status.st_mode & S_ISUID && status.st_uid != getuid()) ||
	       (status.st_mode & S_ISGID && status.st_gid != getgid()) ||
	       (getuid() != 0 && fgetxattr(fd, "security.capability", NULL, 0) > 0);
}

/* Reads the path of the program's loader; "" if it has none. Returns whether @fd is for us. */
static bool read_loader(int fd, char *loader, size_t size)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;

	*loader = '\0';
	if (pread(fd, &header, sizeof(header), 0) != (ssize_t)sizeof(header) ||
		memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
		header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
		return false;
	for (int i = 0; i < header.e_phnum && i < PROGRAM_HEADERS_MAX; i++) {
		off_t offset = (off_t)(header.e_phoff + (uint64_t)i * sizeof(segment));

		if (pread(fd, &segment, sizeof(segment), offset) != (ssize_t)sizeof(segment))
			return false;
		if (segment.p_type != PT_INTERP)
			continue;

		ssize_t len = pread(fd, loader,
			segment.p_filesz < size ? segment.p_filesz : size - 1,
			(off_t)segment.p_offset);

		loader[len > 0 ? len : 0] = '\0';
	}
	return true;
}

void codectl_advice_on_silence(const char *command)
{
	char magic[2] = "", loader[256] = "";
	int fd = open_program(command);

	if (fd >= 0 && pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
		!memcmp(magic, "#!", sizeof(magic)))
		codectl_cli_say(
			"No program registered: what interprets %s cannot be preloaded", command);
	else if (fd >= 0 && is_privileged(fd))
		codectl_cli_say("No program registered: %s is set-user-ID or the like, and the "
				"loader preloads nothing to programs with raised rights",
			command);
	else if (fd >= 0 && !read_loader(fd, loader, sizeof(loader)))
		codectl_cli_say(
			"No program registered: %s is not for this kind of machine", command);
	else if (fd >= 0 && !*loader)
		codectl_cli_say("No program registered: %s is static, and nothing can be preloaded "
				"to it",
			command);
	else if (fd >= 0 && !strstr(loader, "ld-linux"))
		codectl_cli_say("No program registered: %s is of another C library than glibc "
				"(loader: %s)",
			command, loader);
	else
		codectl_cli_say("No program registered: static programs, set-user-ID programs and "
				"those of another C library than glibc cannot be preloaded");
	if (fd >= 0)
		close(fd);
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
