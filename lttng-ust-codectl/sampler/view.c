/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * A snapshot takes 22 us in a small program and 100 us with 200 threads (2-CPU
 * virtual machine, Linux 6.18), more in a big one: too much for every round.
 * Generated code that nobody registers must still be found soon, or the return
 * addresses into it would be thinned out. So words that point nowhere known
 * are taken as a sign of new mappings.
 */
#include "sampler/view.h"

#include "provider/helper.h"
#include "sampler/budget.h"
#include "sampler/handler.h"
#include "sampler/maps.h"
#include "sampler/sandbox.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define AGE_MAX	    1000000000u /* ns. */
#define ADDRESS_MAX ((uint64_t)1 << 47)
#define PAGE_SHIFT  12
#define GONE_SIZE   256

static struct codectl_maps maps;
/*
 * What is code for a sample that is drained now: it may be older than the end of
 * the library it was taken in, and a library may come and go between two rounds.
 * So that is all which was executable or registered at any time since the last
 * but one update.
 */
static struct codectl_ranges code;
static struct codectl_ranges code_before; /* Between the last two updates; */
static struct codectl_ranges code_since;  /* and since the last one. */
static struct codectl_ranges spare;	  /* Memory for the next union. */
static bool has_maps;
static uint64_t last_update;
static struct codectl_budget budget = {.rest = 100};
static struct codectl_budget certain_budget = {.rest = 20};
static uint64_t known_serial;
/*
 * Pages that were looked for in a new snapshot in vain: old pointers to memory
 * that was unmapped stay on stacks for long. By the lower bits of their number.
 */
static uint64_t gone[GONE_SIZE];

/* Takes @ranges for code from now on. */
static void add_code(const struct codectl_ranges *ranges)
{
	const struct codectl_ranges before = code_since;

	codectl_ranges_unite(&spare, &before, ranges);
	code_since = spare;
	spare = before;
	codectl_ranges_unite(&code, &code_before, &code_since);
}

static bool read_maps(void)
{
	/* No files can be opened in there. */
	if (codectl_sandbox_is_for_all())
		return false;
	codectl_budget_begin(&budget);
	has_maps = codectl_maps_read(&maps) == 0;
	add_code(&maps.executable);
	codectl_budget_end(&budget);
	return has_maps;
}

static bool update(uint64_t now)
{
	return codectl_budget_allows(&budget, now) && read_maps();
}

/* As update(), where it is certain that there is something new. */
static bool update_for_certain(uint64_t now)
{
	if (!codectl_budget_allows(&certain_budget, now))
		return false;
	codectl_budget_begin(&certain_budget);

	bool is_done = read_maps();

	codectl_budget_end(&certain_budget);
	return is_done;
}

/*
 * The address of a thread's control block, or 0. The C library registers the
 * list of robust mutexes, which is in that block, for every thread it starts.
 */
static uint64_t find_tcb(int32_t tid)
{
	uint64_t head = 0;
	size_t len;

	if (syscall(SYS_get_robust_list, tid, &head, &len) != 0)
		return 0;
	return head;
}

/* From the snapshot, which is younger than the thread. */
static void learn_home(struct codectl_slot *slot)
{
	struct codectl_range home;
	bool is_main = slot->tid == getpid();

	if (is_main) {
		if (codectl_maps_find_main_stack(&maps, &home) != 0)
			return;
		if (codectl_range_has(&home, codectl_handler_main_stack_end()))
			home.end = codectl_handler_main_stack_end();
	} else {
		uint64_t tcb = find_tcb(slot->tid);

		/* Not yet registered: the thread has only just started. */
		if (tcb == 0)
			return;
		slot->is_home_final = true;
		if (codectl_maps_find_thread_stack(&maps, tcb, &home) != 0)
			return;
	}
	__atomic_store_n(&slot->home_start, home.start, __ATOMIC_RELAXED);
	__atomic_store_n(&slot->home_end, home.end & ~(uint64_t)7, __ATOMIC_RELEASE);
}

static bool wants_home(const struct codectl_slot *slot)
{
	return __atomic_load_n(&slot->wants_home, __ATOMIC_RELAXED) && !slot->is_home_final &&
	       slot->state != CODECTL_SLOT_ENDED;
}

void codectl_view_update_homes(uint64_t now)
{
	size_t count = codectl_slot_used_count();
	size_t position = 0;

	while (position < count && !wants_home(codectl_slot_used(position)))
		position++;
	if (position == count || !update(now))
		return;
	for (; position < count; position++) {
		struct codectl_slot *slot = codectl_slot_used(position);

		if (wants_home(slot)) {
			__atomic_store_n(&slot->wants_home, false, __ATOMIC_RELAXED);
			learn_home(slot);
		}
	}
}

