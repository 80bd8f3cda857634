/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * format/likely.h: for code that runs for each event and counts nanoseconds: the way
 * that nearly all events go is laid out without jumps. Any context.
 */
#ifndef CODECTL_FORMAT_LIKELY_H
#define CODECTL_FORMAT_LIKELY_H

#define CODECTL_LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define CODECTL_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#endif /* CODECTL_FORMAT_LIKELY_H */
