/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * codectl(): tells apart what it is asked to do. The rules are in include/codectl/codectl.h.
 */
#include "codectl/codectl.h"

#include "provider/export.h"
#include "provider/helper-thread.h"
#include "provider/helper.h"
#include "provider/memory.h"
#include "provider/register-elf.h"
#include "provider/registry.h"

#include <errno.h>

static int unregister(const void *user_info, size_t size)
{
	struct code_elf_info info;

	/* The size tells the kind, and ELF objects are the only one so far. */
	if (size < CODE_ELF_INFO_SIZE_VER0)
		return -EINVAL;

	int ret = codectl_memory_copy_struct(&info, sizeof(info), user_info, size);

	if (ret)
		return ret;
	if (info.text_start >= info.text_end)
		return -EINVAL;
	return codectl_registry_remove(CODECTL_CODE_ELF, info.text_start, info.text_end);
}

CODECTL_EXPORT int codectl(
	unsigned int option, const void *info, size_t info_size, unsigned int flags)
{
	int saved_errno = errno;
	int ret = -EINVAL;

	if (flags == 0 && option == CODE_REGISTER_ELF)
		ret = codectl_register_elf(info, info_size);
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
