/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/jit.h: `codectl record --jit`: which ways generated code is learned of, and
 * the environment by which run times are asked to tell of theirs.
 */
#ifndef CODECTL_CLI_JIT_H
#define CODECTL_CLI_JIT_H

#include <stdbool.h>

/* Whether @word is `auto`, `all`, `none`, or a list of adapters with commas between. */
bool codectl_jit_is_choice(const char *word);

/* Sets the environment for @word, which is a choice. In the child, before it is the program. */
void codectl_jit_set_environment(const char *word);

#endif /* CODECTL_CLI_JIT_H */
