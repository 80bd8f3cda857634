/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/name.h: the name of a function as a file has it, turned into the one
 * to show when somebody first asks: without symbol version, C++ and Rust demangled.
 * One thread.
 *
 * C++ is demangled by the C++ runtime library if there is one (it is opened
 * when the first such name turns up; nothing here is linked to it). Substitutions
 * let a hostile name of n letters become 2^n: names with many of them (one in a
 * thousand of LLVM's) stay as they are.
 */
#ifndef CODECTL_SYMBOLIZE_NAME_H
#define CODECTL_SYMBOLIZE_NAME_H

#include <stdbool.h>

/* Initialize with the text and false otherwise. */
struct codectl_name {
	const char *text; /* Weak, in a file; owned if is_owned. */
	bool is_owned;
	bool is_shown;	  /* text is the one to show. */
	bool is_plt_stub; /* Shown as name@plt. */
};

/* Returns the name to show, weak as long as @name, or NULL if memory is short. */
const char *codectl_name_show(struct codectl_name *name);

void codectl_name_fini(struct codectl_name *name);

#endif /* CODECTL_SYMBOLIZE_NAME_H */
