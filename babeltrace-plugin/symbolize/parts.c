/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/parts.h"

#include "symbolize/elf-contents.h"

#include <errno.h>

int codectl_object_part_copy(const struct codectl_object_part_file *file, int fd)
{
	struct codectl_elf_file elf;
	enum codectl_object_status status;
	int ret = codectl_elf_file_open(&elf, file->path, &status);

	if (ret)
		return ret;
	if (file->build_id_len &&
		!codectl_elf_file_has_build_id(&elf, file->build_id, file->build_id_len))
		ret = -ENOENT;
	else
		ret = codectl_elf_contents_copy(&elf, fd);
	codectl_elf_file_close(&elf);
	return ret;
}
