/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "provider/register-elf.h"

#include "codectl/ext.h"
#include "format/event.h"
#include "provider/emit.h"
#include "provider/export.h"
#include "provider/helper-thread.h"
#include "provider/helper.h"
#include "provider/memory.h"
#include "provider/recent.h"
#include "provider/registry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct code_elf_info) == CODE_ELF_INFO_SIZE_VER0, "ABI of the RFC");
_Static_assert(sizeof(struct code_elf_ranges) == CODE_ELF_RANGES_SIZE_VER0, "ABI");

/* What the text range needs of a structure. */
#define TEXT_RANGE_END (offsetof(struct code_elf_info, text_end) + sizeof(__u64))

struct elf_registration {
	struct codectl_registration base;
	struct codectl_event_register_elf
		elf; /* But for the serial; its strings are in storage[]. */
	char storage[];
};

/* Everything that one registration may point to. */
struct payload {
	char pathname[CODE_PATHNAME_MAX];
	char debug_link_pathname[CODE_PATHNAME_MAX];
	uint8_t build_id[CODE_BUILD_ID_MAX];
};

static void emit_elf(
	const struct codectl_registration *registration, const struct lttng_ust_session *session)
{
	struct codectl_event event = {
		.type = CODECTL_EVENT_REGISTER_ELF,
		.timestamp = registration->timestamp,
		.register_elf = ((const struct elf_registration *)registration)->elf,
	};

	event.register_elf.serial = registration->serial;
	if (session) {
		codectl_emit_to_session(session, &event);
		return;
	}
	codectl_recent_note(registration->text_start, registration->text_end);
	codectl_emit_live(&event);
}

static void destroy_elf(struct codectl_registration *registration)
{
	free(registration);
}

static const struct codectl_registration_ops elf_ops = {.emit = emit_elf, .destroy = destroy_elf};

static int check_elf(const struct code_elf_info *info)
{
	if (info->text_start >= info->text_end)
		return -EINVAL;
	if ((info->elf_start || info->elf_end) &&
		(info->text_start < info->elf_start || info->text_end > info->elf_end))
		return -EINVAL;
	if (info->sframe_start > info->sframe_end)
		return -EINVAL;
	if (info->build_id && info->build_id_len > CODE_BUILD_ID_MAX)
		return -EINVAL;
	return 0;
}

/* What a registration points to, in memory of ours. */
struct parts {
	const char *pathname;
	size_t path_len;
	const char *debug_link_pathname;
	size_t link_len;
	const uint8_t *build_id;
	size_t build_id_len;
};

/* Returns the string's length (0 if there is none) or a negative errno. */
static int copy_string(char *to, uint64_t address)
{
	if (!address) {
		*to = '\0';
		return 0;
	}
	return codectl_memory_read_string(address, to, CODE_PATHNAME_MAX);
}

/* One after the other, to find out which of them is not there. */
static int copy_each(const struct code_elf_info *info, struct payload *payload)
{
	int ret = copy_string(payload->pathname, info->pathname);

	if (ret >= 0)
		ret = copy_string(payload->debug_link_pathname, info->debug_link_pathname);
	return ret < 0 ? ret
		       : codectl_provider_read_memory(
				 info->build_id, payload->build_id, info->build_id_len);
}

/*
 * All with one system call, which takes most of the time of a registration. Returns
 * whether that was possible: strings need not end where their page does.
 */
static bool copy_at_once(const struct code_elf_info *info, struct payload *payload)
{
	const struct codectl_memory_part all[] = {
		{info->pathname, payload->pathname,
			codectl_memory_page_part(info->pathname, CODE_PATHNAME_MAX)},
		{info->debug_link_pathname, payload->debug_link_pathname,
			codectl_memory_page_part(info->debug_link_pathname, CODE_PATHNAME_MAX)},
		{info->build_id, payload->build_id, info->build_id_len},
	};
	struct codectl_memory_part wanted[3];
	size_t count = 0;

	payload->pathname[0] = payload->debug_link_pathname[0] = '\0';
	for (size_t i = 0; i < 3; i++) {
		if (all[i].address && all[i].len)
			wanted[count++] = all[i];
	}
	return codectl_memory_read_parts(wanted, count) == 0 &&
	       memchr(payload->pathname, '\0', info->pathname ? all[0].len : 1) &&
	       memchr(payload->debug_link_pathname, '\0',
		       info->debug_link_pathname ? all[1].len : 1);
}

