/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "space/space.h"

#include <errno.h>
#include <stdlib.h>

#define VPID  100
#define START 5

static struct codectl_event registration(
	uint64_t serial, uint64_t time, const char *path, uint64_t start, uint64_t end)
{
	return (struct codectl_event){
		.type = CODECTL_EVENT_REGISTER_ELF,
		.vpid = VPID,
		.start_time = START,
		.timestamp = time,
		.register_elf = {.serial = serial,
			.elf_start = start,
			.elf_end = end,
			.text_start = start,
			.text_end = end,
			.pathname = path,
			.debug_link_pathname = ""},
	};
}

static void add(struct codectl_space *space, uint64_t serial, uint64_t time, const char *path,
	uint64_t start, uint64_t end)
{
	struct codectl_event event = registration(serial, time, path, start, end);

	CHECK_INT(codectl_space_apply(space, &event), 0);
}

static int drop(struct codectl_space *space, uint64_t serial, uint64_t registered, uint64_t time,
	uint64_t start)
{
	return codectl_space_apply(space, &(struct codectl_event){
						  .type = CODECTL_EVENT_UNREGISTER,
						  .vpid = VPID,
						  .start_time = START,
						  .timestamp = time,
						  .unregister = {.serial = serial,
							  .registered_serial = registered,
							  .text_start = start},
					  });
}

static int dump(struct codectl_space *space, enum codectl_event_type type, uint64_t serial,
	uint64_t count, uint64_t time)
{
	return codectl_space_apply(space, &(struct codectl_event){
						  .type = type,
						  .vpid = VPID,
						  .start_time = START,
						  .timestamp = time,
						  .statedump = {.serial = serial, .count = count},
					  });
}

/* The path that answers for @pc at @time, "-" if there is none. */
static const char *path_at(struct codectl_space *space, uint64_t pc, uint64_t time)
{
	struct codectl_process *process = codectl_space_find_process(space, VPID, START);

	if (!process)
		return "-";

	const struct codectl_mapping *mapping = codectl_process_find(process, pc, time);

	return mapping ? mapping->object->pathname : "-";
}

static uint64_t generation_at(struct codectl_space *space, uint64_t time)
{
	return codectl_process_generation(codectl_space_find_process(space, VPID, START), time);
}

TEST(bounds_of_a_range)
{
	struct codectl_space *space = codectl_space_create();

	CHECK_STR(path_at(space, 0x1000, 10), "-");
	add(space, 1, 10, "/a", 0x1000, 0x2000);
	CHECK_STR(path_at(space, 0xfff, 10), "-");
	CHECK_STR(path_at(space, 0x1000, 10), "/a");
	CHECK_STR(path_at(space, 0x1fff, 10), "/a");
	CHECK_STR(path_at(space, 0x2000, 10), "-");
	codectl_space_destroy(space);
}

TEST(epochs_at_one_address)
{
	struct codectl_space *space = codectl_space_create();

	add(space, 1, 10, "/a", 0x1000, 0x2000);
	CHECK_INT(drop(space, 2, 1, 20, 0x1000), 0);
	add(space, 3, 30, "/b", 0x1000, 0x2000);
	CHECK_STR(path_at(space, 0x1800, 10), "/a");
	CHECK_STR(path_at(space, 0x1800, 19), "/a");
	/* Nothing was there, so the next one answers: seen a little late. */
	CHECK_STR(path_at(space, 0x1800, 20), "/b");
	CHECK_STR(path_at(space, 0x1800, 9), "/a");
	CHECK_STR(path_at(space, 0x1800, 1000), "/b");
	CHECK_INT(drop(space, 4, 3, 40, 0x1000), 0);
	CHECK_STR(path_at(space, 0x1800, 39), "/b");
	CHECK_STR(path_at(space, 0x1800, 40), "-");
	codectl_space_destroy(space);
}

TEST(later_registration_wins_on_overlap)
{
	struct codectl_space *space = codectl_space_create();

	add(space, 1, 10, "/a", 0x1000, 0x4000);
	add(space, 2, 20, "/b", 0x2000, 0x3000);
	add(space, 3, 30, "/c", 0x2800, 0x5000);
	CHECK_STR(path_at(space, 0x1fff, 40), "/a");
	CHECK_STR(path_at(space, 0x2000, 40), "/b");
	CHECK_STR(path_at(space, 0x2000, 15), "/a");
	CHECK_STR(path_at(space, 0x2800, 40), "/c");
	CHECK_STR(path_at(space, 0x2800, 25), "/b");
	CHECK_STR(path_at(space, 0x3800, 40), "/c");
	CHECK_STR(path_at(space, 0x3800, 25), "/a");
	CHECK_STR(path_at(space, 0x4800, 40), "/c");
	/* What was hidden shows again when the newer one goes. */
	CHECK_INT(drop(space, 4, 3, 50, 0x2800), 0);
	CHECK_STR(path_at(space, 0x2900, 60), "/b");
	CHECK_STR(path_at(space, 0x3800, 60), "/a");
	CHECK_STR(path_at(space, 0x4800, 60), "-");
	codectl_space_destroy(space);
}

