/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The registry alone; what it emits is counted here.
 */
#include "lib/tap.h"

#include "provider/emit.h"
#include "provider/helper.h"
#include "provider/registry.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALIVE 0x616c697665
#define DEAD  0x64656164

struct entry {
	struct codectl_registration base;
	uint64_t state;
};

/* What happened, in order: r(egister), d(rain), u(nregister), f(ree). Of one thread. */
static char story[64];
static _Atomic uint64_t emitted_count;
static _Atomic uint64_t destroyed_count;

static void tell(char what)
{
	size_t len = strlen(story);

	if (len + 1 < sizeof(story))
		story[len] = what;
}

uint64_t codectl_provider_now(void)
{
	return 1 + atomic_load(&emitted_count);
}

void codectl_emit_live(const struct codectl_event *event)
{
	CHECK_INT(event->type, CODECTL_EVENT_UNREGISTER);
	CHECK_INT(event->unregister.serial, codectl_registry_last_serial());
	CHECK(event->unregister.registered_serial < event->unregister.serial);
	atomic_fetch_add(&emitted_count, 1);
	tell('u');
}

static void emit_entry(
	const struct codectl_registration *registration, const struct lttng_ust_session *session)
{
	CHECK(session == NULL);
	CHECK_INT(registration->serial, codectl_registry_last_serial());
	CHECK(registration->timestamp > 0);
	atomic_fetch_add(&emitted_count, 1);
	tell('r');
}

static void drain_entry(struct codectl_registration *registration)
{
	/* It is still there. */
	CHECK(codectl_registry_find(registration->kind, registration->text_start) == registration);
	tell('d');
}

static void destroy_entry(struct codectl_registration *registration)
{
	struct entry *entry = (struct entry *)registration;

	CHECK_HEX(entry->state, ALIVE);
	entry->state = DEAD;
	atomic_fetch_add(&destroyed_count, 1);
	tell('f');
	free(entry);
}

static const struct codectl_registration_ops plain_ops = {
	.emit = emit_entry, .destroy = destroy_entry};
static const struct codectl_registration_ops drained_ops = {
	.emit = emit_entry, .drain = drain_entry, .destroy = destroy_entry};

static int add_any(const struct codectl_registration_ops *ops, enum codectl_code_kind kind,
	bool yields, uint64_t start, uint64_t end)
{
	struct entry *entry = calloc(1, sizeof(*entry));

	CHECK(entry != NULL);
	entry->state = ALIVE;
	entry->base.ops = ops;
	entry->base.kind = kind;
	entry->base.yields = yields;
	entry->base.text_start = start;
	entry->base.text_end = end;

	int ret = codectl_registry_add(&entry->base);

	if (ret)
		free(entry);
	return ret;
}

static int add_with(const struct codectl_registration_ops *ops, enum codectl_code_kind kind,
	uint64_t start, uint64_t end)
{
	return add_any(ops, kind, false, start, end);
}

static int add(uint64_t start, uint64_t end)
{
	return add_with(&plain_ops, CODECTL_CODE_ELF, start, end);
}

static int remove_elf(uint64_t start, uint64_t end)
{
	return codectl_registry_remove(CODECTL_CODE_ELF, start, end);
}

static void check_found(uint64_t address, uint64_t start)
{
	const struct codectl_registration *found = codectl_registry_find(CODECTL_CODE_ELF, address);

	CHECK_HEX(found ? found->text_start : 0, start);
}

/* Whether the lists are whole. Returns how many registrations there are. */
static size_t check_lists(void)
{
	size_t count = 0;

	for (int kind = 0; kind < CODECTL_CODE_KIND_COUNT; kind++) {
		uint64_t end = 0;

		for (const struct codectl_registration *at =
				codectl_registry_find((enum codectl_code_kind)kind, 0);
			at; at = codectl_registry_next(at)) {
			CHECK_HEX(((const struct entry *)at)->state, ALIVE);
			CHECK(at->text_start >= end);
			end = at->text_end;
			/* And the way over the upper levels leads to it as well. */
			CHECK(codectl_registry_find(at->kind, at->text_start) == at);
			CHECK(codectl_registry_find(at->kind, end - 1) == at);
			count++;
		}
	}
	return count;
}

TEST(find_and_next)
{
	check_found(0, 0);
	CHECK_INT(add(0x3000, 0x4000), 0);
	CHECK_INT(add(0x1000, 0x2000), 0);
	CHECK_INT(add(0x2000, 0x2800), 0);
	check_found(0, 0x1000);
	check_found(0x1fff, 0x1000);
	check_found(0x2000, 0x2000);
	check_found(0x2800, 0x3000);
	check_found(0x3fff, 0x3000);
	check_found(0x4000, 0);
	CHECK_INT(check_lists(), 3);
	CHECK_INT(codectl_registry_count(), 3);
	CHECK_INT(add(0x2fff, 0x3001), -EEXIST);
	CHECK_INT(remove_elf(0x2000, 0x2801), -ENOENT);
	CHECK_INT(remove_elf(0x2000, 0x2800), 0);
	check_found(0x2000, 0x3000);
	CHECK_INT(remove_elf(0x1000, 0x2000), 0);
	CHECK_INT(remove_elf(0x3000, 0x4000), 0);
	CHECK_INT(codectl_registry_count(), 0);
}

