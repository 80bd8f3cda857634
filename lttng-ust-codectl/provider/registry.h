/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/registry.h: the code which is registered now, ordered by kind and
 * address, and the serial numbers. A skip list for each kind: registering and
 * unregistering take O(log n), and no memory beside the registration's own.
 *
 * Who may do what:
 *
 *  - Writers, and state dumps, hold one mutex. It makes publishing a change and
 *    emitting its event one step: a dump never shows a registration after the
 *    event that ended it. It is a leaf lock: its holder emits events, and
 *    otherwise calls nothing which takes a lock of the loader, of LTTng-UST or
 *    of the allocator. LTTng's listener thread takes it with ust_lock held. All
 *    signals are blocked while it is held.
 *  - Readers without the lock see each change as one store, and what they have
 *    found stays allocated until they say that they are done: RCU. There is one
 *    at a time: who holds the helper's round lock (provider/helper.c).
 *  - A signal handler calls codectl_registry_last_serial(), which is one atomic
 *    load, and nothing else. No read side of liburcu is safe there: that of a
 *    thread which is not registered registers it, which takes a lock and uses
 *    thread-local storage of another library, and that may allocate.
 *  - The child of a fork finds every list whole, wherever other threads were: a
 *    registration is there as soon as, and as long as, it is linked at the
 *    lowest level; the levels above only make the way shorter.
 *
 * Why the readers are not liburcu's: its flavours with registered readers never
 * forget a thread that did not live through a fork, so that a child would wait
 * for it for ever; and urcu-bp and LTTng-UST's own flavour wait for all readers of
 * the process, among them those that wait in a blocking channel, or which call
 * codectl() themselves. With one reader, which knows when it is done, a grace
 * period is the end of its round, and nobody ever waits.
 */
#ifndef CODECTL_PROVIDER_REGISTRY_H
#define CODECTL_PROVIDER_REGISTRY_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codectl_event;
struct codectl_registration;
struct lttng_ust_session;

/*
 * Kinds are independent of each other: only within one may ranges not overlap.
 * A dump has them in this order.
 */
enum codectl_code_kind {
	CODECTL_CODE_ELF,
	CODECTL_CODE_JIT,
	CODECTL_CODE_SYMBOL, /* A function of generated code; see codectl_registry_replace(). */
	CODECTL_CODE_KIND_COUNT
};

/* Of a kind. The first two run under the registry's lock, whose rules they keep. */
struct codectl_registration_ops {
	/*
	 * Emits the event that registers it, and whatever else is known of it: to
	 * all sessions when it is new (@session is NULL), else to @session only.
	 */
	void (*emit)(const struct codectl_registration *registration,
		const struct lttng_ust_session *session);
	/*
	 * It is about to end: the last chance to read, and to emit, what belongs
	 * to it and goes away when codectl() returns. May be NULL.
	 */
	void (*drain)(struct codectl_registration *registration);
	/*
	 * Makes the event of its end, whose serial is @serial; its timestamp is set
	 * by the registry. NULL: it is an UNREGISTER event.
	 */
	void (*make_end)(const struct codectl_registration *registration, uint64_t serial,
		struct codectl_event *event);
	/* How many rows emit() tells of in a dump. NULL: none. Under the lock. */
	uint64_t (*count_rows)(const struct codectl_registration *registration);
	/* Frees it, when no reader can have it any more. Without the lock, on any thread. */
	void (*destroy)(struct codectl_registration *registration);
};

/* 4^12 registrations until the lists get slower. */
#define CODECTL_REGISTRY_LEVELS 12

struct codectl_registry_link {
	struct codectl_registration *_Atomic to; /* Weak; NULL at the end. */
};

/* The first member of a kind's own structure. */
struct codectl_registration {
	/* Set by who adds it. Never changed while it is registered. */
	const struct codectl_registration_ops *ops; /* Weak; static lifetime. */
	enum codectl_code_kind kind;
	uint64_t text_start;
	uint64_t text_end;
	bool yields; /* Any other one that overlaps it, of whatever kind, ends it. */
	/* Set by codectl_registry_add(); a time that is not 0 stays: it happened earlier. */
	uint64_t serial;
	uint64_t timestamp;
	/* The registry's. */
	unsigned int level_count;
	struct codectl_registry_link next[CODECTL_REGISTRY_LEVELS];
	struct codectl_registration *next_removed; /* Weak. */
};

/*
 * Registers and emits. Takes @registration over if it succeeds. Returns 0, or
 * -EEXIST if it overlaps another one of its kind that does not yield. Any thread.
 */
int codectl_registry_add(struct codectl_registration *registration);

/*
 * Drains and unregisters what has exactly this range, and emits. Returns 0 or
 * -ENOENT. Any thread.
 */
int codectl_registry_remove(enum codectl_code_kind kind, uint64_t text_start, uint64_t text_end);

/* As codectl_registry_add(), but ends those of its kind that it overlaps, and emits that. */
void codectl_registry_replace(struct codectl_registration *registration);

/*
 * As codectl_registry_remove(), whatever its end, if @is_it says so of the one that
 * starts at @text_start. @timestamp: when it was; 0: now.
 */
int codectl_registry_remove_if(enum codectl_code_kind kind, uint64_t text_start, uint64_t timestamp,
	bool (*is_it)(const struct codectl_registration *registration, const void *user),
	const void *user);

/*
 * Removes all of a kind that are within a range, and emits nothing: what ended
 * them has been, or will be, told. Any thread.
 */
void codectl_registry_forget_within(
	enum codectl_code_kind kind, uint64_t text_start, uint64_t text_end);

/* Gives out the next serial, for an event of its own. With the lock. */
uint64_t codectl_registry_take_serial(void);

/* The last serial given out. Wait-free, async-signal-safe. */
uint64_t codectl_registry_last_serial(void);

/*
 * @thread has all signals blocked for good: where it takes the lock, no mask has to
 * be changed. One thread; none after a fork.
 */
void codectl_registry_set_quiet_thread(pthread_t thread);

void codectl_registry_lock(sigset_t *saved_mask);
void codectl_registry_unlock(const sigset_t *saved_mask);

/* Gives up after @timeout_ns. Returns whether it is locked. */
bool codectl_registry_lock_timed(sigset_t *saved_mask, uint64_t timeout_ns);

/*
 * Between these two, which may not be nested, codectl_registry_find() and
 * codectl_registry_next() may be called without the lock, and what they return stays
 * allocated; it may have been unregistered meanwhile. Holder of the helper's round
 * lock only. The end frees what was removed since.
 */
void codectl_registry_begin_read(void);
void codectl_registry_end_read(void);

/*
 * The first registration of @kind that ends above @address: the one that holds the
 * address, if any does. And the one after a registration. In ascending order; NULL:
 * none. Weak. With the lock, or while reading. To let others in between, a holder of
 * the lock who walks a long list unlocks, locks, and goes on from the last text_end.
 */
struct codectl_registration *codectl_registry_find(enum codectl_code_kind kind, uint64_t address);
struct codectl_registration *codectl_registry_next(const struct codectl_registration *registration);

/* Number of registrations. Exact with the lock, else of a moment ago. */
size_t codectl_registry_count(void);

/* In the child of a fork, whatever other threads were doing. */
void codectl_registry_after_fork(void);

#endif /* CODECTL_PROVIDER_REGISTRY_H */
