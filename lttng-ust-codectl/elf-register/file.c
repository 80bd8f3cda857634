/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "elf-register/file.h"

#include "format/elf.h"
#include "format/quiet-open.h"
#include "provider/file.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECTION_TABLE_MAX (1 << 20)
#define SECTION_NAMES_MAX (1 << 20)
#define DEBUG_LINK_MAX	  8192

int codectl_file_program_path(uint64_t address, char *path, size_t size)
{
	/* Without a base address of the loader, the loader is what the kernel started. */
	if (getauxval(AT_BASE) != 0) {
		ssize_t len = readlink("/proc/self/exe", path, size);

		if (len > 0 && (size_t)len < size) {
			path[len] = '\0';
			codectl_provider_cut_deleted(path);
			return 0;
		}
	}
	return codectl_provider_find_mapping(address, NULL, path, size);
}

/* Reads a part of the file to the same offset of the image. */
static int read_part(int fd, void *image, size_t image_len, uint64_t offset, uint64_t len)
{
	if (offset > image_len || len > image_len - offset)
		return -EINVAL;

	ssize_t count = pread(fd, (char *)image + offset, len, (off_t)offset);

	return count == (ssize_t)len ? 0 : -EINVAL;
}

/* Reads the parts of the file that lead to the debug link; the others stay 0. */
static int read_debug_link_parts(int fd, void *image, size_t len, struct codectl_elf *elf)
{
	Elf64_Ehdr header;
	struct codectl_elf_section section;

	if (read_part(fd, image, len, 0, sizeof(header)))
		return -EINVAL;
	memcpy(&header, image, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
		(uint64_t)header.e_shnum * header.e_shentsize > SECTION_TABLE_MAX ||
		read_part(fd, image, len, header.e_shoff,
			(uint64_t)header.e_shnum * header.e_shentsize) ||
		codectl_elf_init(elf, image, len) ||
		codectl_elf_get_section(elf, elf->name_section, &section) ||
		section.size > SECTION_NAMES_MAX ||
		read_part(fd, image, len, section.offset, section.size))
		return -EINVAL;
	if (codectl_elf_find_section(elf, ".gnu_debuglink", &section))
		return -ENOENT;
	if (section.size > DEBUG_LINK_MAX)
		return -EINVAL;
	return read_part(fd, image, len, section.offset, section.size);
}

int codectl_file_debug_link(const char *path, char *debug_link, size_t size, uint32_t *crc)
{
	struct codectl_elf elf;
	struct stat status;
	const char *found;
	void *image = MAP_FAILED;
	size_t len = 0;
	int fd = codectl_provider_open_file(path);
	int ret;

	if (fd < 0)
		return fd;
	if (fstat(fd, &status) || !S_ISREG(status.st_mode) || status.st_size <= 0) {
		ret = -EINVAL;
		goto end;
	}
	/*
	 * Not a mapping of the file, for that is a SIGBUS if somebody truncates
	 * it: only the pages which are read into this one exist.
	 */
	len = (size_t)status.st_size;
	image = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		-1, 0);
	if (image == MAP_FAILED) {
		ret = -ENOMEM;
		goto end;
	}
	ret = read_debug_link_parts(fd, image, len, &elf);
	if (ret == 0)
		ret = codectl_elf_debug_link(&elf, &found, crc);
	if (ret == 0 && strlen(found) >= size)
		ret = -ENAMETOOLONG;
	if (ret == 0)
		strcpy(debug_link, found);
end:
	if (image != MAP_FAILED)
		munmap(image, len);
	codectl_quiet_close(fd);
	return ret;
}
