/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Ranges of generated code: checked, copied where they do not grow, handed to
 * the registry, and told of in events.
 */
#include "provider/jit.h"

#include "format/event.h"
#include "provider/emit.h"
#include "provider/export.h"
#include "provider/helper-thread.h"
#include "provider/helper.h"
#include "provider/jit-rows.h"
#include "provider/jit-tables.h"
#include "provider/log.h"
#include "provider/registry.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Static_assert(sizeof(struct code_jit_info) == CODE_JIT_INFO_SIZE_VER1, "ABI");
_Static_assert(sizeof(struct code_jit_info) < CODE_ELF_INFO_SIZE_VER0,
	"the size tells generated code from an ELF object");
_Static_assert((uint32_t)CODE_JIT_FORMAT_NONE == CODECTL_JIT_NONE, "as in traces");

/* Offsets in rows have 32 bits. */
#define TABLE_TEXT_MAX (UINT64_C(1) << 32)

/* Bytes of a section in one event: it must fit into any buffer. */
#define EVENT_BLOB_MAX (12 * 1024)

/* Registrations, and rows, between which others may take the lock. */
#define POLL_REGISTRATIONS CODECTL_JIT_TABLES_MANY
#define POLL_ROWS	   4096
/* How long the consumer of the trace gets to empty a buffer after so many rows. */
#define POLL_PAUSE_NS 1000000
/* How often rows are looked for that no sample needs yet. */
#define POLL_PERIOD_NS 50000000

struct jit_registration {
	struct codectl_registration base;
	uint32_t format;
	uint64_t unwind_head;
	uint64_t reserved_len;
	bool is_polled;
	bool is_fault_told;
	uint64_t read_time; /* When its tables were last looked at, CLOCK_MONOTONIC ns. */
	struct codectl_jit_tables tables;    /* Of one that is polled. */
	size_t row_count;		     /* Of one that is complete. */
	struct code_jit_unwind_fre_v2 *rows; /* Owned. */
	uint64_t *blob;			     /* Owned; reserved_len bytes, and padding. */
};

/*
 * How many registrations have tables that may grow; and between which addresses their
 * code is and was, which is far away from most words of a stack.
 */
static _Atomic size_t polled_count;
static _Atomic uint64_t polled_start = UINT64_MAX;
static _Atomic uint64_t polled_end;

static void emit(const struct lttng_ust_session *session, const struct codectl_event *event)
{
	if (session)
		codectl_emit_to_session(session, event);
	else
		codectl_emit_live(event);
}

static void emit_blob(
	const struct jit_registration *registration, const struct lttng_ust_session *session)
{
	for (uint64_t offset = 0; offset < registration->reserved_len; offset += EVENT_BLOB_MAX) {
		uint64_t len = registration->reserved_len - offset;

		if (len > EVENT_BLOB_MAX)
			len = EVENT_BLOB_MAX;
		emit(session,
			&(struct codectl_event){
				.type = CODECTL_EVENT_JIT_BLOB,
				.timestamp = registration->base.timestamp,
				.jit_blob =
					{
						.registered_serial = registration->base.serial,
						.offset = offset,
						.blob = registration->blob + offset / 8,
						.blob_count = (len + 7) / 8,
						.blob_len = len,
					},
			});
	}
}

/* Reads on, and tells once why that has ended. Returns whether there is more. */
static bool read_on(struct jit_registration *registration, size_t row_max, uint64_t *row_count)
{
	struct codectl_jit_row_audience audience = {.registration = &registration->base};
	uint64_t time = codectl_provider_now();
	bool has_more = codectl_jit_tables_read(
		&registration->tables, row_max, codectl_jit_emit_rows, &audience);

	if (!has_more)
		registration->read_time = time;

	*row_count += audience.count;
	if (registration->tables.fault && !registration->is_fault_told) {
		registration->is_fault_told = true;
		codectl_log_debug(
			registration->tables.fault, "serial", (int64_t)registration->base.serial);
	}
	return has_more;
}

static void read_all(struct jit_registration *registration)
{
	uint64_t row_count = 0;

	if (registration->is_polled && codectl_emit_is_wanted(CODECTL_EVENT_JIT_ROWS))
		read_on(registration, SIZE_MAX, &row_count);
}

