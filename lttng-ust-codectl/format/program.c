/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "format/program.h"

#include "format/quiet-open.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Where the C library looks without a PATH. */
#define DEFAULT_FOLDERS "/bin:/usr/bin"
/* The kernel's limits: interpreters of interpreters, and bytes of the line that names one. */
#define INTERPRETER_DEPTH_MAX 4
#define INTERPRETER_LINE_MAX  256
/* Enough for the headers of all usual programs: 13 of them. */
#define HEAD_SIZE	   (sizeof(Elf64_Ehdr) + 13 * sizeof(Elf64_Phdr))
#define PROGRAM_HEADER_MAX 128
#define LOADER_PATH_MAX	   128

/* What was read of a file's beginning. */
struct head {
	_Alignas(Elf64_Ehdr) char bytes[HEAD_SIZE];
	size_t len;
};

/* Reads @len bytes at @offset, from what is known of them if possible. Returns whether all. */
static bool read_at(int fd, const struct head *head, void *to, size_t len, uint64_t offset)
{
	if (offset <= head->len && len <= head->len - offset) {
		memcpy(to, head->bytes + offset, len);
		return true;
	}
	return offset <= INT64_MAX && pread(fd, to, len, (off_t)offset) == (ssize_t)len;
}

/* Whether it gets rights that its user has not. It need not be readable. */
static bool is_privileged(const char *path, const struct stat *status)
{
	return (status->st_mode & S_ISUID && status->st_uid != getuid()) ||
	       (status->st_mode & S_ISGID && status->st_gid != getgid()) ||
	       (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0);
}

/* glibc's loader, ld-linux-x86-64.so.2, under any of its names; which is a program as well. */
static bool is_glibc_loader(const char *path)
{
	return !strncmp(basename(path), "ld-linux", strlen("ld-linux"));
}

static int look_at_elf(int fd, const struct head *head, const char *path)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	char loader[LOADER_PATH_MAX];

	if (head->len < sizeof(header))
		return -ENOEXEC;
	memcpy(&header, head->bytes, sizeof(header));
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
		return CODECTL_PROGRAM_OTHER_MACHINE;
	for (unsigned int i = 0; i < header.e_phnum && i < PROGRAM_HEADER_MAX; i++) {
		if (!read_at(fd, head, &segment, sizeof(segment),
			    header.e_phoff + (uint64_t)i * sizeof(segment)))
			return -ENOEXEC;
		if (segment.p_type != PT_INTERP)
			continue;
		if (segment.p_filesz == 0 || segment.p_filesz > sizeof(loader) ||
			!read_at(fd, head, loader, segment.p_filesz, segment.p_offset))
			return CODECTL_PROGRAM_OTHER_LIBC;
		loader[segment.p_filesz - 1] = '\0';
		return is_glibc_loader(loader) ? CODECTL_PROGRAM_FINE : CODECTL_PROGRAM_OTHER_LIBC;
	}
	return is_glibc_loader(path) ? CODECTL_PROGRAM_FINE : CODECTL_PROGRAM_STATIC;
}

/* Writes the interpreter out of a script's first line. Returns whether it names one. */
static bool read_interpreter(const struct head *head, char *path)
{
	const size_t max = head->len < INTERPRETER_LINE_MAX ? head->len : INTERPRETER_LINE_MAX;
	size_t at = strlen("#!");
	size_t len = 0;

	while (at < max && (head->bytes[at] == ' ' || head->bytes[at] == '\t'))
		at++;
	while (at + len < max && !memchr(" \t\n", head->bytes[at + len], strlen(" \t\n")) &&
		head->bytes[at + len])
		len++;
	memcpy(path, head->bytes + at, len);
	path[len] = '\0';
	return len > 0 && at + len < max;
}

/* As codectl_program_look(), but -EAGAIN for a script, with what interprets it in @path. */
static int look_inside(char *path, bool may_raise_rights)
{
	struct head head;
	int fd = codectl_quiet_open(path, 0);
	ssize_t len;

	if (fd < 0)
		return may_raise_rights ? (int)CODECTL_PROGRAM_PRIVILEGED : fd;
	len = pread(fd, head.bytes, sizeof(head.bytes), 0);
	head.len = len > 0 ? (size_t)len : 0;

	int ret = -ENOEXEC;

	/* A script has the rights of what interprets it. */
	if (head.len > 2 && !memcmp(head.bytes, "#!", 2))
		ret = read_interpreter(&head, path) ? -EAGAIN : -ENOEXEC;
	else if (head.len >= SELFMAG && !memcmp(head.bytes, ELFMAG, SELFMAG))
		ret = may_raise_rights ? (int)CODECTL_PROGRAM_PRIVILEGED
				       : look_at_elf(fd, &head, path);
	codectl_quiet_close(fd);
	return ret;
}

/* The same, of one file. */
static int look_once(char *path)
{
	struct stat status;

	if (stat(path, &status) != 0)
		return -errno;
	if (!S_ISREG(status.st_mode) || access(path, X_OK) != 0)
		return -EACCES;
	return look_inside(path, is_privileged(path, &status));
}

int codectl_program_look(char path[CODECTL_PROGRAM_PATH_MAX])
{
	const int saved_errno = errno;
	int ret = -EAGAIN;

	for (int depth = 0; depth <= INTERPRETER_DEPTH_MAX && ret == -EAGAIN; depth++)
		ret = look_once(path);
	errno = saved_errno;
	return ret;
}

bool codectl_program_find(
	const char *file, const char *folders, char path[CODECTL_PROGRAM_PATH_MAX])
{
	const int saved_errno = errno;
	const size_t file_len = strlen(file);
	bool is_found = false;

	if (file_len >= CODECTL_PROGRAM_PATH_MAX)
		return false;
	if (strchr(file, '/')) {
		memcpy(path, file, file_len + 1);
		return true;
	}
	for (const char *folder = folders ? folders : DEFAULT_FOLDERS; !is_found;) {
		const size_t len = strcspn(folder, ":");

		if (len + 1 + file_len < CODECTL_PROGRAM_PATH_MAX) {
			memcpy(path, folder, len);
			path[len] = '/';
			/* An empty one is the current folder. */
			memcpy(path + len + (len > 0), file, file_len + 1);
			is_found = access(path, X_OK) == 0;
		}
		if (!folder[len])
			break;
		folder += len + 1;
	}
	errno = saved_errno;
	return is_found;
}

const char *codectl_program_kind_text(int kind)
{
	static const char *const texts[CODECTL_PROGRAM_KIND_COUNT] = {
		[CODECTL_PROGRAM_STATIC] = "static",
		[CODECTL_PROGRAM_PRIVILEGED] = "set-user-ID or the like",
		[CODECTL_PROGRAM_OTHER_LIBC] = "of another C library than glibc",
		[CODECTL_PROGRAM_OTHER_MACHINE] = "not for this kind of machine",
		[CODECTL_PROGRAM_NO_PRELOAD] = "started without LD_PRELOAD",
	};

	return kind >= 0 && kind < CODECTL_PROGRAM_KIND_COUNT ? texts[kind] : NULL;
}