TEST(events_out_of_order)
{
	struct codectl_space *space = codectl_space_create();

	add(space, 3, 30, "/b", 0x1000, 0x2000);
	add(space, 1, 10, "/a", 0x1000, 0x2000);
	CHECK_INT(drop(space, 2, 1, 20, 0x1000), 0);
	CHECK_STR(path_at(space, 0x1000, 15), "/a");
	CHECK_STR(path_at(space, 0x1000, 35), "/b");
	codectl_space_destroy(space);
}

TEST(images_of_one_pid_are_apart)
{
	struct codectl_space *space = codectl_space_create();
	struct codectl_event event = registration(1, 10, "/a", 0x1000, 0x2000);

	CHECK_INT(codectl_space_apply(space, &event), 0);
	event.start_time = START + 1;
	event.register_elf.pathname = "/b";
	CHECK_INT(codectl_space_apply(space, &event), 0);
	CHECK_STR(path_at(space, 0x1000, 10), "/a");

	struct codectl_process *other = codectl_space_find_process(space, VPID, START + 1);

	CHECK(other);
	CHECK_STR(codectl_process_find(other, 0x1000, 10)->object->pathname, "/b");
	codectl_space_destroy(space);
}

TEST(objects_are_shared)
{
	struct codectl_space *space = codectl_space_create();
	struct codectl_event event = registration(1, 10, "/a", 0x1000, 0x2000);

	CHECK_INT(codectl_space_apply(space, &event), 0);
	event.vpid = VPID + 1;
	event.register_elf.elf_start = event.register_elf.text_start = 0x1800;
	CHECK_INT(codectl_space_apply(space, &event), 0);
	/* Another build under the same path is another object. */
	event.vpid = VPID + 2;
	event.register_elf.build_id = (const uint8_t *)"\1\2";
	event.register_elf.build_id_len = 2;
	CHECK_INT(codectl_space_apply(space, &event), 0);

	const struct codectl_mapping *mappings[3];

	for (int i = 0; i < 3; i++) {
		mappings[i] = codectl_process_find(
			codectl_space_find_process(space, VPID + i, START), 0x1900, 10);
		CHECK(mappings[i]);
	}
	CHECK_INT(mappings[0]->object->id, mappings[1]->object->id);
	CHECK(mappings[2]->object->id != mappings[1]->object->id);
	codectl_space_destroy(space);
}

TEST(nonsense_is_dropped_and_counted)
{
	struct codectl_space *space = codectl_space_create();
	struct codectl_event event = registration(1, 10, "/a", 0x2000, 0x1000);

	CHECK_INT(codectl_space_apply(space, &event), -EINVAL);
	event = registration(2, 10, "/a", 0x1000, 0x2000);
	event.register_elf.elf_end = 0x1800;
	CHECK_INT(codectl_space_apply(space, &event), -EINVAL);
	CHECK_INT(codectl_space_borrow_stats(space)->bad_ranges, 2);
	CHECK_INT(drop(space, 3, 77, 20, 0x1000), -EINVAL);
	CHECK_INT(codectl_space_borrow_stats(space)->unknown_unregisters, 1);
	/* An unregistration that claims to be older than its registration. */
	add(space, 4, 100, "/b", 0x1000, 0x2000);
	CHECK_INT(drop(space, 5, 4, 50, 0x1000), 0);
	CHECK_STR(path_at(space, 0x1000, 100), "-");
	/* The ends of the address space. */
	add(space, 6, 10, "/top", UINT64_MAX - 1, UINT64_MAX);
	CHECK_STR(path_at(space, UINT64_MAX - 1, 10), "/top");
	CHECK_STR(path_at(space, UINT64_MAX, 10), "-");
	codectl_space_destroy(space);
}

