/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * codectl(): checks what a caller passes, copies it, and hands it to the
 * registry. The rules are in include/codectl/codectl.h.
 */
#include "codectl/codectl.h"

#include "provider/export.h"
#include "provider/helper-thread.h"
#include "provider/helper.h"
#include "provider/memory.h"
#include "provider/registry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct code_elf_info) == CODE_ELF_INFO_SIZE_VER0, "ABI of the RFC");

/* What the text range needs of a structure. */
#define TEXT_RANGE_END (offsetof(struct code_elf_info, text_end) + sizeof(__u64))

/* Everything that one registration may point to. */
struct payload {
	char pathname[CODE_PATHNAME_MAX];
	char debug_link_pathname[CODE_PATHNAME_MAX];
	uint8_t build_id[CODE_BUILD_ID_MAX];
};

/* As copy_struct_from_user() in the kernel. */
static int copy_info(struct code_elf_info *info, const void *from, size_t size)
{
	uint64_t address = (uintptr_t)from;
	size_t known = size < sizeof(*info) ? size : sizeof(*info);

	memset(info, 0, sizeof(*info));
	if (size > known) {
		int is_zero = codectl_memory_is_zero(address + known, size - known);

		if (is_zero < 0)
			return is_zero;
		if (!is_zero)
			return -E2BIG;
	}
	return codectl_provider_read_memory(address, info, known);
}

static int check_text(const struct code_elf_info *info)
{
	return info->text_start < info->text_end ? 0 : -EINVAL;
}

static int check_elf(const struct code_elf_info *info)
{
	if (check_text(info))
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

/* Returns the string's length (0 if there is none) or a negative errno. */
static int copy_string(char *to, uint64_t address)
{
	if (!address) {
		*to = '\0';
		return 0;
	}
	return codectl_memory_read_string(address, to, CODE_PATHNAME_MAX);
}

/* Makes a registration of copies. Returns 0 or a negative errno. */
static int create_registration(const struct code_elf_info *info, struct payload *payload,
	struct codectl_registration **registration)
{
	size_t build_id_len = info->build_id ? info->build_id_len : 0;
	int path_len = copy_string(payload->pathname, info->pathname);

	if (path_len < 0)
		return path_len;

	int link_len = copy_string(payload->debug_link_pathname, info->debug_link_pathname);

	if (link_len < 0)
		return link_len;

	int ret = codectl_provider_read_memory(info->build_id, payload->build_id, build_id_len);

	if (ret)
		return ret;

	struct codectl_registration *made = malloc(
		sizeof(*made) + (size_t)path_len + 1 + (size_t)link_len + 1 + build_id_len);

	if (!made)
		return -ENOMEM;

	char *pathname = made->storage;
	char *debug_link = pathname + path_len + 1;
	char *build_id = debug_link + link_len + 1;

	memcpy(pathname, payload->pathname, (size_t)path_len + 1);
	memcpy(debug_link, payload->debug_link_pathname, (size_t)link_len + 1);
	memcpy(build_id, payload->build_id, build_id_len);
	memset(&made->event, 0, sizeof(made->event));
	made->event.type = CODECTL_EVENT_REGISTER_ELF;
	made->event.register_elf = (struct codectl_event_register_elf){
		.elf_start = info->elf_start,
		.elf_end = info->elf_end,
		.text_start = info->text_start,
		.text_end = info->text_end,
		.sframe_start = info->sframe_start,
		.sframe_end = info->sframe_end,
		.pathname = pathname,
		.build_id = build_id_len ? (const uint8_t *)build_id : NULL,
		.build_id_len = build_id_len,
		.debug_link_pathname = debug_link,
		.debug_link_crc = info->debug_link_crc,
	};
	*registration = made;
	return 0;
}

static int register_elf(const void *user_info, size_t size)
{
	struct code_elf_info info;
	struct codectl_registration *registration = NULL;

	if (size < TEXT_RANGE_END)
		return -EINVAL;

	int ret = copy_info(&info, user_info, size);

	if (ret)
		return ret;
	ret = check_elf(&info);
	if (ret)
		return ret;

	/* Not on the stack: the caller may be a thread or a coroutine with a small one. */
	struct payload *payload = malloc(sizeof(*payload));

	if (!payload)
		return -ENOMEM;
	ret = create_registration(&info, payload, &registration);
	free(payload);
	if (ret)
		return ret;
	ret = codectl_registry_add(registration);
	if (ret)
		free(registration);
	return ret;
}

static int unregister(const void *user_info, size_t size)
{
	struct code_elf_info info;

	/* The size tells the kind, and ELF objects are the only one so far. */
	if (size < CODE_ELF_INFO_SIZE_VER0)
		return -EINVAL;

	int ret = copy_info(&info, user_info, size);

	if (ret)
		return ret;
	ret = check_text(&info);
	if (ret)
		return ret;
	return codectl_registry_remove(info.text_start, info.text_end);
}

CODECTL_EXPORT int codectl(
	unsigned int option, const void *info, size_t info_size, unsigned int flags)
{
	int saved_errno = errno;
	int ret = -EINVAL;

	if (flags == 0 && option == CODE_REGISTER_ELF)
		ret = register_elf(info, info_size);
	else if (flags == 0 && option == CODE_UNREGISTER)
		ret = unregister(info, info_size);
	if (ret) {
		errno = -ret;
		return -1;
	}
	/* The thread looks after sessions which LTTng's hook does not tell of. */
	codectl_helper_start();
	errno = saved_errno;
	return 0;
}
