/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/elf-contents.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#define COPY_MAX ((size_t)8 << 20)

/* No honest file needs more; a sparse one can be as long as it likes. */
#define READ_MAX ((size_t)8 << 30)

/* Sections up to that are read at opening. */
#define SMALL_SECTION ((uint64_t)256 << 10)
#define CHUNK	      ((size_t)4 << 10)

/* Whole files are passed on in such blocks. */
#define BLOCK ((size_t)64 << 10)

/* From here on, pages of 2 MiB save most of the time. */
#define HUGE_PAGES_MIN ((size_t)8 << 20)

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
	       a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

int codectl_elf_contents_open(
	const char *path, struct stat *info, enum codectl_object_status *status)
{
	/* Opening a device or FIFO can have effects of its own: look first. */
	if (stat(path, info)) {
		*status = errno == ENOENT || errno == ENOTDIR ? CODECTL_OBJECT_NOT_FOUND
			  : errno == ELOOP		      ? CODECTL_OBJECT_LINK_LOOP
							      : CODECTL_OBJECT_NOT_READABLE;
		return -1;
	}
	if (!S_ISREG(info->st_mode)) {
		*status = CODECTL_OBJECT_NOT_REGULAR;
		return -1;
	}

	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0) {
		*status = CODECTL_OBJECT_NOT_READABLE;
		return -1;
	}
	/* It may have been replaced in between. */
	if (fstat(fd, info) || !S_ISREG(info->st_mode)) {
		*status = CODECTL_OBJECT_NOT_REGULAR;
		close(fd);
		return -1;
	}
	return fd;
}

/* Reads @len bytes at @offset. Returns 0, -ENODATA (the file is shorter) or another -errno. */
static int read_range(int fd, void *to, size_t len, uint64_t offset)
{
	size_t done = 0;

	while (done < len) {
		ssize_t count = pread(fd, (char *)to + done, len - done, (off_t)(offset + done));

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return count < 0 ? -errno : -ENODATA;
		done += (size_t)count;
	}
	return 0;
}

static bool has_chunk(const struct codectl_elf_file *file, size_t chunk)
{
	return file->chunks[chunk / 8] >> chunk % 8 & 1;
}

/* Reads the chunks [first, end), none of which is there. */
static int read_chunks(struct codectl_elf_file *file, int fd, size_t first, size_t end)
{
	size_t start = first * CHUNK;
	size_t len = (end * CHUNK < file->len ? end * CHUNK : file->len) - start;
	char *to = (char *)file->bytes + start;
	int ret;

	if (len > READ_MAX - file->read_len)
		return -EFBIG;
	file->read_len += len;
	if (len >= HUGE_PAGES_MIN) {
		uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

		/* Advice: not to be had everywhere. */
		madvise((void *)((uintptr_t)to & ~(page - 1)), len, MADV_HUGEPAGE);
	}
	ret = read_range(fd, to, len, start);
	for (size_t chunk = first; !ret && chunk < end; chunk++)
		file->chunks[chunk / 8] |= (uint8_t)(1 << chunk % 8);
	return ret;
}

/* Reads those chunks of the range that are not there yet. Returns 0 or -errno. */
static int read_missing(struct codectl_elf_file *file, int fd, uint64_t offset, uint64_t len)
{
	size_t chunk, end;
	int ret = 0;

	if (offset >= file->len || len == 0)
		return 0;
	if (len > file->len - offset)
		len = file->len - offset;
	chunk = offset / CHUNK;
	end = (offset + len - 1) / CHUNK + 1;
	while (!ret && chunk < end) {
		size_t first = chunk;

		while (chunk < end && !has_chunk(file, chunk))
			chunk++;
		if (chunk > first)
			ret = read_chunks(file, fd, first, chunk);
		else
			chunk++;
	}
	return ret;
}

static bool has_all(const struct codectl_elf_file *file, uint64_t offset, uint64_t len)
{
	if (file->storage != CODECTL_ELF_FILE_SPARSE || offset >= file->len || len == 0)
		return true;
	if (len > file->len - offset)
		len = file->len - offset;
	for (size_t chunk = offset / CHUNK; chunk <= (offset + len - 1) / CHUNK; chunk++) {
		if (!has_chunk(file, chunk))
			return false;
	}
	return true;
}