TEST(completeness_follows_serials)
{
	struct codectl_space *space = codectl_space_create();

	add(space, 1, 10, "/a", 0x1000, 0x2000);

	struct codectl_process *process = codectl_space_find_process(space, VPID, START);

	CHECK(codectl_process_is_complete(process, 1));
	CHECK(!codectl_process_is_complete(process, 2));
	add(space, 3, 10, "/c", 0x3000, 0x4000);
	add(space, 4, 10, "/d", 0x4000, 0x5000);
	CHECK(!codectl_process_is_complete(process, 3));
	add(space, 2, 10, "/b", 0x2000, 0x3000);
	CHECK(codectl_process_is_complete(process, 4));
	codectl_space_destroy(space);
}

TEST(state_dump_ends_what_it_lacks)
{
	struct codectl_space *space = codectl_space_create();

	add(space, 1, 10, "/a", 0x1000, 0x2000);
	add(space, 2, 10, "/b", 0x2000, 0x3000);
	/* Serials 3 (unregister /a) and 4 (register /c) were lost. */
	CHECK_INT(dump(space, CODECTL_EVENT_STATEDUMP_BEGIN, 4, 2, 50), 0);
	add(space, 2, 10, "/b", 0x2000, 0x3000);
	/* Meanwhile life goes on; not part of the dump. */
	add(space, 5, 51, "/e", 0x5000, 0x6000);
	add(space, 4, 40, "/c", 0x3000, 0x4000);
	CHECK_INT(dump(space, CODECTL_EVENT_STATEDUMP_END, 4, 2, 52), 0);
	CHECK_STR(path_at(space, 0x1000, 49), "/a");
	CHECK_STR(path_at(space, 0x1000, 50), "-");
	CHECK_STR(path_at(space, 0x2000, 60), "/b");
	CHECK_STR(path_at(space, 0x3000, 60), "/c");
	CHECK_STR(path_at(space, 0x5000, 60), "/e");
	CHECK(codectl_process_is_complete(codectl_space_find_process(space, VPID, START), 5));
	CHECK(codectl_process_is_complete(codectl_space_find_process(space, VPID, START), 4));
	/* What lived between 2 and 4 only, nobody knows. */
	CHECK(!codectl_process_is_complete(codectl_space_find_process(space, VPID, START), 3));
	CHECK_INT(codectl_space_borrow_stats(space)->closed_by_dump, 1);
	CHECK_INT(codectl_space_borrow_stats(space)->repeated, 1);
	codectl_space_destroy(space);
}

TEST(damaged_state_dump_ends_nothing)
{
	struct codectl_space *space = codectl_space_create();

	add(space, 1, 10, "/a", 0x1000, 0x2000);
	CHECK_INT(dump(space, CODECTL_EVENT_STATEDUMP_BEGIN, 4, 2, 50), 0);
	add(space, 2, 10, "/b", 0x2000, 0x3000);
	CHECK_INT(dump(space, CODECTL_EVENT_STATEDUMP_END, 4, 2, 52), -EINVAL);
	CHECK_STR(path_at(space, 0x1000, 60), "/a");
	CHECK(!codectl_process_is_complete(codectl_space_find_process(space, VPID, START), 4));
	CHECK_INT(dump(space, CODECTL_EVENT_STATEDUMP_END, 4, 2, 52), -EINVAL);
	CHECK_INT(codectl_space_borrow_stats(space)->incomplete_dumps, 2);
	codectl_space_destroy(space);
}

TEST(generation_names_the_answers)
{
	struct codectl_space *space = codectl_space_create();

	add(space, 1, 10, "/a", 0x1000, 0x2000);

	uint64_t before = generation_at(space, 9);
	uint64_t after = generation_at(space, 10);

	CHECK(before && after && before != after);
	CHECK_INT(generation_at(space, 1000), after);
	add(space, 2, 20, "/b", 0x2000, 0x3000);
	CHECK(generation_at(space, 10) != after);
	CHECK(generation_at(space, 10) != generation_at(space, 20));
	CHECK_INT(generation_at(space, 19), generation_at(space, 10));
	codectl_space_destroy(space);
}

