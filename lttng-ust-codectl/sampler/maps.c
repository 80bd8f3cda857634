/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/maps.h"

#include "format/quiet-open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* User space ends here; [vsyscall], far above, would spoil the quick reject of thinning. */
#define USER_END ((uint64_t)1 << 56)

struct line {
	const char *next;
	const char *end;
};

/* Grows an array of @count elements to hold one more. */
static int grow(void **array, size_t *capacity, size_t count, size_t element_size)
{
	if (count < *capacity)
		return 0;

	size_t wanted = *capacity ? *capacity * 2 : 64;
	void *bigger = reallocarray(*array, wanted, element_size);

	if (!bigger)
		return -ENOMEM;
	*array = bigger;
	*capacity = wanted;
	return 0;
}

static bool read_hex(struct line *line, uint64_t *value)
{
	const char *start = line->next;

	*value = 0;
	for (; line->next < line->end; line->next++) {
		char c = *line->next;

		if (c >= '0' && c <= '9')
			*value = *value << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			*value = *value << 4 | (uint64_t)(c - 'a' + 10);
		else
			break;
	}
	return line->next > start;
}

static bool skip_char(struct line *line, char expected)
{
	if (line->next >= line->end || *line->next != expected)
		return false;
	line->next++;
	return true;
}

/* `start-end perms offset major:minor inode   name` (proc_pid_maps(5)). */
static bool parse_line(struct line line, struct codectl_mapping *mapping)
{
	static const char main_stack[] = "[stack]";
	uint64_t ignored;

	*mapping = (struct codectl_mapping){0};
	if (!read_hex(&line, &mapping->start) || !skip_char(&line, '-') ||
		!read_hex(&line, &mapping->end) || !skip_char(&line, ' ') ||
		line.end - line.next < 5 || mapping->start >= mapping->end)
		return false;
	mapping->is_readable = line.next[0] == 'r';
	mapping->is_writable = line.next[1] == 'w';
	mapping->is_executable = line.next[2] == 'x';
	line.next += 5;
	if (!read_hex(&line, &ignored) || !skip_char(&line, ' ') || !read_hex(&line, &ignored) ||
		!skip_char(&line, ':') || !read_hex(&line, &ignored) || !skip_char(&line, ' '))
		return false;
	/* The inode is decimal; 0 means that there is no file. */
	mapping->is_anonymous = line.end - line.next >= 1 && line.next[0] == '0';

	size_t name_len = sizeof(main_stack) - 1;

	mapping->is_main_stack = (size_t)(line.end - line.next) > name_len &&
				 !memcmp(line.end - name_len, main_stack, name_len);
	return true;
}

int codectl_ranges_add(struct codectl_ranges *list, uint64_t start, uint64_t end)
{
	struct codectl_range *last = list->count > 0 ? &list->ranges[list->count - 1] : NULL;

	if (last && last->end >= start) {
		if (last->end < end)
			last->end = end;
		return 0;
	}

	int ret = grow((void **)&list->ranges, &list->capacity, list->count, sizeof(*last));

	if (ret == 0)
		list->ranges[list->count++] = (struct codectl_range){start, end};
	return ret;
}

int codectl_ranges_unite(struct codectl_ranges *all, const struct codectl_ranges *some,
	const struct codectl_ranges *others)
{
	size_t i = 0, j = 0;
	int ret = 0;

	all->count = 0;
	while (ret == 0 && (i < some->count || j < others->count)) {
		bool is_some = j == others->count ||
			       (i < some->count && some->ranges[i].start < others->ranges[j].start);
		const struct codectl_range *next = is_some ? &some->ranges[i++]
							   : &others->ranges[j++];

		ret = codectl_ranges_add(all, next->start, next->end);
	}
	return ret;
}

void codectl_ranges_fini(struct codectl_ranges *list)
{
	free(list->ranges);
	*list = (struct codectl_ranges){0};
}

