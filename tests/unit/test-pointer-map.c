/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "trace-ir/pointer-map.h"

#include <stdlib.h>

#define KEY_COUNT 1000

/* Keys are addresses in here, as close as those of objects are. */
static char keys[KEY_COUNT][16];

TEST(empty)
{
	struct codectl_pointer_map map = {0};
	size_t cursor = 0;

	CHECK(!codectl_pointer_map_find(&map, keys[0]));
	CHECK(!codectl_pointer_map_remove(&map, keys[0]));
	CHECK(!codectl_pointer_map_next(&map, &cursor));
	codectl_pointer_map_fini(&map);
}

TEST(all_are_found_while_some_go)
{
	struct codectl_pointer_map map = {0};

	for (size_t i = 0; i < KEY_COUNT; i++)
		CHECK_INT(codectl_pointer_map_insert(&map, keys[i], &keys[i][1]), 0);
	CHECK_INT(map.count, KEY_COUNT);
	/* Every removal may break a chain of others. */
	for (size_t i = 0; i < KEY_COUNT; i += 3) {
		CHECK(codectl_pointer_map_remove(&map, keys[i]) == &keys[i][1]);
		CHECK(!codectl_pointer_map_remove(&map, keys[i]));
	}
	for (size_t i = 0; i < KEY_COUNT; i++)
		CHECK(codectl_pointer_map_find(&map, keys[i]) == (i % 3 ? &keys[i][1] : NULL));
	codectl_pointer_map_fini(&map);
}

TEST(removed_keys_can_come_again)
{
	struct codectl_pointer_map map = {0};

	for (size_t round = 0; round < 5; round++) {
		for (size_t i = 0; i < KEY_COUNT; i++)
			CHECK_INT(codectl_pointer_map_insert(&map, keys[i], &keys[i][round]), 0);
		for (size_t i = 0; i < KEY_COUNT; i++)
			CHECK(codectl_pointer_map_remove(&map, keys[i]) == &keys[i][round]);
	}
	CHECK_INT(map.count, 0);
	/* What is gone leaves no capacity behind. */
	CHECK(map.capacity <= 4096);
	codectl_pointer_map_fini(&map);
}

TEST(a_walk_meets_each_value_once)
{
	struct codectl_pointer_map map = {0};
	char *value;
	size_t cursor = 0, count = 0;

	for (size_t i = 0; i < KEY_COUNT; i++)
		CHECK_INT(codectl_pointer_map_insert(&map, keys[i], keys[i]), 0);
	while ((value = codectl_pointer_map_next(&map, &cursor))) {
		CHECK_INT(*value, 0);
		*value = 1;
		count++;
	}
	CHECK_INT(count, KEY_COUNT);
	codectl_pointer_map_fini(&map);
}
