/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "jit/hook.h"
#include "provider/helper.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Not the provider's: this test has no trace. */
int codectl_provider_read_memory(uint64_t address, void *to, size_t len)
{
	memcpy(to, (const void *)(uintptr_t)address, len);
	return 0;
}

static bool is_empty(const char *code)
{
	uint8_t bytes[16];

	memset(bytes, 0x66, sizeof(bytes));
	memcpy(bytes, code, strlen(code));
	return codectl_hook_is_empty_function(bytes, sizeof(bytes), 0x1000);
}

TEST(empty_functions)
{
	const uint8_t padded[] = {0xc3, 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00};

	CHECK(is_empty("\xc3\x90\x90"));
	CHECK(is_empty("\xc3\xcc\xcc\xcc\xcc"));
	CHECK(is_empty("\xc3\x0f\x1f\x80"));
	CHECK(is_empty("\xf3\x0f\x1e\xfa\xc3"));
	CHECK(is_empty("\xf3\x0f\x1e\xfa\x55\x48\x89\xe5\x5d\xc3"));
	CHECK(is_empty("\x55\x48\x89\xe5\x5d\xc3"));
	CHECK(is_empty("\x90\xc3\x90"));
	CHECK(codectl_hook_is_empty_function(padded, sizeof(padded), 0x1000));
	/* Not aligned, too short. */
	CHECK(!codectl_hook_is_empty_function(padded, sizeof(padded), 0x1001));
	CHECK(!codectl_hook_is_empty_function(padded, sizeof(padded) - 1, 0x1000));
}

TEST(functions_that_do_something)
{
	CHECK(!is_empty("\x31\xc0\xc3"));
	CHECK(!is_empty("\x55\x48\x89\xe5"));
	/* The next function begins right behind it. */
	CHECK(!is_empty("\xc3\x53\x48\x83\xec\x50"));
	CHECK(!is_empty("\xe9\x01\x02\x03\x04"));
}

static volatile uint64_t told;

static void tell(void *argument)
{
	/* Changes what it may. */
	__asm__ volatile("xorl %%eax, %%eax; movl $1, %%ecx; movl $2, %%edx; movl $3, %%esi;"
			 "movl $4, %%edi; movl $5, %%r8d; movl $6, %%r9d; movl $7, %%r10d;"
			 "movl $8, %%r11d; pxor %%xmm0, %%xmm0; pxor %%xmm15, %%xmm15"
			 :
			 :
			 : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0",
			 "xmm15", "cc");
	told += *(uint64_t *)argument;
}

/* Calls @function with a value in every register that a function may change; returns their sum. */
static uint64_t call_with_registers(void *function)
{
	uint64_t sum = 0;
	uint64_t vector = 0;

	__asm__ volatile("movl $101, %%eax; movl $102, %%ecx; movl $103, %%edx; movl $104, %%esi;"
			 "movl $105, %%edi; movl $106, %%r8d; movl $107, %%r9d; movl $108, %%r10d;"
			 "movq %%rax, %%xmm0; movq %%rcx, %%xmm15; stc;"
			 "leaq -256(%%rsp), %%rsp; callq *%[function]; adcq $256, %%rsp;"
			 "subq $1, %%rsp;"
			 "addq %%rcx, %%rax; addq %%rdx, %%rax; addq %%rsi, %%rax;"
			 "addq %%rdi, %%rax; addq %%r8, %%rax; addq %%r9, %%rax;"
			 "addq %%r10, %%rax; movq %%rax, %[sum];"
			 "movq %%xmm0, %%rax; movq %%xmm15, %%rcx; addq %%rcx, %%rax;"
			 "movq %%rax, %[vector]"
			 : [sum] "=&r"(sum), [vector] "=&r"(vector)
			 : [function] "r"(function)
			 : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0",
			 "xmm15", "cc", "memory");
	return sum * 1000 + vector;
}

TEST(hooks_keep_registers)
{
	static const uint8_t code[] = {0xc3, 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00};
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t argument = 42;
	uint64_t expected = (101 + 102 + 103 + 104 + 105 + 106 + 107 + 108) * 1000 + 101 + 102;
	uint8_t *function = mmap(
		NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(function != MAP_FAILED);
	memcpy(function + 64, code, sizeof(code));
	memcpy(function + 128, "\x31\xc0\xc3", 3);
	CHECK(mprotect(function, page, PROT_READ | PROT_EXEC) == 0);
	CHECK_INT(call_with_registers(function + 64), expected);
	CHECK_INT(told, 0);
	CHECK_INT(codectl_hook_set(function + 128, tell, &argument), -ENOTSUP);
	CHECK_INT(codectl_hook_set(function + 64, tell, &argument), 0);
	CHECK_INT(call_with_registers(function + 64), expected);
	CHECK_INT(told, 42);
	CHECK_INT(call_with_registers(function + 64), expected);
	CHECK_INT(told, 84);
	/* What is hooked is no empty function any more. */
	CHECK_INT(codectl_hook_set(function + 64, tell, &argument), -ENOTSUP);
	munmap(function, page);
}
