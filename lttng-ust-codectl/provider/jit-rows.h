/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/jit-rows.h: from rows of generated code to events. With the registry's
 * lock.
 */
#ifndef CODECTL_PROVIDER_JIT_ROWS_H
#define CODECTL_PROVIDER_JIT_ROWS_H

#include "codectl/ext.h"
#include "provider/jit-tables.h"
#include "provider/registry.h"

#include <stddef.h>
#include <stdint.h>

/* Rows of one event: it must fit into any buffer. */
#define CODECTL_JIT_EVENT_ROWS CODECTL_JIT_TABLES_BATCH

/* Whom rows go to. */
struct codectl_jit_row_audience {
	const struct codectl_registration *registration; /* Weak; whose rows they are. */
	const struct lttng_ust_session *session;	 /* Weak. NULL: to all, as news. */
	uint64_t count;					 /* Rows so far. */
};

/*
 * A codectl_jit_rows_function, whose @user is an audience: emits the @count rows,
 * CODECTL_JIT_EVENT_ROWS at most, numbered from @first, of table @number.
 */
void codectl_jit_emit_rows(void *user, uint32_t number, uint64_t first,
	const struct code_jit_unwind_fre_v2 *rows, size_t count);

#endif /* CODECTL_PROVIDER_JIT_ROWS_H */
