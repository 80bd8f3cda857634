/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/name-cache.h"

#include <stdlib.h>
#include <string.h>

/* Longer texts are not kept. */
#define TEXTS_MAX 512

void codectl_name_cache_clear(struct codectl_name_cache *cache)
{
	for (size_t i = 0; i < sizeof(cache->names) / sizeof(cache->names[0]); i++)
		free(cache->names[i].copies);
	memset(cache, 0, sizeof(*cache));
}

/* Copies @text to *@end, which it moves. */
static struct codectl_name_text copy_text(char **end, const struct codectl_name_text *text)
{
	const struct codectl_name_text copy = {
		.start = memcpy(*end, text->start, text->len + 1), .len = text->len};

	*end += text->len + 1;
	return copy;
}

void codectl_name_cache_keep(struct codectl_name_cache *cache,
	const struct codectl_cached_place *place, const struct codectl_name_texts *texts)
{
	struct codectl_cached_name *kept = codectl_name_cache_slot(cache, place);
	size_t size = texts->bin.len + texts->func.len + texts->src.len + 3;
	char *end = size <= TEXTS_MAX ? realloc(kept->copies, size) : NULL;

	if (!end)
		return;
	kept->place = *place;
	kept->copies = end;
	kept->texts.bin = copy_text(&end, &texts->bin);
	kept->texts.func = copy_text(&end, &texts->func);
	kept->texts.src = copy_text(&end, &texts->src);
	kept->texts.reason = texts->reason;
}