/* Copies what @info points to, which need not be there. Returns 0 or a negative errno. */
static int copy_parts(
	const struct code_elf_info *info, struct payload *payload, struct parts *parts)
{
	if (!copy_at_once(info, payload)) {
		int ret = copy_each(info, payload);

		if (ret)
			return ret;
	}
	*parts = (struct parts){
		.pathname = payload->pathname,
		.path_len = strlen(payload->pathname),
		.debug_link_pathname = payload->debug_link_pathname,
		.link_len = strlen(payload->debug_link_pathname),
		.build_id = payload->build_id,
		.build_id_len = info->build_id ? info->build_id_len : 0,
	};
	return 0;
}

/* Makes a registration with copies of @parts. Returns NULL without memory. */
static struct elf_registration *create_registration(
	const struct code_elf_info *info, const struct parts *parts)
{
	struct elf_registration *made = malloc(
		sizeof(*made) + parts->path_len + 1 + parts->link_len + 1 + parts->build_id_len);

	if (!made)
		return NULL;

	char *pathname = made->storage;
	char *debug_link = pathname + parts->path_len + 1;
	char *build_id = debug_link + parts->link_len + 1;

	memcpy(pathname, parts->pathname, parts->path_len + 1);
	memcpy(debug_link, parts->debug_link_pathname, parts->link_len + 1);
	if (parts->build_id_len)
		memcpy(build_id, parts->build_id, parts->build_id_len);
	made->base = (struct codectl_registration){
		.ops = &elf_ops,
		.kind = CODECTL_CODE_ELF,
		.text_start = info->text_start,
		.text_end = info->text_end,
	};
	made->elf = (struct codectl_event_register_elf){
		.elf_start = info->elf_start,
		.elf_end = info->elf_end,
		.text_start = info->text_start,
		.text_end = info->text_end,
		.sframe_start = info->sframe_start,
		.sframe_end = info->sframe_end,
		.pathname = pathname,
		.build_id = parts->build_id_len ? (const uint8_t *)build_id : NULL,
		.build_id_len = parts->build_id_len,
		.debug_link_pathname = debug_link,
		.debug_link_crc = info->debug_link_crc,
	};
	return made;
}

CODECTL_EXPORT bool codectl_provider_find_elf_within(
	uint64_t start, uint64_t end, struct codectl_event_register_elf *elf)
{
	const struct codectl_registration *found = codectl_registry_find(CODECTL_CODE_ELF, start);

	if (!found || end <= found->text_start)
		return false;
	*elf = ((const struct elf_registration *)found)->elf;
	elf->serial = found->serial;
	return true;
}

CODECTL_EXPORT bool codectl_provider_find_elf(
	uint64_t address, struct codectl_event_register_elf *elf)
{
	return codectl_provider_find_elf_within(address, address + 1, elf);
}

static bool ends_at(const struct codectl_registration *registration, const void *text_end)
{
	return registration->text_end == *(const uint64_t *)text_end;
}

CODECTL_EXPORT int codectl_provider_unregister_elf(
	uint64_t text_start, uint64_t text_end, uint64_t timestamp)
{
	return codectl_registry_remove_if(
		CODECTL_CODE_ELF, text_start, timestamp, ends_at, &text_end);
}

static int add(const struct code_elf_info *info, const struct parts *parts)
{
	struct elf_registration *registration = create_registration(info, parts);

	if (!registration)
		return -ENOMEM;

	int ret = codectl_registry_add(&registration->base);

	if (ret)
		free(registration);
	return ret;
}

/* Registers what @info, in memory of our own, says; what it points to need not be there. */
static int register_info(const struct code_elf_info *info)
{
	struct parts parts;
	int ret = check_elf(info);

	if (ret)
		return ret;

	/* Not on the stack: the caller may be a thread or a coroutine with a small one. */
	struct payload *payload = malloc(sizeof(*payload));

	if (!payload)
		return -ENOMEM;
	ret = copy_parts(info, payload, &parts);
	if (ret == 0)
		ret = add(info, &parts);
	free(payload);
	return ret;
}