TEST(kinds_are_independent)
{
	CHECK_INT(add(0x1000, 0x4000), 0);
	CHECK_INT(add_with(&plain_ops, CODECTL_CODE_JIT, 0x2000, 0x3000), 0);
	CHECK_INT(add_with(&plain_ops, CODECTL_CODE_JIT, 0x1000, 0x4000), -EEXIST);
	CHECK_INT(check_lists(), 2);
	CHECK_INT(codectl_registry_remove(CODECTL_CODE_JIT, 0x1000, 0x4000), -ENOENT);
	CHECK_INT(remove_elf(0x2000, 0x3000), -ENOENT);
	CHECK_INT(remove_elf(0x1000, 0x4000), 0);
	CHECK_INT(codectl_registry_remove(CODECTL_CODE_JIT, 0x2000, 0x3000), 0);
}

TEST(what_happens_in_order)
{
	CHECK_INT(add_with(&drained_ops, CODECTL_CODE_JIT, 0x1000, 0x2000), 0);
	CHECK_INT(codectl_registry_remove(CODECTL_CODE_JIT, 0x1000, 0x2000), 0);
	CHECK_STR(story, "rduf");
}

TEST(a_reader_keeps_what_it_found)
{
	CHECK_INT(add(0x1000, 0x2000), 0);
	CHECK_INT(add(0x2000, 0x3000), 0);
	CHECK_INT(add(0x3000, 0x4000), 0);
	codectl_registry_begin_read();

	const struct codectl_registration *found = codectl_registry_find(CODECTL_CODE_ELF, 0x1000);

	CHECK_INT(remove_elf(0x1000, 0x2000), 0);
	CHECK_INT(remove_elf(0x2000, 0x3000), 0);
	CHECK_STR(story, "rrruu");
	/* And goes on from there to what is left; through what is gone, perhaps. */
	CHECK_HEX(((const struct entry *)found)->state, ALIVE);
	while (found->text_start < 0x3000)
		found = codectl_registry_next(found);
	CHECK_HEX(found->text_start, 0x3000);
	check_found(0, 0x3000);
	codectl_registry_end_read();
	CHECK_STR(story, "rrruuff");
	CHECK_INT(remove_elf(0x3000, 0x4000), 0);
	CHECK_STR(story, "rrruuffuf");
}

/* Against a model: slots that are free or taken, alone or with their neighbour. */
#define SLOTS 512

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 33;
}

TEST(as_a_model_says)
{
	uint8_t taken[SLOTS + 1] = {
		0}; /* Slots that it takes, at its first one; 3: by another's. */
	uint64_t state = 1;
	size_t count = 0;

	for (int step = 0; step < 40000; step++) {
		uint64_t slot = next_random(&state) % SLOTS;
		uint8_t len = (uint8_t)(slot + 1 < SLOTS ? 1 + next_random(&state) % 2 : 1);
		uint64_t start = 0x1000 + slot * 0x10;
		uint64_t end = start + len * UINT64_C(0x10);
		bool is_free = !taken[slot] && (len == 1 || !taken[slot + 1]);

		if (next_random(&state) % 2) {
			CHECK_INT(add(start, end), is_free ? 0 : -EEXIST);
			if (!is_free)
				continue;
			taken[slot] = len;
			if (len == 2)
				taken[slot + 1] = 3;
			count++;
		} else {
			CHECK_INT(remove_elf(start, end), taken[slot] == len ? 0 : -ENOENT);
			if (taken[slot] != len)
				continue;
			memset(&taken[slot], 0, len);
			count--;
		}
		if (step % 100 == 0)
			CHECK_INT(check_lists(), count);
	}
	CHECK_INT(codectl_registry_count(), count);
	CHECK_INT(codectl_registry_last_serial(), atomic_load(&emitted_count));
}

#define WRITERS	   8
#define PER_WRITER 4000
#define FORKS	   200

static atomic_bool are_done;

static void write_one(uint64_t *state)
{
	uint64_t start = 0x1000 + next_random(state) % 256 * 0x10;

	if (remove_elf(start, start + 0x10))
		add(start, start + 0x10);
}

static void *write_many(void *arg)
{
	uint64_t state = (uintptr_t)arg + 1;

	for (int i = 0; i < PER_WRITER; i++)
		write_one(&state);
	return NULL;
}

