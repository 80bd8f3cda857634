/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/rust-name.h: names that rustc mangled in its legacy way. They look
 * like C++ names, whose demangler leaves a hash at the end and escapes in the
 * text. Any thread.
 */
#ifndef CODECTL_SYMBOLIZE_RUST_NAME_H
#define CODECTL_SYMBOLIZE_RUST_NAME_H

#include <stdbool.h>

/* Whether the last part of the C++ name @mangled is a hash, as rustc makes them. */
bool codectl_rust_name_is_legacy(const char *mangled);

/* Changes what the C++ demangler made of such a name, in place: it gets no longer. */
void codectl_rust_name_clean(char *demangled);

#endif /* CODECTL_SYMBOLIZE_RUST_NAME_H */
