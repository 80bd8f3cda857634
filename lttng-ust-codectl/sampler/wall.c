/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/wall.h"

#include "provider/helper.h"
#include "sampler/budget.h"
#include "sampler/procfs.h"
#include "sampler/timers.h"
#include "sampler/view.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Who is looked at from outside has no CPU that it runs on. */
#define NO_CPU UINT32_MAX

/* The last sample of a thread: enough to emit it again. */
struct codectl_kept {
	struct codectl_event event; /* Its arrays are in `words`. */
	uint64_t ticks;		    /* Those that it still stands for. */
	size_t capacity;
	uint64_t words[];
};

static uint64_t interval;
static uint64_t last_tick;
static int sample_signal;
static uint32_t stack_size;
static uint64_t cookie_state;
/* Looking at threads takes a tenth of a CPU at most; ticks that were missed are made up for. */
static struct codectl_budget budget = {.rest = 10};

#define HEADER_WORDS (sizeof(struct codectl_capture) / 8)

/* A capture that is made here. */
static uint64_t outside_words[HEADER_WORDS + CODECTL_CAPTURE_STACK_MAX / 8];
static struct codectl_capture *const outside = (struct codectl_capture *)outside_words;

_Static_assert(sizeof(struct codectl_capture) % 8 == 0, "the stack is behind whole words");

void codectl_wall_init(uint64_t wanted_interval, int signal_number, uint32_t wanted_stack_size)
{
	interval = wanted_interval;
	sample_signal = signal_number;
	stack_size = wanted_stack_size < CODECTL_CAPTURE_STACK_MAX ? wanted_stack_size
								   : CODECTL_CAPTURE_STACK_MAX;
	cookie_state = codectl_provider_now() ^ (uint64_t)(uintptr_t)outside_words;
	codectl_helper_set_period(interval);
}

static void emit_weighing(struct codectl_slot *slot, struct codectl_event *event, uint64_t ticks)
{
	event->sample.weight = ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
	codectl_provider_emit(event);
	if (event->sample.cpu == NO_CPU)
		slot->wall_taken++;
}

void codectl_wall_flush(struct codectl_slot *slot)
{
	struct codectl_kept *kept = slot->wall_kept;

	if (!kept || kept->ticks == 0)
		return;
	kept->event.sample.cpu = NO_CPU;
	emit_weighing(slot, &kept->event, kept->ticks);
	kept->ticks = 0;
}

static bool is_same(const struct codectl_kept *kept, const struct codectl_event *event)
{
	const struct codectl_event_sample *old = &kept->event.sample, *new = &event->sample;

	return old->regs[CODECTL_AMD64_RIP] == new->regs[CODECTL_AMD64_RIP] &&
	       old->regs[CODECTL_AMD64_RSP] == new->regs[CODECTL_AMD64_RSP] &&
	       old->stack_start == new->stack_start && old->stack_len == new->stack_len &&
	       old->stack_count == new->stack_count &&
	       !memcmp(old->stack_map, new->stack_map, new->stack_map_count * 8) &&
	       !memcmp(old->stack, new->stack, new->stack_count * 8);
}

static const uint64_t *copy_words(uint64_t **to, const uint64_t *from, size_t count)
{
	const uint64_t *copy = *to;

	memcpy(*to, from, count * sizeof(*from));
	*to += count;
	return copy;
}

/* Without memory, the thread's sleep counts for what comes next. */
static void keep(struct codectl_slot *slot, const struct codectl_event *event)
{
	const struct codectl_event_sample *sample = &event->sample;
	size_t count = sample->reg_count + sample->stack_map_count + sample->stack_count;
	struct codectl_kept *kept = slot->wall_kept;

	if (!kept || kept->capacity < count) {
		free(kept);
		slot->wall_kept = kept = malloc(sizeof(*kept) + count * sizeof(uint64_t));
		if (!kept)
			return;
		kept->capacity = count;
	}
	kept->event = *event;
	kept->ticks = 0;

	uint64_t *to = kept->words;

	kept->event.sample.regs = copy_words(&to, sample->regs, sample->reg_count);
	kept->event.sample.stack_map = copy_words(&to, sample->stack_map, sample->stack_map_count);
	kept->event.sample.stack = copy_words(&to, sample->stack, sample->stack_count);
}

/* The thread was still there at @timestamp. */
static void count_again(struct codectl_kept *kept, uint64_t ticks, uint64_t timestamp)
{
	kept->ticks += ticks;
	kept->event.timestamp = timestamp;
}

void codectl_wall_emit(struct codectl_slot *slot, struct codectl_event *event, bool is_asleep)
{
	struct codectl_kept *kept = slot->wall_kept;
	uint64_t ticks = slot->wall_ticks ? slot->wall_ticks : 1;

	slot->wall_ticks = 0;
	if (is_asleep && kept && is_same(kept, event)) {
		count_again(kept, ticks, event->timestamp);
		return;
	}
	/* The handler's may have waited in the ring while the thread went to sleep. */
	if (!kept || kept->event.timestamp <= event->timestamp) {
		codectl_wall_flush(slot);
		keep(slot, event);
	}
	emit_weighing(slot, event, ticks);
}

