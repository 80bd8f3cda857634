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
		free(cache->names[i].texts);
	memset(cache, 0, sizeof(*cache));
}

/* Copies @text to *@end, which it moves. */
static void copy_text(char **end, const struct codectl_name_text *text)
{
	memcpy(*end, text->start, text->len + 1);
	*end += text->len + 1;
}

void codectl_name_cache_keep(struct codectl_name_cache *cache,
	const struct codectl_cached_place *place, const struct codectl_name_texts *texts)
{
	struct codectl_cached_name *kept = codectl_name_cache_slot(cache, place);
	size_t size = texts->bin.len + texts->func.len + texts->src.len + 3;
	struct codectl_cached_texts *copy = size <= TEXTS_MAX
						    ? realloc(kept->texts, sizeof(*copy) + size)
						    : NULL;

	if (!copy)
		return;
	*copy = (struct codectl_cached_texts){
		.reason = texts->reason.start,
		.reason_len = (uint16_t)texts->reason.len,
		.bin_len = (uint16_t)texts->bin.len,
		.func_len = (uint16_t)texts->func.len,
		.src_len = (uint16_t)texts->src.len,
	};
	char *end = copy->texts;
	copy_text(&end, &texts->bin);
	copy_text(&end, &texts->func);
	copy_text(&end, &texts->src);
	kept->place = *place;
	kept->texts = copy;
}