/* Opens the file again, for more of the same. Returns the descriptor or -1. */
static int reopen(const struct codectl_elf_file *file)
{
	enum codectl_object_status status;
	struct stat now;
	int fd = file->path && !file->has_changed
			 ? codectl_elf_contents_open(file->path, &now, &status)
			 : -1;

	if (fd >= 0 && !is_same(&now, &file->opened)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

bool codectl_elf_contents_is_unchanged(const struct codectl_elf_file *file, int fd)
{
	struct stat now;

	return fstat(fd, &now) == 0 && is_same(&now, &file->opened);
}

static int end_fetch(struct codectl_elf_file *file, int fd, int ret)
{
	if (fd < 0 || ret || !codectl_elf_contents_is_unchanged(file, fd))
		file->has_changed = true;
	if (fd >= 0)
		close(fd);
	return file->has_changed ? -ENOENT : 0;
}

int codectl_elf_contents_fetch(struct codectl_elf_file *file, uint64_t offset, uint64_t len)
{
	if (has_all(file, offset, len))
		return 0;

	int fd = reopen(file);

	return end_fetch(file, fd, fd < 0 ? -ENOENT : read_missing(file, fd, offset, len));
}

const uint8_t *codectl_elf_contents_peek(
	struct codectl_elf_file *file, uint64_t offset, size_t len, void *buffer)
{
	int fd, ret;

	if (has_all(file, offset, len))
		return (const uint8_t *)file->bytes + offset;
	fd = reopen(file);
	ret = end_fetch(file, fd, fd < 0 ? -ENOENT : read_range(fd, buffer, len, offset));
	return ret ? NULL : buffer;
}

static int read_tables(struct codectl_elf_file *file, int fd)
{
	Elf64_Ehdr header;
	Elf64_Shdr first = {0};
	int ret = read_missing(file, fd, 0, sizeof(header));

	memcpy(&header, file->bytes, sizeof(header));
	if (!ret)
		ret = read_missing(file, fd, header.e_shoff, sizeof(first));
	/* Numbers too large for the header are in the first section header. */
	if (!ret && header.e_shoff <= file->len && file->len - header.e_shoff >= sizeof(first))
		memcpy(&first, (char *)file->bytes + header.e_shoff, sizeof(first));
	if (!ret)
		ret = read_missing(file, fd, header.e_phoff,
			(uint64_t)(header.e_phnum == PN_XNUM ? first.sh_info : header.e_phnum) *
				sizeof(Elf64_Phdr));
	if (!ret)
		ret = read_missing(file, fd, header.e_shoff,
			header.e_shnum		    ? header.e_shnum * sizeof(Elf64_Shdr)
			: first.sh_size < file->len ? first.sh_size * sizeof(Elf64_Shdr)
						    : file->len);
	return ret;
}

/*
 * What is not read at once: bytes that only running programs need, and what is
 * read in parts, DWARF (see dwarf-sections.h) and symbols (see symbol-table.h).
 */
static bool is_useless(const struct codectl_elf_section *section)
{
	static const char *const names[] = {".gdb_index", ".rodata", ".data", ".data.rel.ro",
		".lrodata", ".gcc_except_table", ".strtab", ".dynstr", NULL};
	const char *name = section->name;

	if (section->type == SHT_SYMTAB || section->type == SHT_DYNSYM ||
		section->type == SHT_GNU_HASH || section->type == SHT_HASH ||
		!strncmp(name, ".debug_", 7) || !strncmp(name, ".zdebug_", 8))
		return true;
	for (size_t i = 0; names[i]; i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return section->flags & SHF_EXECINSTR;
}

static bool is_for_unwinding(const struct codectl_elf_section *section)
{
	return !strncmp(section->name, ".eh_frame", 9) || !strcmp(section->name, ".sframe") ||
	       !strcmp(section->name, ".debug_frame");
}

/*
 * What one needs of a large file; @has_symbols: also what symbols are read from.
 * Returns 0 or -errno.
 */
static int read_sections(struct codectl_elf_file *file, int fd, bool has_symbols)
{
	struct codectl_elf_section section;
	int ret = 0;

	for (size_t i = 0; !ret && i < file->elf.section_count; i++) {
		if (codectl_elf_get_section(&file->elf, i, &section) || section.type == SHT_NOBITS)
			continue;
		if (section.size <= SMALL_SECTION || is_for_unwinding(&section) ||
			(has_symbols && !is_useless(&section)))
			ret = read_missing(file, fd, section.offset, section.size);
	}
	return ret;
}

/* Where the names of the sections are: without them no section is known. */
static int read_section_names(struct codectl_elf_file *file, int fd)
{
	struct codectl_elf_section names;

	if (codectl_elf_get_section(&file->elf, file->elf.name_section, &names))
		return 0;
	return read_missing(file, fd, names.offset, names.size);
}

static int read_segments(struct codectl_elf_file *file, int fd)
{
	struct codectl_elf_segment segment;
	int ret = 0;

	for (size_t i = 0; !ret && i < file->elf.segment_count; i++) {
		if (codectl_elf_get_segment(&file->elf, i, &segment) == 0 &&
			(segment.type == PT_NOTE || segment.type == PT_DYNAMIC ||
				segment.type == PT_GNU_EH_FRAME))
			ret = read_missing(file, fd, segment.offset, segment.filesz);
	}
	return ret;
}

/* Returns 0 or -errno. */
static int load_large(struct codectl_elf_file *file, int fd)
{
	void *bytes = mmap(NULL, file->len, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int ret;

	if (bytes == MAP_FAILED)
		return -errno;
	file->bytes = bytes;
	file->storage = CODECTL_ELF_FILE_SPARSE;
	file->chunks = calloc(file->len / CHUNK / 8 + 1, 1);
	if (!file->chunks)
		return -ENOMEM;
	ret = read_tables(file, fd);
	/* If it is no ELF file somebody else will tell. */
	if (ret || codectl_elf_init(&file->elf, bytes, file->len))
		return ret;
	if (!file->elf.section_count)
		return read_missing(file, fd, 0, file->len);
	ret = read_section_names(file, fd);
	if (!ret)
		ret = read_segments(file, fd);
	return ret ? ret : read_sections(file, fd, false);
}

int codectl_elf_contents_fetch_links(struct codectl_elf_file *file)
{
	if (file->storage != CODECTL_ELF_FILE_SPARSE)
		return 0;

	int fd = reopen(file);

	return end_fetch(file, fd, fd < 0 ? -ENOENT : read_sections(file, fd, true));
}

int codectl_elf_contents_load(struct codectl_elf_file *file, int fd)
{
	file->len = (size_t)file->opened.st_size;
	if (file->len > COPY_MAX)
		return load_large(file, fd);
	file->bytes = malloc(file->len ? file->len : 1);
	if (!file->bytes)
		return -ENOMEM;
	file->storage = CODECTL_ELF_FILE_COPIED;
	return read_range(fd, file->bytes, file->len, 0);
}

/*
 * Hands all bytes of the file to @take, in order, block by block. Returns 0,
 * -ENOENT (it has changed, or cannot be read), or what @take returned to end it.
 */
static int for_each_block(const struct codectl_elf_file *file,
	int (*take)(void *user, const void *bytes, size_t len), void *user)
{
	void *buffer;
	int fd, ret = 0;

	if (file->storage != CODECTL_ELF_FILE_SPARSE)
		return take(user, file->bytes, file->len);
	fd = reopen(file);
	buffer = malloc(BLOCK);
	if (fd < 0 || !buffer)
		ret = -ENOENT;
	for (uint64_t offset = 0; !ret && offset < file->len; offset += BLOCK) {
		size_t len = file->len - offset < BLOCK ? file->len - offset : BLOCK;

		ret = read_range(fd, buffer, len, offset) ? -ENOENT : take(user, buffer, len);
	}
	if (!ret && !codectl_elf_contents_is_unchanged(file, fd))
		ret = -ENOENT;
	free(buffer);
	if (fd >= 0)
		close(fd);
	return ret;
}

static int add_to_crc(void *user, const void *bytes, size_t len)
{
	uint32_t *crc = user;

	*crc = (uint32_t)crc32_z(*crc, bytes, len);
	return 0;
}

int codectl_elf_contents_crc(const struct codectl_elf_file *file, uint32_t *crc)
{
	*crc = 0;
	return for_each_block(file, add_to_crc, crc);
}

static int write_block(void *user, const void *bytes, size_t len)
{
	const int *fd = user;
	size_t done = 0;

	while (done < len) {
		ssize_t count = write(*fd, (const char *)bytes + done, len - done);

		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return -errno;
		done += (size_t)count;
	}
	return 0;
}

int codectl_elf_contents_copy(const struct codectl_elf_file *file, int to)
{
	return for_each_block(file, write_block, &to);
}