static int compare_starts(const void *a, const void *b)
{
	const struct codectl_recent_range *left = a, *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

void codectl_view_update(uint64_t now, uint64_t serial)
{
	/* Whoever loads a library pays much more for it than this costs. */
	bool is_certain = !has_maps || serial != known_serial;
	bool is_due = now - last_update > AGE_MAX && codectl_budget_allows(&budget, now);
	const struct codectl_ranges oldest = code_before;

	if (!is_certain && !is_due)
		return;
	code_before = code_since;
	code_since = oldest;
	code_since.count = 0;
	last_update = now;
	memset(gone, 0, sizeof(gone));
	if (read_maps())
		known_serial = serial;
}

void codectl_view_add_code(struct codectl_recent_range *ranges, size_t count)
{
	struct codectl_ranges sorted = {0};

	if (count == 0)
		return;
	qsort(ranges, count, sizeof(ranges[0]), compare_starts);
	for (size_t i = 0; i < count; i++)
		codectl_ranges_add(&sorted, ranges[i].start, ranges[i].end);
	add_code(&sorted);
	codectl_ranges_fini(&sorted);
}

static uint64_t *gone_place(uint64_t address)
{
	return &gone[(address >> PAGE_SHIFT) % GONE_SIZE];
}

static bool is_gone(uint64_t address)
{
	return *gone_place(address) == address >> PAGE_SHIFT;
}

static void note_gone(uint64_t address)
{
	*gone_place(address) = address >> PAGE_SHIFT;
}

static bool is_code(uint64_t address)
{
	return codectl_thin_find(code.ranges, code.count, address);
}

bool codectl_view_is_outdated_by_pc(uint64_t now, uint64_t pc)
{
	if (maps.mapping_count == 0 || is_code(pc) || pc >= ADDRESS_MAX || is_gone(pc) ||
		!update_for_certain(now))
		return false;
	if (!is_code(pc))
		note_gone(pc);
	return true;
}

bool codectl_view_is_outdated_by_frames(uint64_t now, uint64_t frame_pointer, uint64_t stack_start,
	const uint64_t *words, size_t word_count)
{
	if (!codectl_budget_allows(&budget, now) || maps.mapping_count == 0)
		return false;

	uint64_t lowest = maps.mappings[0].start;
	uint64_t at = frame_pointer;

	while (at >= stack_start && at % 8 == 0 && (at - stack_start) / 8 + 1 < word_count) {
		const uint64_t *frame = &words[(at - stack_start) / 8];

		if (frame[1] >= lowest && frame[1] < ADDRESS_MAX && !is_code(frame[1]) &&
			!is_gone(frame[1])) {
			bool is_done = update(now);

			if (!is_code(frame[1]))
				note_gone(frame[1]);
			return is_done;
		}
		if (frame[0] <= at)
			break;
		at = frame[0];
	}
	return false;
}

/*
 * Whether there was memory at @address that could be used. Compilers reserve room
 * for code and allow its use as they need it; nobody else has pointers into there.
 */
static bool is_known(uint64_t address)
{
	const struct codectl_mapping *mapping = codectl_maps_find(&maps, address);

	return mapping && (mapping->is_readable || mapping->is_executable);
}

bool codectl_view_is_outdated_by(uint64_t now, const uint64_t *words, size_t word_count)
{
	if (!codectl_budget_allows(&budget, now) || maps.mapping_count == 0)
		return false;

	uint64_t lowest = maps.mappings[0].start;
	bool is_outdated = false;

	for (size_t i = 0; i < word_count; i++) {
		if (words[i] < lowest || words[i] >= ADDRESS_MAX || is_gone(words[i]) ||
			is_known(words[i]))
			continue;
		is_outdated = is_outdated || update(now);
		/* The rest of the words need no snapshot of their own. */
		if (!is_known(words[i]))
			note_gone(words[i]);
	}
	return is_outdated;
}

void codectl_view_get_executable(const struct codectl_range **ranges, size_t *count)
{
	*ranges = code.ranges;
	*count = code.count;
}

void codectl_view_after_fork(void)
{
	/* The parent's helper thread may have been at work on it; the memory is given up. */
	maps = (struct codectl_maps){0};
	code = code_before = code_since = spare = (struct codectl_ranges){0};
	has_maps = false;
	memset(gone, 0, sizeof(gone));
	budget.not_before = certain_budget.not_before = 0;
}
