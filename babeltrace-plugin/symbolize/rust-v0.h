/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * symbolize/rust-v0.h: names that rustc mangles as its RFC 2603 says (_R…),
 * which no C++ demangler knows. Names refer to parts of themselves, so that a
 * hostile one of n letters could become 2^n: depth and length are bounded.
 * Any thread.
 */
#ifndef CODECTL_SYMBOLIZE_RUST_V0_H
#define CODECTL_SYMBOLIZE_RUST_V0_H

/* Returns an owned string without the hashes of crates, or NULL if it is no such name. */
char *codectl_rust_v0_demangle(const char *mangled);

#endif /* CODECTL_SYMBOLIZE_RUST_V0_H */