/* Against a slow model: random epochs, every answer at random times. */
TEST(agrees_with_a_model)
{
	enum { COUNT = 400, PAGES = 64 };

	static struct codectl_event events[COUNT];
	static uint64_t ends[COUNT];
	struct codectl_space *space = codectl_space_create();
	uint64_t serial = 0;

	srand(42);
	for (int i = 0; i < COUNT; i++) {
		uint64_t start = (uint64_t)(rand() % PAGES) << 12;
		uint64_t len = (uint64_t)(1 + rand() % 8) << 12;
		char path[16] = {'/', (char)('a' + i % 26), (char)('a' + i / 26), '\0'};

		events[i] = registration(
			++serial, (uint64_t)(rand() % 1000), strdup(path), start, start + len);
		CHECK_INT(codectl_space_apply(space, &events[i]), 0);
		ends[i] = UINT64_MAX;
		if (rand() % 2) {
			ends[i] = events[i].timestamp + (uint64_t)(rand() % 300);
			CHECK_INT(drop(space, ++serial, events[i].register_elf.serial, ends[i],
					  start),
				0);
		}
	}
	for (int probe = 0; probe < 20000; probe++) {
		uint64_t pc = (uint64_t)(rand() % ((PAGES + 8) << 12));
		uint64_t time = (uint64_t)(rand() % 1300);
		int alive = -1, later = -1;

		for (int i = 0; i < COUNT; i++) {
			const struct codectl_event *event = &events[i];

			if (pc < event->register_elf.text_start ||
				pc >= event->register_elf.text_end)
				continue;
			if (event->timestamp > time) {
				if (later < 0 || event->timestamp < events[later].timestamp)
					later = i;
			} else if (time < ends[i]) {
				if (alive < 0 || event->timestamp >= events[alive].timestamp)
					alive = i;
			}
		}

		int answer = alive >= 0 ? alive : later;

		CHECK_STR(path_at(space, pc, time),
			answer >= 0 ? events[answer].register_elf.pathname : "-");
	}
	for (int i = 0; i < COUNT; i++)
		free((char *)(uintptr_t)events[i].register_elf.pathname);
	codectl_space_destroy(space);
}

#define PROCESS_COUNT	   10000
#define OBJECTS_OF_PROCESS 20
#define KEPT_MAX	   1000

/* Registers what a process has; each has the same objects. */
static void begin_process(struct codectl_space *space, int32_t vpid, uint64_t time)
{
	for (uint64_t i = 0; i < OBJECTS_OF_PROCESS; i++) {
		struct codectl_event event = registration(
			i + 1, time, "/lib/a.so", 0x1000 + i * 0x1000, 0x1800 + i * 0x1000);

		event.vpid = vpid;
		CHECK_INT(codectl_space_apply(space, &event), 0);
	}
}

static void count_forgotten(void *user, const struct codectl_mapping *mapping)
{
	uint64_t *count = user;

	CHECK(mapping->id != 0);
	++*count;
}

/* Nothing says that processes end. Those that are asked for stay. */
TEST(many_processes)
{
	struct codectl_space *space = codectl_space_create();
	const struct codectl_space_stats *stats = codectl_space_borrow_stats(space);
	uint64_t forgotten = 0;

	codectl_space_set_kept_max(space, KEPT_MAX);
	codectl_space_set_listener(space, count_forgotten, &forgotten);
	for (int32_t vpid = 1; vpid <= PROCESS_COUNT; vpid++) {
		begin_process(space, vpid, (uint64_t)vpid);
		CHECK(stats->kept <= KEPT_MAX);

		const struct codectl_process *first = codectl_space_find_process(space, 1, START);

		CHECK(first && codectl_process_find(first, 0x1000, (uint64_t)vpid));
	}
	CHECK(stats->forgotten > PROCESS_COUNT - KEPT_MAX / OBJECTS_OF_PROCESS);
	CHECK_INT(forgotten, stats->forgotten * OBJECTS_OF_PROCESS);
	CHECK(!codectl_space_find_process(space, 2, START));
	CHECK(codectl_space_find_process(space, PROCESS_COUNT, START));
	/* Who is told of again after all begins anew. */
	begin_process(space, 2, PROCESS_COUNT);
	CHECK(codectl_process_find(
		codectl_space_find_process(space, 2, START), 0x1000, PROCESS_COUNT));
	codectl_space_destroy(space);
}

/* One that is larger than all that is kept is kept. */
TEST(large_process)
{
	struct codectl_space *space = codectl_space_create();
	const struct codectl_space_stats *stats = codectl_space_borrow_stats(space);

	codectl_space_set_kept_max(space, OBJECTS_OF_PROCESS / 2);
	begin_process(space, 1, 1);
	CHECK_INT(stats->forgotten, 0);
	CHECK(codectl_process_find(codectl_space_find_process(space, 1, START), 0x1000, 1));
	begin_process(space, 2, 1);
	CHECK_INT(stats->forgotten, 1);
	codectl_space_destroy(space);
}