static void emit_jit(
	const struct codectl_registration *base, const struct lttng_ust_session *session)
{
	/* What was read of its tables belongs to the registry's lock, too. */
	struct jit_registration *registration = (struct jit_registration *)base;
	struct codectl_jit_row_audience audience = {.registration = base, .session = session};

	emit(session, &(struct codectl_event){
			      .type = CODECTL_EVENT_REGISTER_JIT,
			      .timestamp = base->timestamp,
			      .register_jit =
				      {
					      .serial = base->serial,
					      .text_start = base->text_start,
					      .text_end = base->text_end,
					      .unwind_head = registration->unwind_head,
					      .reserved_len = registration->reserved_len,
					      .format = registration->format,
				      },
		      });
	if (registration->blob)
		emit_blob(registration, session);
	for (size_t i = 0; i < registration->row_count; i += CODECTL_JIT_EVENT_ROWS) {
		size_t count = registration->row_count - i;

		codectl_jit_emit_rows(&audience, 0, i, registration->rows + i,
			count < CODECTL_JIT_EVENT_ROWS ? count : CODECTL_JIT_EVENT_ROWS);
	}
	if (!registration->is_polled)
		return;
	if (session)
		codectl_jit_tables_repeat(&registration->tables, codectl_jit_emit_rows, &audience);
	else
		read_all(registration);
}

static void drain_jit(struct codectl_registration *base)
{
	struct jit_registration *registration = (struct jit_registration *)base;

	read_all(registration);
	if (registration->is_polled)
		atomic_fetch_sub(&polled_count, 1);
}

static uint64_t count_jit_rows(const struct codectl_registration *base)
{
	const struct jit_registration *registration = (const struct jit_registration *)base;

	if (registration->is_polled)
		return registration->tables.fault ? 0 : registration->tables.row_count;
	return registration->row_count;
}

static void destroy_jit(struct codectl_registration *base)
{
	struct jit_registration *registration = (struct jit_registration *)base;

	free(registration->rows);
	free(registration->blob);
	free(registration);
}

static const struct codectl_registration_ops jit_ops = {
	.emit = emit_jit,
	.drain = drain_jit,
	.count_rows = count_jit_rows,
	.destroy = destroy_jit,
};

int codectl_jit_check(const struct code_jit_info *info)
{
	if (info->text_start >= info->text_end || info->reserved ||
		info->format >= CODECTL_JIT_FORMAT_COUNT)
		return -EINVAL;
	if (codectl_jit_format_has_rows(info->format))
		return info->text_end - info->text_start <= TABLE_TEXT_MAX ? 0 : -EINVAL;
	if (codectl_jit_format_has_blob(info->format))
		return info->unwind_head && info->reserved_len > 0 &&
				       info->reserved_len <= CODE_JIT_BLOB_MAX
			       ? 0
			       : -EINVAL;
	return info->unwind_head || info->reserved_len ? -EINVAL : 0;
}

static int copy_blob(struct jit_registration *registration, const void *blob)
{
	size_t len = (size_t)registration->reserved_len;

	registration->blob = calloc(len / 8 + 1, 8);
	if (!registration->blob)
		return -ENOMEM;
	return codectl_provider_read_memory(
		blob ? (uint64_t)(uintptr_t)blob : registration->unwind_head, registration->blob,
		len);
}

/* Fills in what unwinding goes by. Returns 0 or a negative errno. */
static int take_unwind_info(
	struct jit_registration *registration, const struct code_jit_info *info, const void *blob)
{
	if (codectl_jit_format_has_blob(info->format))
		return copy_blob(registration, blob);
	if (!codectl_jit_format_has_rows(info->format) || !info->unwind_head)
		return 0;
	registration->is_polled = true;
	return codectl_jit_tables_init(&registration->tables, info->unwind_head,
		info->format == CODECTL_JIT_TABLE_V2 || info->format == CODECTL_JIT_UNSORTED_V2,
		info->reserved_len);
}