void codectl_wall_release(struct codectl_slot *slot)
{
	codectl_wall_flush(slot);
	free(slot->wall_kept);
	slot->wall_kept = NULL;
}

/* The signal is for one sample, and who sends it must know this number. */
static void send_signal(struct codectl_slot *slot)
{
	siginfo_t info = {.si_code = SI_QUEUE};

	/* The last one is still on its way; or the thread blocks it. */
	if (slot->state != CODECTL_SLOT_ARMED ||
		__atomic_load_n(&slot->wall_cookie, __ATOMIC_RELAXED))
		return;
	cookie_state = cookie_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);

	uint64_t cookie = (cookie_state & ~CODECTL_COOKIE_INDEX_MASK) | codectl_slot_index(slot);

	info.si_signo = sample_signal;
	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value.sival_ptr = (void *)(uintptr_t)cookie;
	__atomic_store_n(&slot->wall_cookie, cookie, __ATOMIC_RELEASE);
	if (syscall(SYS_rt_tgsigqueueinfo, info.si_pid, slot->tid, sample_signal, &info) != 0)
		__atomic_store_n(&slot->wall_cookie, 0, __ATOMIC_RELAXED);
}

/*
 * The frame pointer of a thread that waits is in no memory that can be read, but
 * code that has one has saved its caller's next to its return address: the first
 * such pair that leads to another return address is where it points. Code
 * without frame pointers does not need it.
 */
static uint64_t guess_frame_pointer(uint64_t start, size_t count)
{
	const struct codectl_range *code;
	size_t code_count;

	codectl_view_get_executable(&code, &code_count);
	for (size_t i = 0; i + 1 < count; i++) {
		uint64_t word = outside->stack[i];
		size_t caller = (size_t)(word - start) / 8;

		if (word % 8 == 0 && word > start + i * 8 && caller < count - 1 &&
			codectl_thin_find(code, code_count, outside->stack[i + 1]) &&
			codectl_thin_find(code, code_count, outside->stack[caller + 1]))
			return start + i * 8;
	}
	return 0;
}

/*
 * Fills `outside` with a thread that waits, and returns its length; 0 if it does
 * not wait, or has gone on meanwhile, or cannot be looked at.
 */
static size_t look_at(const struct codectl_slot *slot)
{
	struct codectl_wait before, after;
	uint64_t start = slot->home_start, end = slot->home_end;

	if (codectl_procfs_read_wait(slot->tid, &before) != 0 || before.sp < start ||
		before.sp >= end || before.sp % 8 != 0)
		return 0;

	size_t len = end - before.sp < stack_size ? end - before.sp : stack_size;

	len &= ~(size_t)7;
	if (codectl_provider_read_memory(before.sp, outside->stack, len) != 0 ||
		codectl_procfs_read_wait(slot->tid, &after) != 0 || before.sp != after.sp ||
		before.pc != after.pc)
		return 0;
	*outside = (struct codectl_capture){
		.timestamp = codectl_provider_now(),
		.serial = codectl_provider_last_serial(),
		.cpu = NO_CPU,
		.stack_start = before.sp,
	};
	outside->regs[CODECTL_AMD64_RIP] = before.pc;
	outside->regs[CODECTL_AMD64_RSP] = before.sp;
	outside->regs[CODECTL_AMD64_RBP] = guess_frame_pointer(before.sp, len / 8);
	return sizeof(*outside) + len;
}

static void sample(struct codectl_slot *slot, uint64_t ticks, codectl_wall_take take)
{
	uint64_t now = codectl_provider_now();

	slot->wall_ticks += ticks;
	codectl_timers_update_cpu_time(slot);
	if (slot->wall_kept && slot->cpu_time == slot->wall_cpu_time) {
		count_again(slot->wall_kept, slot->wall_ticks, now);
		slot->wall_ticks = 0;
		return;
	}

	uint64_t cpu_time = slot->cpu_time;
	size_t len = look_at(slot);

	codectl_timers_update_cpu_time(slot);
	if (len == 0 || slot->cpu_time != cpu_time) {
		send_signal(slot);
		return;
	}
	slot->wall_cpu_time = cpu_time;
	take(slot, outside, len);
}

void codectl_wall_round(uint64_t now, codectl_wall_take take)
{
	if (last_tick == 0)
		last_tick = now - interval;
	if (now - last_tick < interval || !codectl_budget_allows(&budget, now))
		return;

	uint64_t ticks = (now - last_tick) / interval;

	last_tick += ticks * interval;
	codectl_budget_begin(&budget);
	for (size_t i = 0; i < codectl_slot_used_count(); i++) {
		struct codectl_slot *slot = codectl_slot_used(i);

		if (!slot->is_listener &&
			(slot->state == CODECTL_SLOT_ARMED || slot->state == CODECTL_SLOT_BLOCKED))
			sample(slot, ticks, take);
	}
	codectl_budget_end(&budget);
}
