/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/own-vdso.h: the vDSO has no file, but where a trace is read on the
 * kernel that it was recorded on, our own process has the same one mapped. It
 * is copied to an anonymous file when it is needed. One thread.
 */
#ifndef CODECTL_COMP_OWN_VDSO_H
#define CODECTL_COMP_OWN_VDSO_H

#include "space/space.h"

#include <stdbool.h>
#include <stddef.h>

struct codectl_own_vdso {
	const void *image; /* Weak; mapped by the kernel. NULL: there is none. */
	size_t len;
	int fd; /* Owned; -1: not made so far. */
	char path[32];
};

void codectl_own_vdso_init(struct codectl_own_vdso *vdso);
void codectl_own_vdso_fini(struct codectl_own_vdso *vdso);

/* Whether @code is without a path in the file system and has the build-id of our own vDSO. */
bool codectl_own_vdso_is(
	const struct codectl_own_vdso *vdso, const struct codectl_code_object *code);

/* The path of a file with our vDSO; "" if it cannot be made. As long as @vdso. */
const char *codectl_own_vdso_path(struct codectl_own_vdso *vdso);

#endif /* CODECTL_COMP_OWN_VDSO_H */
