/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * codectl(): tells apart what it is asked to do. The rules are in include/codectl/codectl.h.
 */
#include "codectl/ext.h"

#include "provider/export.h"
#include "provider/helper-thread.h"
#include "provider/helper.h"
#include "provider/jit.h"
#include "provider/memory.h"
#include "provider/register-elf.h"
#include "provider/registry.h"

#include <errno.h>

/* The size tells the kind: the structure of an ELF object is the longer one. */
static int unregister(const void *user_info, size_t size)
{
	struct code_elf_info elf;
	struct code_jit_info jit;
	int ret;

	if (size < offsetof(struct code_jit_info, unwind_head))
		return -EINVAL;
	if (size < CODE_ELF_INFO_SIZE_VER0) {
		ret = codectl_memory_copy_struct(&jit, sizeof(jit), user_info, size);
		if (ret)
			return ret;
		return jit.text_start < jit.text_end
			       ? codectl_jit_remove(jit.text_start, jit.text_end)
			       : -EINVAL;
	}
	ret = codectl_memory_copy_struct(&elf, sizeof(elf), user_info, size);
	if (ret)
		return ret;
	return elf.text_start < elf.text_end
		       ? codectl_registry_remove(CODECTL_CODE_ELF, elf.text_start, elf.text_end)
		       : -EINVAL;
}

static int call(unsigned int option, const void *info, size_t size)
{
	switch (option) {
	case CODE_REGISTER_ELF:
		return codectl_register_elf(info, size);
	case CODE_REGISTER_JIT:
		return codectl_register_jit(CODE_JIT_FORMAT_TABLE, info, size);
	case CODE_UNREGISTER:
		return unregister(info, size);
	case CODE_EXT_REGISTER_JIT_V2:
		return codectl_register_jit(CODE_JIT_FORMAT_TABLE_V2, info, size);
	case CODE_EXT_REGISTER_JIT_UNSORTED:
		return codectl_register_jit(CODE_JIT_FORMAT_UNSORTED, info, size);
	case CODE_EXT_REGISTER_JIT_UNSORTED_V2:
		return codectl_register_jit(CODE_JIT_FORMAT_UNSORTED_V2, info, size);
	case CODE_EXT_REGISTER_JIT_FP:
		return codectl_register_jit(CODE_JIT_FORMAT_FP, info, size);
	case CODE_EXT_REGISTER_JIT_SFRAME:
		return codectl_register_jit(CODE_JIT_FORMAT_SFRAME, info, size);
	case CODE_EXT_REGISTER_JIT_EH_FRAME:
		return codectl_register_jit(CODE_JIT_FORMAT_EH_FRAME, info, size);
	case CODE_EXT_REGISTER_JIT_NONE:
		return codectl_register_jit(CODE_JIT_FORMAT_NONE, info, size);
	case CODE_EXT_REGISTER_JIT_CODE:
		return codectl_register_jit_code(info, size);
	case CODE_EXT_JIT_SYMBOL:
		return codectl_register_jit_symbol(info, size);
	case CODE_EXT_JIT_SYMBOL_UNLOAD:
		return codectl_unload_jit_symbol(info, size);
	case CODE_EXT_REGISTER_ELF_RANGES:
		return codectl_register_elf_ranges(info, size);
	case CODE_EXT_UNREGISTER_ELF_RANGES:
		return codectl_unregister_elf_ranges(info, size);
	case CODE_EXT_SFRAME_REGISTER:
		return codectl_register_sframe(info, size);
	case CODE_EXT_SFRAME_UNREGISTER:
		return codectl_unregister_sframe(info, size);
	default:
		return -EINVAL;
	}
}

CODECTL_EXPORT int codectl(
	unsigned int option, const void *info, size_t info_size, unsigned int flags)
{
	int saved_errno = errno;
	int ret = flags == 0 ? call(option, info, info_size) : -EINVAL;

	if (ret) {
		errno = -ret;
		return -1;
	}
	/* The thread looks after sessions which LTTng's hook does not tell of. */
	codectl_helper_start();
	errno = saved_errno;
	return 0;
}
