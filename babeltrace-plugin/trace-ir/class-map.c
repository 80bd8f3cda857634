/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "trace-ir/class-map.h"

#include <errno.h>
#include <stdlib.h>

struct member {
	const void *class; /* Weak. */
	struct member *next;
};

/* Its end is the end of its classes. */
struct trace_class {
	struct codectl_class_map *map; /* Weak; owns this. */
	const bt_trace_class *source;  /* Weak; the listener tells of its end. */
	bt_listener_id listener_id;
	struct member *members; /* Owned. */
};

static void destroy_trace_class(struct trace_class *trace_class)
{
	struct codectl_class_map *map = trace_class->map;
	struct member *member = trace_class->members;

	while (member) {
		struct member *next = member->next;
		void *value = codectl_pointer_map_remove(&map->values, member->class);

		if (map->owns_values)
			free(value);
		free(member);
		member = next;
	}
	codectl_pointer_map_remove(&map->trace_classes, trace_class->source);
	free(trace_class);
}

static void on_trace_class_destroyed(const bt_trace_class *source, void *user)
{
	(void)source;
	destroy_trace_class(user);
}

void codectl_class_map_fini(struct codectl_class_map *map)
{
	struct trace_class *trace_class;
	size_t cursor = 0;

	/* Removing an entry moves others, so each search begins anew. */
	while ((trace_class = codectl_pointer_map_next(&map->trace_classes, &cursor))) {
		bt_trace_class_remove_destruction_listener(
			trace_class->source, trace_class->listener_id);
		destroy_trace_class(trace_class);
		cursor = 0;
	}
	codectl_pointer_map_fini(&map->values);
	codectl_pointer_map_fini(&map->trace_classes);
}

static struct trace_class *get_trace_class(
	struct codectl_class_map *map, const bt_trace_class *source)
{
	struct trace_class *trace_class = codectl_pointer_map_find(&map->trace_classes, source);

	if (trace_class)
		return trace_class;
	trace_class = calloc(1, sizeof(*trace_class));
	if (!trace_class)
		return NULL;
	trace_class->map = map;
	trace_class->source = source;
	if (codectl_pointer_map_insert(&map->trace_classes, source, trace_class) < 0 ||
		bt_trace_class_add_destruction_listener(source, on_trace_class_destroyed,
			trace_class,
			&trace_class->listener_id) != BT_TRACE_CLASS_ADD_LISTENER_STATUS_OK) {
		destroy_trace_class(trace_class);
		return NULL;
	}
	return trace_class;
}

int codectl_class_map_insert(struct codectl_class_map *map, const bt_trace_class *trace_class,
	const void *class, void *value)
{
	struct trace_class *owner = get_trace_class(map, trace_class);
	struct member *member = owner ? calloc(1, sizeof(*member)) : NULL;

	if (!member)
		return -ENOMEM;
	if (codectl_pointer_map_insert(&map->values, class, value) < 0) {
		free(member);
		return -ENOMEM;
	}
	member->class = class;
	member->next = owner->members;
	owner->members = member;
	return 0;
}