static struct jit_registration *create(const struct code_jit_info *info)
{
	struct jit_registration *registration = calloc(1, sizeof(*registration));

	if (registration) {
		registration->base.ops = &jit_ops;
		registration->base.kind = CODECTL_CODE_JIT;
		registration->base.text_start = info->text_start;
		registration->base.text_end = info->text_end;
		registration->format = info->format;
		registration->unwind_head = info->unwind_head;
		registration->reserved_len = info->reserved_len;
	}
	return registration;
}

/* Before the code is registered: it may run, and be gone again, any time after. */
static void count_polled(const struct codectl_registration *base)
{
	uint64_t start = atomic_load(&polled_start);
	uint64_t end = atomic_load(&polled_end);

	while (base->text_start < start &&
		!atomic_compare_exchange_weak(&polled_start, &start, base->text_start)) {
	}
	while (base->text_end > end &&
		!atomic_compare_exchange_weak(&polled_end, &end, base->text_end)) {
	}
	atomic_fetch_add(&polled_count, 1);
}

/* Takes @registration over in any case. */
static int add(struct jit_registration *registration)
{
	int ret;

	if (registration->is_polled)
		count_polled(&registration->base);
	ret = codectl_registry_add(&registration->base);
	if (ret) {
		if (registration->is_polled)
			atomic_fetch_sub(&polled_count, 1);
		destroy_jit(&registration->base);
		return ret;
	}
	codectl_helper_start();
	return 0;
}

CODECTL_EXPORT int codectl_jit_add(const struct code_jit_info *info, const void *blob)
{
	int ret = codectl_jit_check(info);
	struct jit_registration *registration;

	if (ret)
		return ret;
	registration = create(info);
	if (!registration)
		return -ENOMEM;
	ret = take_unwind_info(registration, info, blob);
	if (ret) {
		destroy_jit(&registration->base);
		return ret;
	}
	return add(registration);
}

CODECTL_EXPORT int codectl_jit_add_unknown(uint64_t text_start, uint64_t text_end)
{
	const struct code_jit_info info = {
		.text_start = text_start,
		.text_end = text_end,
		.format = CODE_JIT_FORMAT_NONE,
	};
	int ret = codectl_jit_check(&info);
	struct jit_registration *registration;

	if (ret)
		return ret;
	registration = create(&info);
	if (!registration)
		return -ENOMEM;
	registration->base.yields = true;
	return add(registration);
}

CODECTL_EXPORT int codectl_jit_add_code(uint64_t text_start, uint64_t text_end,
	const struct code_jit_unwind_fre_v2 *rows, size_t count)
{
	const struct code_jit_info info = {
		.text_start = text_start,
		.text_end = text_end,
		.format = CODECTL_JIT_UNSORTED,
	};
	int ret = codectl_jit_check(&info);
	struct jit_registration *registration;

	if (ret || count > CODECTL_JIT_CODE_ROWS_MAX)
		return -EINVAL;
	registration = create(&info);
	if (registration && count > 0)
		registration->rows = malloc(count * sizeof(*rows));
	if (!registration || (count > 0 && !registration->rows)) {
		free(registration);
		return -ENOMEM;
	}
	if (count > 0)
		memcpy(registration->rows, rows, count * sizeof(*rows));
	registration->row_count = count;
	return add(registration);
}

CODECTL_EXPORT int codectl_jit_remove(uint64_t text_start, uint64_t text_end)
{
	int ret = codectl_registry_remove(CODECTL_CODE_JIT, text_start, text_end);

	/* For the reader, they have ended with it. */
	if (ret == 0)
		codectl_registry_forget_within(CODECTL_CODE_SYMBOL, text_start, text_end);
	return ret;
}

bool codectl_jit_find_blob(uint64_t address, uint64_t *text_start, uint64_t *text_end)
{
	const struct codectl_registration *at;
	sigset_t saved_mask;

	codectl_registry_lock(&saved_mask);
	for (at = codectl_registry_find(CODECTL_CODE_JIT, 0); at; at = codectl_registry_next(at)) {
		const struct jit_registration *jit = (const struct jit_registration *)at;

		if (codectl_jit_format_has_blob(jit->format) && jit->unwind_head == address) {
			*text_start = at->text_start;
			*text_end = at->text_end;
			break;
		}
	}
	codectl_registry_unlock(&saved_mask);
	return at != NULL;
}

