/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/original.h"

#include "format/quiet-open.h"
#include "provider/file.h"
#include "provider/helper.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE_BYTES 4096

/* Helper thread only. */
static uint8_t in_memory[PAGE_BYTES];
static uint8_t in_file[PAGE_BYTES];
static char mapped_path[PATH_MAX];

/* Whether @len bytes (a page at most) are the same in both. */
static bool is_same_part(int fd, uint64_t offset, uint64_t address, size_t len)
{
	ssize_t count = pread(fd, in_file, len, (off_t)offset);

	return count == (ssize_t)len &&
	       codectl_provider_read_memory(address, in_memory, len) == 0 &&
	       !memcmp(in_memory, in_file, len);
}

/* Whether the heads of both unwind tables are the same; the headers, in in_file[], are. */
static bool has_same_unwind_table(int fd, uint64_t elf_start)
{
	uint64_t lowest = UINT64_MAX;
	Elf64_Ehdr header;
	Elf64_Phdr segment, found = {0};

	memcpy(&header, in_file, sizeof(header));
	if (header.e_phentsize != sizeof(segment) || header.e_phoff > PAGE_BYTES)
		return true;
	for (uint64_t i = 0, at = header.e_phoff;
		i < header.e_phnum && at + sizeof(segment) <= PAGE_BYTES;
		i++, at += sizeof(segment)) {
		memcpy(&segment, in_file + at, sizeof(segment));
		if (segment.p_type == PT_LOAD && segment.p_vaddr < lowest)
			lowest = segment.p_vaddr;
		else if (segment.p_type == PT_GNU_EH_FRAME)
			found = segment;
	}

	size_t len = found.p_filesz < PAGE_BYTES ? found.p_filesz : PAGE_BYTES;

	return len == 0 ||
	       is_same_part(fd, found.p_offset, elf_start + (found.p_vaddr - lowest), len);
}

static bool is_same_file(int fd, const struct codectl_event_register_elf *elf)
{
	struct stat status;

	if (fstat(fd, &status) || !S_ISREG(status.st_mode) || status.st_size <= 0)
		return false;

	size_t len = status.st_size < PAGE_BYTES ? (size_t)status.st_size : PAGE_BYTES;

	return len >= sizeof(Elf64_Ehdr) && is_same_part(fd, 0, elf->elf_start, len) &&
	       has_same_unwind_table(fd, elf->elf_start);
}

/* Builds without a build-id may differ in nothing but names, which are not mapped. */
static bool has_same_inode(const struct codectl_event_register_elf *elf, uint64_t inode)
{
	struct codectl_file_mapping mapping;

	return codectl_provider_find_mapping(
		       elf->text_start, &mapping, mapped_path, sizeof(mapped_path)) != 0 ||
	       mapping.inode == inode;
}

static void take_stamp(const char *path, struct codectl_original_stamp *stamp)
{
	struct stat status;

	memset(stamp, 0, sizeof(*stamp));
	if (stat(path, &status))
		return;
	stamp->device = status.st_dev;
	stamp->inode = status.st_ino;
	stamp->size = (uint64_t)status.st_size;
	stamp->modified = status.st_mtim.tv_sec * INT64_C(1000000000) + status.st_mtim.tv_nsec;
}

enum codectl_original_state codectl_original_look(
	const struct codectl_event_register_elf *elf, struct codectl_original_stamp *stamp)
{
	/* First: what comes in between counts as a change. */
	take_stamp(elf->pathname, stamp);
	if (elf->pathname[0] != '/' || stamp->inode == 0)
		return CODECTL_ORIGINAL_GONE;

	int fd = codectl_provider_open_file(elf->pathname);

	if (fd == -EMFILE || fd == -ENFILE || fd == -ENOMEM || fd == -EINTR)
		return CODECTL_ORIGINAL_UNKNOWN;
	if (fd < 0)
		return CODECTL_ORIGINAL_GONE;

	bool is_same = is_same_file(fd, elf);

	codectl_quiet_close(fd);
	if (is_same && elf->build_id_len == 0)
		is_same = has_same_inode(elf, stamp->inode);
	return is_same ? CODECTL_ORIGINAL_IN_PLACE : CODECTL_ORIGINAL_GONE;
}

bool codectl_original_has_changed(const char *path, const struct codectl_original_stamp *stamp)
{
	struct codectl_original_stamp now;

	take_stamp(path, &now);
	return now.device != stamp->device || now.inode != stamp->inode ||
	       now.size != stamp->size || now.modified != stamp->modified;
}

static int open_if_same(const char *path, const struct codectl_event_register_elf *elf)
{
	int fd = codectl_provider_open_file(path);

	if (fd < 0)
		return -ENOENT;
	if (is_same_file(fd, elf))
		return fd;
	codectl_quiet_close(fd);
	return -ENOENT;
}

int codectl_original_open(const struct codectl_event_register_elf *elf)
{
	struct codectl_file_mapping mapping;
	char path[64];
	int fd = open_if_same("/proc/self/exe", elf);

	if (fd >= 0 || codectl_provider_find_mapping(
			       elf->text_start, &mapping, mapped_path, sizeof(mapped_path)))
		return fd;
	snprintf(path, sizeof(path), "/proc/self/map_files/%" PRIx64 "-%" PRIx64, mapping.start,
		mapping.end);
	return open_if_same(path, elf);
}
