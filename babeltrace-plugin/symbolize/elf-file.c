/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/elf-file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_MAX      ((size_t)8 << 20)
#define VDSO_SIZE_MAX ((uint64_t)1 << 20)

/* Opens a regular file for reading. Returns the descriptor, or -1 with *@status. */
static int open_regular(const char *path, size_t *len, enum codectl_object_status *status)
{
	struct stat info;

	/* Opening a device or FIFO can have effects of its own: look first. */
	if (stat(path, &info)) {
		*status = errno == ENOENT || errno == ENOTDIR ? CODECTL_OBJECT_NOT_FOUND
							      : CODECTL_OBJECT_NOT_READABLE;
		return -1;
	}
	if (!S_ISREG(info.st_mode)) {
		*status = CODECTL_OBJECT_NOT_REGULAR;
		return -1;
	}

	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0) {
		*status = CODECTL_OBJECT_NOT_READABLE;
		return -1;
	}
	/* It may have been replaced in between. */
	if (fstat(fd, &info) || !S_ISREG(info.st_mode)) {
		*status = CODECTL_OBJECT_NOT_REGULAR;
		close(fd);
		return -1;
	}
	*len = (size_t)info.st_size;
	return fd;
}

/* Reads up to *@len bytes, and corrects it if the file has shrunk. */
static int copy_file(int fd, void *to, size_t *len)
{
	size_t done = 0;

	while (done < *len) {
		ssize_t count = read(fd, (char *)to + done, *len - done);

		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return -errno;
		if (count == 0)
			break;
		done += (size_t)count;
	}
	*len = done;
	return 0;
}

/* Brings the contents of @fd into memory. Returns 0, -ENOMEM or another -errno. */
static int load_file(struct codectl_elf_file *file, int fd, size_t len)
{
	if (len > COPY_MAX) {
		/* Where libdw unpacks sections, libelf changes their headers in memory. */
		void *bytes = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

		if (bytes == MAP_FAILED)
			return -errno;
		file->bytes = bytes;
		file->len = len;
		file->storage = CODECTL_ELF_FILE_MAPPED;
		return 0;
	}
	file->bytes = malloc(len ? len : 1);
	if (!file->bytes)
		return -ENOMEM;
	file->storage = CODECTL_ELF_FILE_COPIED;

	int ret = copy_file(fd, file->bytes, &len);

	file->len = len;
	return ret;
}

/* Looks at the bytes of @file, which is closed if they are no ELF file. Returns 0 or -ENOENT. */
static int check(struct codectl_elf_file *file, enum codectl_object_status *status)
{
	*status = CODECTL_OBJECT_OK;
	if (codectl_elf_init(&file->elf, file->bytes, file->len) == 0)
		return 0;
	*status = CODECTL_OBJECT_NOT_ELF;
	codectl_elf_file_close(file);
	return -ENOENT;
}

int codectl_elf_file_open(
	struct codectl_elf_file *file, const char *path, enum codectl_object_status *status)
{
	size_t len;
	int fd, ret;

	memset(file, 0, sizeof(*file));
	fd = open_regular(path, &len, status);
	if (fd < 0)
		return -ENOENT;
	ret = load_file(file, fd, len);
	close(fd);
	if (ret) {
		*status = CODECTL_OBJECT_NOT_READABLE;
		codectl_elf_file_close(file);
		return ret == -ENOMEM ? -ENOMEM : -ENOENT;
	}
	return check(file, status);
}

int codectl_elf_file_open_image(struct codectl_elf_file *file, const void *image, size_t len,
	enum codectl_object_status *status)
{
	memset(file, 0, sizeof(*file));
	*status = CODECTL_OBJECT_NOT_READABLE;
	file->bytes = malloc(len ? len : 1);
	if (!file->bytes)
		return -ENOMEM;
	memcpy(file->bytes, image, len);
	file->len = len;
	file->storage = CODECTL_ELF_FILE_COPIED;
	return check(file, status);
}

/*
 * The vDSO has no size of its own; as the kernel made it, its headers may be
 * believed to tell it.
 */
static uint64_t vdso_size(const void *image)
{
	Elf64_Ehdr header;
	uint64_t end;

	memcpy(&header, image, sizeof(header));
	end = header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize;
	for (size_t i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr segment;

		memcpy(&segment, (const char *)image + header.e_phoff + i * sizeof(segment),
			sizeof(segment));
		if (segment.p_type == PT_LOAD && segment.p_offset + segment.p_filesz > end)
			end = segment.p_offset + segment.p_filesz;
	}
	return end <= VDSO_SIZE_MAX ? end : 0;
}

int codectl_elf_file_open_vdso(struct codectl_elf_file *file)
{
	void *image = (void *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);

	memset(file, 0, sizeof(*file));
	if (!image)
		return -ENOENT;
	file->len = vdso_size(image);
	if (codectl_elf_init(&file->elf, image, file->len))
		return -ENOENT;
	file->bytes = image;
	file->storage = CODECTL_ELF_FILE_FOREIGN;
	return 0;
}

void codectl_elf_file_close(struct codectl_elf_file *file)
{
	if (file->storage == CODECTL_ELF_FILE_COPIED)
		free(file->bytes);
	else if (file->storage == CODECTL_ELF_FILE_MAPPED)
		munmap(file->bytes, file->len);
	memset(file, 0, sizeof(*file));
}

void codectl_elf_file_read_ahead(const struct codectl_elf_file *file, const void *bytes, size_t len)
{
	uintptr_t start = (uintptr_t)bytes;
	uintptr_t offset = start - (uintptr_t)file->bytes;
	uintptr_t page_mask = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;

	if (file->storage == CODECTL_ELF_FILE_MAPPED && offset <= file->len &&
		len <= file->len - offset)
		madvise((void *)(start & ~page_mask), len + (start & page_mask), MADV_WILLNEED);
}

static bool has_contents(const struct codectl_elf_file *file, const char *name)
{
	struct codectl_elf_section section;
	struct codectl_elf_range range;

	return codectl_elf_find_section(&file->elf, name, &section) == 0 &&
	       codectl_elf_section_range(&file->elf, &section, &range) == 0 && range.len > 0;
}

bool codectl_elf_file_has_debug_info(const struct codectl_elf_file *file)
{
	return has_contents(file, ".debug_info") || has_contents(file, ".zdebug_info");
}

bool codectl_elf_file_has_symtab(const struct codectl_elf_file *file)
{
	return has_contents(file, ".symtab");
}

bool codectl_elf_file_has_build_id(
	const struct codectl_elf_file *file, const uint8_t *build_id, size_t len)
{
	const uint8_t *own;
	size_t own_len;

	return codectl_elf_build_id(&file->elf, &own, &own_len) == 0 && own_len == len &&
	       !memcmp(own, build_id, len);
}

uint32_t codectl_elf_file_crc(const struct codectl_elf_file *file)
{
	const uint8_t *bytes = file->bytes;
	uint32_t table[256];
	uint32_t crc = UINT32_MAX;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
	}
	for (size_t i = 0; i < file->len; i++)
		crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xff];
	return ~crc;
}
