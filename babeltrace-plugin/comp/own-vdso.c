/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/own-vdso.h"

#include "format/elf.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Section headers are at the end of the image, behind its PT_LOAD segment; the
 * kernel maps the whole image. Its headers are to be trusted: it is our own.
 */
static size_t image_len(const Elf64_Ehdr *header)
{
	return header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
}

void codectl_own_vdso_init(struct codectl_own_vdso *vdso)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);

	*vdso = (struct codectl_own_vdso){.fd = -1};
	if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shnum == 0)
		return;
	vdso->image = header;
	vdso->len = image_len(header);
}

void codectl_own_vdso_fini(struct codectl_own_vdso *vdso)
{
	if (vdso->fd >= 0)
		close(vdso->fd);
	vdso->fd = -1;
}

bool codectl_own_vdso_is(
	const struct codectl_own_vdso *vdso, const struct codectl_code_object *code)
{
	struct codectl_elf elf;
	const uint8_t *build_id;
	size_t build_id_len;

	if (!vdso->image || code->pathname[0] == '/' || code->build_id_len == 0)
		return false;
	return codectl_elf_init(&elf, vdso->image, vdso->len) == 0 &&
	       codectl_elf_build_id(&elf, &build_id, &build_id_len) == 0 &&
	       build_id_len == code->build_id_len &&
	       memcmp(build_id, code->build_id, build_id_len) == 0;
}

const char *codectl_own_vdso_path(struct codectl_own_vdso *vdso)
{
	if (vdso->fd >= 0)
		return vdso->path;
	vdso->fd = memfd_create("codectl-vdso", MFD_CLOEXEC);
	if (vdso->fd < 0)
		return "";
	if (write(vdso->fd, vdso->image, vdso->len) != (ssize_t)vdso->len) {
		codectl_own_vdso_fini(vdso);
		return "";
	}
	snprintf(vdso->path, sizeof(vdso->path), "/proc/self/fd/%d", vdso->fd);
	return vdso->path;
}
