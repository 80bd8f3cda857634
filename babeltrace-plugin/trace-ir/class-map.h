/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * trace-ir/class-map.h: what we know of event and stream classes, by their
 * address, as long as the library keeps their trace class. One thread.
 */
#ifndef CODECTL_TRACE_IR_CLASS_MAP_H
#define CODECTL_TRACE_IR_CLASS_MAP_H

#include "trace-ir/pointer-map.h"

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>

struct codectl_class_map {
	bool owns_values;
	struct codectl_pointer_map values;	  /* By class. */
	struct codectl_pointer_map trace_classes; /* Owned values. */
};

/*
 * An empty map. If it @owns_values, they are freed with free() when their trace class
 * ends, or the map does.
 */
static inline void codectl_class_map_init(struct codectl_class_map *map, bool owns_values)
{
	*map = (struct codectl_class_map){.owns_values = owns_values};
}

void codectl_class_map_fini(struct codectl_class_map *map);

/* The value of @class, or NULL. */
static inline void *codectl_class_map_find(const struct codectl_class_map *map, const void *class)
{
	return codectl_pointer_map_find(&map->values, class);
}

/*
 * Adds the value (not NULL) of a @class that is not in the map yet and is part of
 * @trace_class. Returns 0, or -ENOMEM and the value stays the caller's.
 */
int codectl_class_map_insert(struct codectl_class_map *map, const bt_trace_class *trace_class,
	const void *class, void *value);

#endif /* CODECTL_TRACE_IR_CLASS_MAP_H */
