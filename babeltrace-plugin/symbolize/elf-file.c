/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/elf-file.h"

#include "symbolize/elf-contents.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define VDSO_SIZE_MAX ((uint64_t)1 << 20)

/* How often a file that is being written is read again. */
#define ATTEMPT_MAX 3

enum codectl_object_status codectl_elf_file_refusal(const void *bytes, size_t len)
{
	const unsigned char *ident = bytes;

	if (len < EI_NIDENT || memcmp(ident, ELFMAG, SELFMAG) != 0)
		return CODECTL_OBJECT_NOT_ELF;
	if (ident[EI_DATA] == ELFDATA2MSB)
		return CODECTL_OBJECT_BIG_ENDIAN;
	return ident[EI_CLASS] == ELFCLASS32 ? CODECTL_OBJECT_ELF32 : CODECTL_OBJECT_NOT_ELF;
}

/* Looks at the bytes of @file, which is closed if they are no ELF file. Returns 0 or -ENOENT. */
static int check(struct codectl_elf_file *file, enum codectl_object_status *status)
{
	*status = CODECTL_OBJECT_OK;
	if (codectl_elf_init(&file->elf, file->bytes, file->len) == 0)
		return 0;
	*status = codectl_elf_file_refusal(file->bytes, file->len);
	codectl_elf_file_close(file);
	return -ENOENT;
}

/* One attempt. Returns 0, -EAGAIN (it changed meanwhile), -ENOENT with *@status, or -ENOMEM. */
static int try_open(
	struct codectl_elf_file *file, const char *path, enum codectl_object_status *status)
{
	int fd, ret;

	memset(file, 0, sizeof(*file));
	fd = codectl_elf_contents_open(path, &file->opened, status);
	if (fd < 0)
		return -ENOENT;
	file->path = strdup(path);
	ret = file->path ? codectl_elf_contents_load(file, fd) : -ENOMEM;
	*status = CODECTL_OBJECT_NOT_READABLE;
	if (ret != -ENOMEM && !codectl_elf_contents_is_unchanged(file, fd))
		ret = -EAGAIN;
	close(fd);
	if (ret) {
		codectl_elf_file_close(file);
		return ret == -ENOMEM || ret == -EAGAIN ? ret : -ENOENT;
	}
	return check(file, status);
}

int codectl_elf_file_open(
	struct codectl_elf_file *file, const char *path, enum codectl_object_status *status)
{
	int ret = -EAGAIN;

	for (unsigned int i = 0; i < ATTEMPT_MAX && ret == -EAGAIN; i++)
		ret = try_open(file, path, status);
	if (ret != -EAGAIN)
		return ret;
	*status = CODECTL_OBJECT_CHANGED;
	return -ENOENT;
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
	file->is_image = true;
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
	else if (file->storage == CODECTL_ELF_FILE_SPARSE)
		munmap(file->bytes, file->len);
	free(file->path);
	free(file->chunks);
	memset(file, 0, sizeof(*file));
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
