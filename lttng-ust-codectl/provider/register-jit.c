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

/* Rows of one event; and bytes of a section in one: they must fit into any buffer. */
#define EVENT_ROWS_MAX 64
#define EVENT_BLOB_MAX (12 * 1024)

/* Registrations, and rows, between which others may take the lock. */
#define POLL_REGISTRATIONS 64
#define POLL_ROWS	   4096
/* How long the consumer of the trace gets to empty a buffer after so many rows. */
#define POLL_PAUSE_NS 1000000

struct jit_registration {
	struct codectl_registration base;
	uint32_t format;
	uint64_t unwind_head;
	uint64_t reserved_len;
	bool is_polled;
	bool is_fault_told;
	struct codectl_jit_tables tables;    /* Of one that is polled. */
	size_t row_count;		     /* Of one that is complete. */
	struct code_jit_unwind_fre_v2 *rows; /* Owned. */
	uint64_t *blob;			     /* Owned; reserved_len bytes, and padding. */
};

/* How many registrations have tables that may grow. */
static _Atomic size_t polled_count;

/* The columns of the event that is being emitted. Under the registry's lock. */
static struct {
	uint32_t ip_off[EVENT_ROWS_MAX];
	uint32_t size[EVENT_ROWS_MAX];
	int32_t cfa_off[EVENT_ROWS_MAX];
	int32_t ra_off[EVENT_ROWS_MAX];
	int32_t fp_off[EVENT_ROWS_MAX];
	uint8_t info[EVENT_ROWS_MAX];
	uint8_t flags[EVENT_ROWS_MAX];
} columns;

/* Whom rows go to. */
struct row_audience {
	const struct codectl_registration *registration;
	const struct lttng_ust_session *session; /* NULL: to all, as news. */
	uint64_t count;
};

static void emit(const struct lttng_ust_session *session, const struct codectl_event *event)
{
	if (session)
		codectl_emit_to_session(session, event);
	else
		codectl_emit_live(event);
}

static void emit_rows(void *user, uint32_t number, uint64_t first,
	const struct code_jit_unwind_fre_v2 *rows, size_t count)
{
	struct row_audience *audience = user;
	bool has_flags = false;

	for (size_t i = 0; i < count; i++) {
		columns.ip_off[i] = rows[i].ip_off;
		columns.size[i] = rows[i].size;
		columns.cfa_off[i] = rows[i].cfa_off;
		columns.ra_off[i] = rows[i].ra_off;
		columns.fp_off[i] = rows[i].fp_off;
		columns.info[i] = rows[i].info;
		columns.flags[i] = rows[i].flags;
		has_flags |= rows[i].flags != 0;
	}
	emit(audience->session,
		&(struct codectl_event){
			.type = CODECTL_EVENT_JIT_ROWS,
			.timestamp = codectl_provider_now(),
			.jit_rows =
				{
					/* A dump repeats what has been told. */
					.serial = audience->session
							  ? 0
							  : codectl_registry_take_serial(),
					.registered_serial = audience->registration->serial,
					.table = number,
					.first = first,
					.ip_off = columns.ip_off,
					.ip_off_count = count,
					.size = columns.size,
					.size_count = count,
					.cfa_off = columns.cfa_off,
					.cfa_off_count = count,
					.ra_off = columns.ra_off,
					.ra_off_count = count,
					.fp_off = columns.fp_off,
					.fp_off_count = count,
					.info = columns.info,
					.info_count = count,
					.flags = has_flags ? columns.flags : NULL,
					.flags_count = has_flags ? count : 0,
				},
		});
	audience->count += count;
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
	struct row_audience audience = {.registration = &registration->base};
	bool has_more = codectl_jit_tables_read(
		&registration->tables, row_max, emit_rows, &audience);

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
	struct row_audience audience = {.registration = base, .session = session};

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
	for (size_t i = 0; i < registration->row_count; i += EVENT_ROWS_MAX) {
		size_t count = registration->row_count - i;

		emit_rows(&audience, 0, i, registration->rows + i,
			count < EVENT_ROWS_MAX ? count : EVENT_ROWS_MAX);
	}
	if (!registration->is_polled)
		return;
	if (session)
		codectl_jit_tables_repeat(&registration->tables, emit_rows, &audience);
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

/* Takes @registration over in any case. */
static int add(struct jit_registration *registration)
{
	int ret;

	/* Before it is there: it may be gone again any time after. */
	if (registration->is_polled)
		atomic_fetch_add(&polled_count, 1);
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

/*
 * Reads on in some registrations, from the one that ends above *@from on. Returns
 * whether there are more of them, or more rows; then *@from is where to go on.
 */
static bool poll_some(uint64_t *from, uint64_t *row_count)
{
	struct codectl_registration *at = codectl_registry_find(CODECTL_CODE_JIT, *from);

	for (size_t i = 0; at && i < POLL_REGISTRATIONS; at = codectl_registry_next(at)) {
		struct jit_registration *registration = (struct jit_registration *)at;

		if (!registration->is_polled)
			continue;
		i++;
		if (*row_count >= POLL_ROWS ||
			read_on(registration, POLL_ROWS - *row_count, row_count)) {
			*from = at->text_start;
			return true;
		}
		*from = at->text_end;
	}
	return at != NULL;
}

void codectl_jit_poll(void)
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