/* Puts up to POLL_REGISTRATIONS that may have rows into @some, from what ends above @from on. */
static size_t find_polled(uint64_t from, struct jit_registration **some)
{
	struct codectl_registration *at = codectl_registry_find(CODECTL_CODE_JIT, from);
	size_t count = 0;

	for (; at && count < POLL_REGISTRATIONS; at = codectl_registry_next(at)) {
		struct jit_registration *registration = (struct jit_registration *)at;

		if (registration->is_polled && !registration->tables.fault)
			some[count++] = registration;
	}
	return count;
}

/*
 * Reads on in some registrations, from the one that ends above *@from on. Returns
 * whether there are more of them, or more rows; then *@from is where to go on.
 */
static bool poll_some(uint64_t *from, uint64_t *row_count)
{
	struct jit_registration *some[POLL_REGISTRATIONS];
	struct codectl_jit_tables *tables[POLL_REGISTRATIONS];
	bool has_news[POLL_REGISTRATIONS];
	size_t count = find_polled(*from, some);

	for (size_t i = 0; i < count; i++)
		tables[i] = &some[i]->tables;
	codectl_jit_tables_find_news(tables, count, has_news);
	for (size_t i = 0; i < count; i++) {
		if (has_news[i] && (*row_count >= POLL_ROWS ||
					   read_on(some[i], POLL_ROWS - *row_count, row_count))) {
			*from = some[i]->base.text_start;
			return true;
		}
		*from = some[i]->base.text_end;
	}
	return count == POLL_REGISTRATIONS;
}

CODECTL_EXPORT void codectl_jit_poll(void)
{
	const struct timespec pause = {.tv_nsec = POLL_PAUSE_NS};
	uint64_t from = 0;
	bool has_more = true;

	if (atomic_load(&polled_count) == 0 || !codectl_emit_is_wanted(CODECTL_EVENT_JIT_ROWS))
		return;
	while (has_more) {
		uint64_t row_count = 0;
		sigset_t saved_mask;

		codectl_registry_lock(&saved_mask);
		has_more = poll_some(&from, &row_count);
		codectl_registry_unlock(&saved_mask);
		/* Else buffers would overflow before anybody could empty them. */
		if (has_more && row_count >= POLL_ROWS)
			nanosleep(&pause, NULL);
	}
}

void codectl_jit_poll_seldom(void)
{
	static uint64_t last_time; /* The helper's own. */
	uint64_t now = codectl_provider_now();

	if (now - last_time < POLL_PERIOD_NS)
		return;
	last_time = now;
	codectl_jit_poll();
}

/* Reads on in the tables of the code at @address, unless they were read after @time. */
static void read_at(uint64_t address, uint64_t time)
{
	uint64_t row_count = 0;

	if (address < atomic_load_explicit(&polled_start, memory_order_relaxed) ||
		address >= atomic_load_explicit(&polled_end, memory_order_relaxed))
		return;

	struct codectl_registration *at = codectl_registry_find(CODECTL_CODE_JIT, address);
	struct jit_registration *registration = (struct jit_registration *)at;

	if (at && at->text_start <= address && registration->is_polled &&
		registration->read_time < time)
		read_on(registration, SIZE_MAX, &row_count);
}

CODECTL_EXPORT void codectl_jit_prepare_sample(const struct codectl_event *event)
{
	const struct codectl_event_sample *sample = &event->sample;
	sigset_t saved_mask;

	if (atomic_load(&polled_count) == 0 || !codectl_emit_is_wanted(CODECTL_EVENT_JIT_ROWS))
		return;
	codectl_registry_lock(&saved_mask);
	if (sample->reg_count > 0)
		read_at(sample->regs[sample->reg_count - 1], event->timestamp);
	for (size_t i = 0; i < sample->stack_count; i++)
		/* A call may be the last instruction of the code. */
		read_at(sample->stack[i] - 1, event->timestamp);
	codectl_registry_unlock(&saved_mask);
}