/* What @mapping adds to the executable ranges, given those that were anonymous before. */
static int add_code_of(struct codectl_maps *maps, const struct codectl_mapping *mapping,
	const struct codectl_ranges *before, size_t *cursor)
{
	int ret = 0;

	if (mapping->end > USER_END)
		return 0;
	if (mapping->is_executable) {
		ret = codectl_ranges_add(&maps->executable, mapping->start, mapping->end);
		if (ret == 0 && mapping->is_anonymous)
			ret = codectl_ranges_add(&maps->sticky, mapping->start, mapping->end);
		return ret;
	}
	if (!mapping->is_anonymous || mapping->is_main_stack)
		return 0;
	while (*cursor < before->count && before->ranges[*cursor].end <= mapping->start)
		(*cursor)++;
	for (size_t i = *cursor; i < before->count && ret == 0; i++) {
		const struct codectl_range *range = &before->ranges[i];
		uint64_t start = range->start > mapping->start ? range->start : mapping->start;
		uint64_t end = range->end < mapping->end ? range->end : mapping->end;

		if (start >= end)
			break;
		ret = codectl_ranges_add(&maps->executable, start, end);
		if (ret == 0)
			ret = codectl_ranges_add(&maps->sticky, start, end);
	}
	return ret;
}

int codectl_maps_parse(struct codectl_maps *maps, const char *text, size_t len)
{
	const struct codectl_ranges before = maps->sticky;
	const char *end = text + len;
	size_t cursor = 0;
	int ret = 0;

	maps->sticky = maps->spare;
	maps->spare = before;
	maps->sticky.count = 0;
	maps->executable.count = 0;
	maps->mapping_count = 0;
	while (text < end && ret == 0) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		struct line line = {text, newline ? newline : end};
		struct codectl_mapping mapping;

		text = newline ? newline + 1 : end;
		if (!parse_line(line, &mapping))
			continue;
		ret = grow((void **)&maps->mappings, &maps->mapping_capacity, maps->mapping_count,
			sizeof(*maps->mappings));
		if (ret == 0) {
			maps->mappings[maps->mapping_count++] = mapping;
			ret = add_code_of(maps, &mapping, &before, &cursor);
		}
	}
	return ret;
}

int codectl_maps_read(struct codectl_maps *maps)
{
	/* That of the process is empty once its first thread has ended. */
	int fd = codectl_quiet_open("/proc/thread-self/maps", 0);
	char *text = NULL;
	size_t len = 0, capacity = 0;
	ssize_t got = 0;
	int ret = fd < 0 ? -errno : 0;

	while (ret == 0) {
		if (len == capacity) {
			char *bigger = realloc(text, capacity + 32 * 1024);

			if (!bigger) {
				ret = -ENOMEM;
				break;
			}
			text = bigger;
			capacity += 32 * 1024;
		}
		got = read(fd, text + len, capacity - len);
		if (got <= 0) {
			ret = got < 0 ? -errno : 0;
			break;
		}
		len += (size_t)got;
	}
	if (ret == 0)
		ret = codectl_maps_parse(maps, text, len);
	free(text);
	if (fd >= 0)
		codectl_quiet_close(fd);
	return ret;
}

void codectl_maps_fini(struct codectl_maps *maps)
{
	free(maps->mappings);
	free(maps->executable.ranges);
	free(maps->sticky.ranges);
	free(maps->spare.ranges);
	*maps = (struct codectl_maps){0};
}

const struct codectl_mapping *codectl_maps_find(const struct codectl_maps *maps, uint64_t address)
{
	size_t low = 0, high = maps->mapping_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (maps->mappings[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == maps->mapping_count || maps->mappings[low].start > address)
		return NULL;
	return &maps->mappings[low];
}

int codectl_maps_find_thread_stack(
	const struct codectl_maps *maps, uint64_t tcb, struct codectl_range *stack)
{
	const struct codectl_mapping *mapping = codectl_maps_find(maps, tcb);

	if (!mapping || !mapping->is_readable || !mapping->is_writable || !mapping->is_anonymous)
		return -ENOENT;

	/*
	 * Without a guard area right below, the mapping may have been merged with
	 * others which go away earlier than the thread.
	 */
	const struct codectl_mapping *below = mapping > maps->mappings ? mapping - 1 : NULL;

	if (!below || below->end != mapping->start || below->is_readable || below->is_writable ||
		below->is_executable)
		return -ENOENT;
	*stack = (struct codectl_range){mapping->start, tcb};
	return 0;
}

int codectl_maps_find_main_stack(const struct codectl_maps *maps, struct codectl_range *stack)
{
	for (size_t i = maps->mapping_count; i > 0; i--) {
		const struct codectl_mapping *mapping = &maps->mappings[i - 1];

		if (mapping->is_main_stack) {
			*stack = (struct codectl_range){mapping->start, mapping->end};
			return 0;
		}
	}
	return -ENOENT;
}