CODECTL_EXPORT int codectl_provider_register_elf(const struct code_elf_info *info)
{
	const char *pathname = (const char *)(uintptr_t)info->pathname;
	const char *debug_link = (const char *)(uintptr_t)info->debug_link_pathname;
	const struct parts parts = {
		.pathname = pathname,
		.path_len = strlen(pathname),
		.debug_link_pathname = debug_link,
		.link_len = strlen(debug_link),
		.build_id = (const uint8_t *)(uintptr_t)info->build_id,
		.build_id_len = info->build_id_len,
	};
	int saved_errno = errno;
	int ret = check_elf(info);

	if (ret == 0)
		ret = add(info, &parts);
	if (ret == 0)
		codectl_helper_start();
	errno = saved_errno;
	return ret;
}

int codectl_register_elf(const void *user_info, size_t size)
{
	struct code_elf_info info;

	if (size < TEXT_RANGE_END)
		return -EINVAL;

	int ret = codectl_memory_copy_struct(&info, sizeof(info), user_info, size);

	return ret ? ret : register_info(&info);
}

/* What CODE_EXT_*_ELF_RANGES is called with, copied. */
struct elf_ranges {
	struct code_elf_info elf;
	size_t count;
	struct code_text_range *ranges; /* Owned. */
};

static int copy_ranges(struct elf_ranges *copied, const void *user_info, size_t size)
{
	struct code_elf_ranges info;
	int ret = codectl_memory_copy_struct(&info, sizeof(info), user_info, size);

	if (ret)
		return ret;
	if (info.range_count == 0 || info.range_count > CODE_TEXT_RANGE_MAX)
		return -EINVAL;
	ret = codectl_memory_copy_struct(&copied->elf, sizeof(copied->elf),
		(const void *)(uintptr_t)info.elf, info.elf_size);
	if (ret)
		return ret;
	/* There is one place for ranges. */
	if (copied->elf.text_start || copied->elf.text_end || copied->elf.sframe_start ||
		copied->elf.sframe_end)
		return -EINVAL;
	copied->count = (size_t)info.range_count;
	copied->ranges = calloc(copied->count, sizeof(*copied->ranges));
	if (!copied->ranges)
		return -ENOMEM;
	return codectl_provider_read_memory(
		info.ranges, copied->ranges, copied->count * sizeof(*copied->ranges));
}

static int register_ranges(struct elf_ranges *ranges)
{
	for (size_t i = 0; i < ranges->count; i++) {
		const struct code_text_range *range = &ranges->ranges[i];

		ranges->elf.text_start = range->text_start;
		ranges->elf.text_end = range->text_end;
		ranges->elf.sframe_start = range->sframe_start;
		ranges->elf.sframe_end = range->sframe_end;

		int ret = register_info(&ranges->elf);

		if (ret) {
			while (i-- > 0)
				codectl_registry_remove(CODECTL_CODE_ELF,
					ranges->ranges[i].text_start, ranges->ranges[i].text_end);
			return ret;
		}
	}
	return 0;
}

int codectl_register_elf_ranges(const void *user_info, size_t size)
{
	struct elf_ranges ranges = {.ranges = NULL};
	int ret = copy_ranges(&ranges, user_info, size);

	if (ret == 0)
		ret = register_ranges(&ranges);
	free(ranges.ranges);
	return ret;
}

int codectl_unregister_elf_ranges(const void *user_info, size_t size)
{
	struct elf_ranges ranges = {.ranges = NULL};
	int ret = copy_ranges(&ranges, user_info, size);
	size_t removed_count = 0;

	for (size_t i = 0; ret == 0 && i < ranges.count; i++)
		removed_count += codectl_registry_remove(CODECTL_CODE_ELF,
					 ranges.ranges[i].text_start,
					 ranges.ranges[i].text_end) == 0;
	free(ranges.ranges);
	if (ret == 0 && removed_count == 0)
		ret = -ENOENT;
	return ret;
}