static void start_writers(pthread_t *threads, void *(*write)(void *))
{
	for (uintptr_t i = 0; i < WRITERS; i++)
		CHECK_INT(pthread_create(&threads[i], NULL, write, (void *)i), 0);
}

static void join_writers(const pthread_t *threads)
{
	for (size_t i = 0; i < WRITERS; i++)
		CHECK_INT(pthread_join(threads[i], NULL), 0);
}

static void *read_for_long(void *unused)
{
	while (!atomic_load(&are_done)) {
		codectl_registry_begin_read();
		for (uint64_t address = 0x1000; address < 0x2000; address += 0x10) {
			const struct codectl_registration *at = codectl_registry_find(
				CODECTL_CODE_ELF, address);

			for (; at; at = codectl_registry_next(at)) {
				CHECK_HEX(((const struct entry *)at)->state, ALIVE);
				CHECK(at->text_end > address);
				address = at->text_end - 1;
			}
		}
		codectl_registry_end_read();
	}
	return unused;
}

TEST(a_reader_among_writers)
{
	pthread_t writers[WRITERS];
	pthread_t reader;

	CHECK_INT(pthread_create(&reader, NULL, read_for_long, NULL), 0);
	start_writers(writers, write_many);
	join_writers(writers);
	atomic_store(&are_done, true);
	CHECK_INT(pthread_join(reader, NULL), 0);

	size_t count = check_lists();

	CHECK_INT(codectl_registry_count(), count);
	/* Each serial was given once, and what is gone is freed. */
	CHECK_INT(codectl_registry_last_serial(), atomic_load(&emitted_count));
	CHECK_INT(atomic_load(&destroyed_count) * 2 + count, atomic_load(&emitted_count));
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER
#endif

/* The sanitizers' allocators do not live through a fork among threads. */
#ifndef HAS_SANITIZER
static void use_in_child(void)
{
	codectl_registry_after_fork();

	uint64_t before = codectl_registry_last_serial();
	size_t count = check_lists();

	CHECK_INT(codectl_registry_count(), count);
	for (uint64_t start = 0x1000; start < 0x2000; start += 0x10) {
		if (remove_elf(start, start + 0x10) == 0)
			count--;
		CHECK_INT(add(start, start + 0x10), 0);
		count++;
	}
	CHECK_INT(check_lists(), count);
	CHECK_INT(count, 256);
	CHECK(codectl_registry_last_serial() > before);
	while (count-- > 0)
		CHECK_INT(remove_elf(0x1000 + count * 0x10, 0x1010 + count * 0x10), 0);
	CHECK_INT(check_lists(), 0);
}

static void *write_until_done(void *arg)
{
	uint64_t state = (uintptr_t)arg + 1;

	while (!atomic_load(&are_done))
		write_one(&state);
	return NULL;
}

TEST(fork_among_writers)
{
	pthread_t writers[WRITERS];

	start_writers(writers, write_until_done);
	for (int i = 0; i < FORKS; i++) {
		int status;
		pid_t pid = fork();

		CHECK(pid >= 0);
		if (pid == 0) {
			alarm(20);
			use_in_child();
			_exit(EXIT_SUCCESS);
		}
		CHECK_INT(waitpid(pid, &status, 0), pid);
		CHECK_INT(status, 0);
	}
	atomic_store(&are_done, true);
	join_writers(writers);
}
#endif

/* What is known of no more than that it is code gives way, to all kinds. */
TEST(what_yields)
{
	CHECK_INT(add_any(&plain_ops, CODECTL_CODE_JIT, true, 0x1000, 0x9000), 0);
	CHECK_INT(add_any(&plain_ops, CODECTL_CODE_JIT, true, 0xa000, 0xb000), 0);
	CHECK_INT(add_with(&plain_ops, CODECTL_CODE_JIT, 0xc000, 0xd000), 0);
	/* Not if another one in the way does not. */
	CHECK_INT(add_with(&plain_ops, CODECTL_CODE_JIT, 0xa800, 0xc800), -EEXIST);
	CHECK_INT(check_lists(), 3);
	CHECK_INT(add_any(&plain_ops, CODECTL_CODE_JIT, true, 0xc800, 0xe000), -EEXIST);
	CHECK_INT(add_with(&plain_ops, CODECTL_CODE_JIT, 0x2000, 0x3000), 0);
	CHECK_INT(check_lists(), 3);
	CHECK(codectl_registry_find(CODECTL_CODE_JIT, 0)->text_start == 0x2000);
	CHECK_INT(add(0xaf00, 0xd800), 0);
	CHECK_INT(check_lists(), 3);
	CHECK(codectl_registry_find(CODECTL_CODE_JIT, 0x3000)->text_start == 0xc000);
}
