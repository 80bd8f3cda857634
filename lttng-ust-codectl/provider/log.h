/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/log.h: diagnostics on stderr, only with LTTNG_UST_CODECTL_DEBUG.
 * Async-signal-safe; errno is kept.
 */
#ifndef CODECTL_PROVIDER_LOG_H
#define CODECTL_PROVIDER_LOG_H

#include <stdint.h>

/*
 * Writes one line: "lttng-ust-codectl[PID/TID]: MESSAGE: NAME=VALUE". @name may
 * be NULL, then there is no value.
 */
void codectl_log_debug(const char *message, const char *name, int64_t value);

#endif /* CODECTL_PROVIDER_LOG_H */
