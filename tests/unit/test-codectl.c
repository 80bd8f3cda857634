/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/codectl-calls.h"
#include "lib/tap.h"

#include "provider/helper.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096

static int register_info(const struct code_elf_info *info)
{
	int ret = result_of(codectl(CODE_REGISTER_ELF, info, sizeof(*info), 0));

	if (ret == 0)
		CHECK_INT(unregister_range(info->text_start, info->text_end), 0);
	return ret;
}

/* Returns the end of a page of 'x' after which nothing is readable. */
static char *make_page_end(void)
{
	char *pages = mmap(
		NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(pages != MAP_FAILED);
	memset(pages, 'x', PAGE);
	CHECK_INT(mprotect(pages + PAGE, PAGE, PROT_NONE), 0);
	return pages + PAGE;
}

/* Before any constructor, the provider's too. */
static int early_result = -1;

static void register_early(void)
{
	early_result = register_range(0x7000000, 0x7001000);
}

__attribute__((section(".preinit_array"), used)) static void (*const early)(void) = register_early;

/*
 * The sanitizer's own allocator stays locked in a forked child if another
 * thread was in it, LTTng's or ours: the look for leaks at its end would wait
 * for ever.
 */
#ifdef TAP_HAS_ADDRESS_SANITIZER
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#endif

TEST(before_constructors)
{
	CHECK_INT(early_result, 0);
	CHECK_INT(register_range(0x7000800, 0x7000801), -EEXIST);
	CHECK_INT(unregister_range(0x7000000, 0x7001000), 0);
}

TEST(options_and_flags)
{
	struct code_elf_info info = {.text_start = 0x1000, .text_end = 0x2000};

	CHECK_INT(result_of(codectl(CODE_REGISTER_JIT, &info, sizeof(info), 0)), -EINVAL);
	CHECK_INT(result_of(codectl(CODE_UNREGISTER + 1, &info, sizeof(info), 0)), -EINVAL);
	CHECK_INT(result_of(codectl(~0u, &info, sizeof(info), 0)), -EINVAL);
	CHECK_INT(result_of(codectl(CODE_REGISTER_ELF, &info, sizeof(info), 1)), -EINVAL);
	CHECK_INT(result_of(codectl(CODE_UNREGISTER, &info, sizeof(info), 1u << 31)), -EINVAL);
	CHECK_INT(register_range(0x1000, 0x2000), 0);
	CHECK_INT(result_of(codectl(CODE_UNREGISTER, &info, sizeof(info), 1)), -EINVAL);
	CHECK_INT(unregister_range(0x1000, 0x2000), 0);
}

TEST(errno_is_kept_on_success)
{
	errno = ECHILD;
	CHECK_INT(register_range(0x1000, 0x2000), 0);
	CHECK_INT(errno, ECHILD);
	CHECK_INT(unregister_range(0x1000, 0x2000), 0);
	CHECK_INT(errno, ECHILD);
}

TEST(short_structures)
{
	char *end = make_page_end();
	const struct code_elf_info info = {
		.text_start = 0x1000,
		.text_end = 0x2000,
		/* Not part of what is passed. */
		.pathname = 1,
		.build_id = 1,
		.build_id_len = 1000,
	};
	const size_t text_end = offsetof(struct code_elf_info, text_end) + 8;

	for (size_t size = 0; size < text_end; size++)
		CHECK_INT(result_of(codectl(CODE_REGISTER_ELF, &info, size, 0)), -EINVAL);
	/* Half a pointer is not read as one: 1 would be EFAULT. */
	CHECK_INT(result_of(codectl(CODE_REGISTER_ELF, &info, text_end, 0)), 0);
	CHECK_INT(unregister_range(0x1000, 0x2000), 0);
	/* Not a byte beyond the size is touched. */
	memcpy(end - text_end, &info, text_end);
	CHECK_INT(result_of(codectl(CODE_REGISTER_ELF, end - text_end, text_end, 0)), 0);
	/* Shorter than the structure of an ELF object is that of generated code. */
	CHECK_INT(
		result_of(codectl(CODE_UNREGISTER, &info, CODE_ELF_INFO_SIZE_VER0 - 1, 0)), -E2BIG);
	CHECK_INT(result_of(codectl(CODE_UNREGISTER, &info, 15, 0)), -EINVAL);
	CHECK_INT(unregister_range(0x1000, 0x2000), 0);
}

TEST(long_structures)
{
	char *end = make_page_end();
	struct {
		struct code_elf_info info;
		char tail[5000];
	} big = {.info = {.text_start = 0x1000, .text_end = 0x2000}};
	struct code_elf_info *at_end = (struct code_elf_info *)(void *)(end - sizeof(*at_end));

	CHECK_INT(result_of(codectl(CODE_REGISTER_ELF, &big, sizeof(big), 0)), 0);
	CHECK_INT(result_of(codectl(CODE_UNREGISTER, &big, sizeof(big), 0)), 0);
	for (size_t at = 0; at < sizeof(big.tail); at += 499) {
		big.tail[at] = 1;
		CHECK_INT(result_of(codectl(CODE_REGISTER_ELF, &big, sizeof(big.info) + at, 0)), 0);
		CHECK_INT(result_of(codectl(CODE_UNREGISTER, &big, sizeof(big.info) + at + 1, 0)),
			-E2BIG);
		CHECK_INT(unregister_range(0x1000, 0x2000), 0);
		CHECK_INT(result_of(codectl(CODE_REGISTER_ELF, &big, sizeof(big), 0)), -E2BIG);
		big.tail[at] = 0;
	}
	*at_end = big.info;
	CHECK_INT(result_of(codectl(CODE_REGISTER_ELF, at_end, sizeof(*at_end) + 1, 0)), -EFAULT);
	CHECK_INT(result_of(codectl(CODE_REGISTER_ELF, at_end, SIZE_MAX, 0)), -EFAULT);
	CHECK_INT(unregister_range(0x1000, 0x2000), -ENOENT);
}

TEST(impossible_ranges)
{
	struct code_elf_info info = {.text_start = 0x3000,
		.text_end = 0x4000,
		.elf_start = 0x2000,
		.elf_end = 0x5000,
		.sframe_start = 0x4000,
		.sframe_end = 0x4800};
	struct code_elf_info changed;

	CHECK_INT(register_info(&info), 0);
	CHECK_INT(register_range(0, 0), -EINVAL);
	CHECK_INT(register_range(0x1000, 0x1000), -EINVAL);
	CHECK_INT(register_range(0x1000, 0xfff), -EINVAL);
	CHECK_INT(register_range(~UINT64_C(0) - 0xfff, 0), -EINVAL);
	CHECK_INT(unregister_range(0x1000, 0x1000), -EINVAL);
	/* The text outside of the file, below and above; half a file; an inverted one. */
	changed = info;
	changed.elf_start = 0x3001;
	CHECK_INT(register_info(&changed), -EINVAL);
	changed = info;
	changed.elf_end = 0x3fff;
	CHECK_INT(register_info(&changed), -EINVAL);
	changed = info;
	changed.elf_end = 0;
	CHECK_INT(register_info(&changed), -EINVAL);
	changed = info;
	changed.elf_start = 0x5000;
	changed.elf_end = 0x2000;
	CHECK_INT(register_info(&changed), -EINVAL);
	changed = info;
	changed.elf_start = 0x3000;
	changed.elf_end = 0x4000;
	CHECK_INT(register_info(&changed), 0);
	changed = info;
	changed.sframe_end = 0x3fff;
	CHECK_INT(register_info(&changed), -EINVAL);
	CHECK_INT(register_range(0, ~UINT64_C(0)), -EEXIST); /* The early one is in there. */
}

TEST(unreadable_structures)
{
	char *end = make_page_end();

	for (size_t missing = 1; missing <= sizeof(struct code_elf_info); missing += 13) {
		char *at = end - sizeof(struct code_elf_info) + missing;

		CHECK_INT(
			result_of(codectl(CODE_REGISTER_ELF, at, sizeof(struct code_elf_info), 0)),
			-EFAULT);
		CHECK_INT(result_of(codectl(CODE_UNREGISTER, at, sizeof(struct code_elf_info), 0)),
			-EFAULT);
	}
	CHECK_INT(result_of(codectl(CODE_REGISTER_ELF, NULL, sizeof(struct code_elf_info), 0)),
		-EFAULT);
	CHECK_INT(result_of(codectl(CODE_REGISTER_ELF, (void *)~(uintptr_t)7,
			  sizeof(struct code_elf_info), 0)),
		-EFAULT);
}

static void check_pointers(void)
{
	char *end = make_page_end();
	const struct code_elf_info sound = {.text_start = 0x1000,
		.text_end = 0x2000,
		.pathname = (uintptr_t) "/a",
		.debug_link_pathname = (uintptr_t) "a.debug",
		.build_id = (uintptr_t) "12345678",
		.build_id_len = 8};
	/* NULL is "unavailable"; so are these not. */
	const uint64_t bad[] = {1, 0xdead0000, (uintptr_t)end, ~UINT64_C(0), (uintptr_t)end - 1};

	CHECK_INT(register_info(&sound), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct code_elf_info info = sound;

		info.pathname = bad[i];
		CHECK_INT(register_info(&info), -EFAULT);
		info = sound;
		info.debug_link_pathname = bad[i];
		CHECK_INT(register_info(&info), -EFAULT);
		info = sound;
		info.build_id = bad[i];
		CHECK_INT(register_info(&info), -EFAULT);
	}

	/* All that is needed is there, up to the last byte. */
	struct code_elf_info info = sound;

	info.build_id = (uintptr_t)end - 8;
	CHECK_INT(register_info(&info), 0);
	end[-1] = '\0';
	info.pathname = (uintptr_t)end - 3;
	info.debug_link_pathname = (uintptr_t)end - 1;
	CHECK_INT(register_info(&info), 0);
}

TEST(unreadable_pointers)
{
	check_pointers();
}

/* A sandbox may refuse the system call that copies; the answers are the same. */
TEST(unreadable_pointers_in_a_sandbox)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = sizeof(filter) / sizeof(filter[0]), .filter = filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		tap_skip("seccomp filters are not available");
	CHECK_INT(syscall(SYS_process_vm_readv, getpid(), NULL, 0L, NULL, 0L, 0L), -1);
	CHECK_INT(errno, EPERM);
	check_pointers();
}

