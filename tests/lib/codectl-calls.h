/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/lib/codectl-calls.h: short ways to call codectl(). Results are 0 or a
 * negative errno. Any thread.
 */
#ifndef CODECTL_TESTS_CODECTL_CALLS_H
#define CODECTL_TESTS_CODECTL_CALLS_H

#include "codectl/codectl.h"

#include <errno.h>
#include <stdint.h>

static inline int result_of(int ret)
{
	return ret == 0 ? 0 : -errno;
}

static inline int register_range(uint64_t start, uint64_t end)
{
	struct code_elf_info info = {.text_start = start, .text_end = end};

	return result_of(codectl(CODE_REGISTER_ELF, &info, sizeof(info), 0));
}

static inline int unregister_range(uint64_t start, uint64_t end)
{
	struct code_elf_info info = {.text_start = start, .text_end = end};

	return result_of(codectl(CODE_UNREGISTER, &info, sizeof(info), 0));
}

#endif /* CODECTL_TESTS_CODECTL_CALLS_H */