TEST(limits)
{
	static char path[CODE_PATHNAME_MAX + 1];
	static uint8_t build_id[CODE_BUILD_ID_MAX + 1];
	struct code_elf_info info = {.text_start = 0x1000, .text_end = 0x2000};

	memset(path, 'p', CODE_PATHNAME_MAX - 1);
	info.pathname = (uintptr_t)path;
	info.debug_link_pathname = (uintptr_t)path;
	CHECK_INT(register_info(&info), 0);
	path[CODE_PATHNAME_MAX - 1] = 'p';
	CHECK_INT(register_info(&info), -ENAMETOOLONG);
	info.pathname = 0;
	CHECK_INT(register_info(&info), -ENAMETOOLONG);
	info.debug_link_pathname = 0;
	info.build_id = (uintptr_t)build_id;
	info.build_id_len = CODE_BUILD_ID_MAX;
	CHECK_INT(register_info(&info), 0);
	info.build_id_len = CODE_BUILD_ID_MAX + 1;
	CHECK_INT(register_info(&info), -EINVAL);
	/* Unavailable, whatever the length says. */
	info.build_id = 0;
	CHECK_INT(register_info(&info), 0);
}

TEST(overlaps)
{
	CHECK_INT(register_range(0x3000, 0x4000), 0);
	CHECK_INT(register_range(0x1000, 0x2000), 0);
	CHECK_INT(register_range(0x5000, 0x6000), 0);
	CHECK_INT(register_range(0x3000, 0x4000), -EEXIST);
	CHECK_INT(register_range(0x3fff, 0x4001), -EEXIST);
	CHECK_INT(register_range(0x2fff, 0x3001), -EEXIST);
	CHECK_INT(register_range(0x3100, 0x3200), -EEXIST);
	CHECK_INT(register_range(0x2800, 0x4800), -EEXIST);
	CHECK_INT(register_range(0x0fff, 0x6001), -EEXIST);
	/* Neighbours do not overlap. */
	CHECK_INT(register_range(0x2000, 0x3000), 0);
	CHECK_INT(register_range(0x4000, 0x5000), 0);
	/* Nor does what is gone. */
	CHECK_INT(unregister_range(0x3000, 0x4000), 0);
	CHECK_INT(register_range(0x3000, 0x3800), 0);
}

/* An object may have several executable segments; each is registered and ends by itself. */
TEST(several_ranges_of_an_object)
{
	struct code_elf_info info = {.elf_start = 0x10000,
		.elf_end = 0x20000,
		.pathname = (uintptr_t) "/a",
		.build_id = (uintptr_t) "12345678",
		.build_id_len = 8};

	for (uint64_t start = 0x10000; start < 0x20000; start += 0x4000) {
		info.text_start = start;
		info.text_end = start + 0x1000;
		CHECK_INT(result_of(codectl(CODE_REGISTER_ELF, &info, sizeof(info), 0)), 0);
	}
	CHECK_INT(result_of(codectl(CODE_REGISTER_ELF, &info, sizeof(info), 0)), -EEXIST);
	CHECK_INT(unregister_range(0x10000, 0x20000), -ENOENT);
	CHECK_INT(unregister_range(0x14000, 0x15000), 0);
	CHECK_INT(unregister_range(0x14000, 0x15000), -ENOENT);
	CHECK_INT(register_range(0x14000, 0x18000), 0);
	CHECK_INT(register_range(0x14000, 0x18001), -EEXIST);
	for (uint64_t start = 0x10000; start < 0x20000; start += 0x4000)
		CHECK_INT(unregister_range(start, start + (start == 0x14000 ? 0x4000 : 0x1000)), 0);
}

/* A string may end with its page, or go on in the next, whatever is behind that. */
TEST(strings_across_pages)
{
	char *pages = mmap(
		NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct code_elf_info info = {.text_start = 0x1000, .text_end = 0x2000};
	char *second = pages + PAGE;

	CHECK(pages != MAP_FAILED);
	memset(pages, 'x', 2 * PAGE);
	CHECK_INT(mprotect(second + PAGE, PAGE, PROT_NONE), 0);
	/* Both end in the second page; then one of them does not. */
	info.pathname = (uintptr_t)(second - 10);
	info.debug_link_pathname = (uintptr_t)(second - 1);
	second[100] = '\0';
	CHECK_INT(register_info(&info), 0);
	info.debug_link_pathname = (uintptr_t)(second + 101);
	CHECK_INT(register_info(&info), -EFAULT);
	second[PAGE - 1] = '\0';
	CHECK_INT(register_info(&info), 0);
	/* One is there, the other is not, or is too long. */
	info.pathname = 8;
	CHECK_INT(register_info(&info), -EFAULT);
	info.pathname = (uintptr_t)(second + 101);
	info.debug_link_pathname = (uintptr_t)(second + PAGE);
	CHECK_INT(register_info(&info), -EFAULT);
	second[100] = 'x';
	info.debug_link_pathname = (uintptr_t)(second - 1);
	CHECK_INT(register_info(&info), -ENAMETOOLONG);
}

TEST(unknown_code)
{
	CHECK_INT(unregister_range(0x1000, 0x2000), -ENOENT);
	CHECK_INT(register_range(0x1000, 0x2000), 0);
	CHECK_INT(unregister_range(0x1000, 0x1800), -ENOENT);
	CHECK_INT(unregister_range(0x1800, 0x2000), -ENOENT);
	CHECK_INT(unregister_range(0x0800, 0x2000), -ENOENT);
	CHECK_INT(unregister_range(0x1000, 0x2001), -ENOENT);
	CHECK_INT(unregister_range(0x2000, 0x3000), -ENOENT);
	CHECK_INT(unregister_range(0x1000, 0x2000), 0);
	CHECK_INT(unregister_range(0x1000, 0x2000), -ENOENT);
}

TEST(serials_count_what_happens)
{
	uint64_t before = codectl_provider_last_serial();

	CHECK_INT(register_range(0x1000, 0x2000), 0);
	CHECK_INT(codectl_provider_last_serial(), before + 1);
	CHECK_INT(register_range(0x1000, 0x2000), -EEXIST);
	CHECK_INT(codectl_provider_last_serial(), before + 1);
	/* An unregistration takes one of its own: the loss of one shows, too. */
	CHECK_INT(unregister_range(0x1000, 0x2000), 0);
	CHECK_INT(codectl_provider_last_serial(), before + 2);
	CHECK_INT(unregister_range(0x1000, 0x2000), -ENOENT);
	CHECK_INT(codectl_provider_last_serial(), before + 2);
	CHECK_INT(register_range(0x1000, 0x2000), 0);
	CHECK_INT(codectl_provider_last_serial(), before + 3);
}

/* Many ranges, in an order that is neither ascending nor descending. */
TEST(many_ranges)
{
	const uint64_t count = 1009;

	for (uint64_t i = 0; i < count; i++) {
		uint64_t at = 0x10000 + (i * 367) % count * 0x100;

		CHECK_INT(register_range(at, at + 0x80), 0);
	}
	for (uint64_t i = 0; i < count; i++) {
		uint64_t at = 0x10000 + i * 0x100;

		CHECK_INT(register_range(at + 0x7f, at + 0x81), -EEXIST);
		CHECK_INT(register_range(at + 0x80, at + 0x100), 0);
	}
	for (uint64_t i = 0; i < count; i++) {
		uint64_t at = 0x10000 + (i * 211) % count * 0x100;

		CHECK_INT(unregister_range(at, at + 0x80), 0);
	}
	CHECK_INT(register_range(0x10000 + 0x80, 0x10000 + 0x81), -EEXIST);
}
