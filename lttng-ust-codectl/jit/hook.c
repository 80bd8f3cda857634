/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "jit/hook.h"

#include "provider/helper.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PATCH_LEN 8
#define JUMP_LEN  5

/* Length of an instruction that does nothing, at the start of an empty function; 0: none. */
static size_t nop_len(const uint8_t *code, size_t len)
{
	static const struct {
		uint8_t bytes[5];
		uint8_t len;
	} nops[] = {
		{{0xf3, 0x0f, 0x1e, 0xfa}, 4},	     /* endbr64 */
		{{0x55, 0x48, 0x89, 0xe5, 0x5d}, 5}, /* push %rbp; mov %rsp,%rbp; pop %rbp */
		{{0x90}, 1},			     /* nop */
	};

	for (size_t i = 0; i < sizeof(nops) / sizeof(nops[0]); i++) {
		if (len >= nops[i].len && memcmp(code, nops[i].bytes, nops[i].len) == 0)
			return nops[i].len;
	}
	return 0;
}

/* Whether what begins there only fills the space between functions. */
static bool is_padding(const uint8_t *code, size_t len)
{
	static const uint8_t long_nop[] = {0x0f, 0x1f};
	static const uint8_t wide_nop[] = {0x2e, 0x0f, 0x1f};

	if (len && (*code == 0x90 || *code == 0xcc || *code == 0x00))
		return true;
	while (len && *code == 0x66) {
		code++;
		len--;
	}
	return (len >= sizeof(long_nop) && memcmp(code, long_nop, sizeof(long_nop)) == 0) ||
	       (len >= sizeof(wide_nop) && memcmp(code, wide_nop, sizeof(wide_nop)) == 0) ||
	       (len && *code == 0x90);
}

bool codectl_hook_is_empty_function(const uint8_t *code, size_t len, uint64_t address)
{
	size_t at = 0;
	size_t step;

	/* What is stored at once must lie in one aligned word. */
	if (address % PATCH_LEN != 0 || len < PATCH_LEN)
		return false;
	while ((step = nop_len(code + at, len - at)) > 0)
		at += step;
	if (at == len || code[at] != 0xc3)
		return false;
	at++;
	return at >= JUMP_LEN || is_padding(code + at, len - at);
}

#if defined(__x86_64__)

/* Where the jump leads, near the function: pushes two words and jumps to the stub below. */
struct trampoline {
	uint8_t code[24];
	uint64_t stub;
	uint64_t argument;
	uint64_t callback;
};

/*
 * Entered with the trampoline's argument and callback on the stack, above them
 * the return address of the hooked function. Saves all that a function may
 * change, the flags as well.
 */
void codectl_hook_stub(void);

__asm__(".pushsection .text\n"
	".type codectl_hook_stub, @function\n"
	".hidden codectl_hook_stub\n"
	".globl codectl_hook_stub\n"
	"codectl_hook_stub:\n"
	".cfi_startproc\n"
	"endbr64\n"
	".cfi_adjust_cfa_offset 16\n"
	"pushfq\n"
	".cfi_adjust_cfa_offset 8\n"
	"pushq %rbp\n"
	".cfi_adjust_cfa_offset 8\n"
	".cfi_rel_offset %rbp, 0\n"
	"movq %rsp, %rbp\n"
	".cfi_def_cfa_register %rbp\n"
	"pushq %rax\n"
	"pushq %rcx\n"
	"pushq %rdx\n"
	"pushq %rsi\n"
	"pushq %rdi\n"
	"pushq %r8\n"
	"pushq %r9\n"
	"pushq %r10\n"
	"pushq %r11\n"
	"subq $512, %rsp\n"
	"andq $-64, %rsp\n"
	"fxsave64 (%rsp)\n"
	"cld\n"
	"movq 24(%rbp), %rdi\n"
	"callq *16(%rbp)\n"
	"fxrstor64 (%rsp)\n"
	"leaq -72(%rbp), %rsp\n"
	"popq %r11\n"
	"popq %r10\n"
	"popq %r9\n"
	"popq %r8\n"
	"popq %rdi\n"
	"popq %rsi\n"
	"popq %rdx\n"
	"popq %rcx\n"
	"popq %rax\n"
	"popq %rbp\n"
	".cfi_def_cfa %rsp, 32\n"
	".cfi_restore %rbp\n"
	"popfq\n"
	".cfi_adjust_cfa_offset -8\n"
	"leaq 16(%rsp), %rsp\n"
	".cfi_adjust_cfa_offset -16\n"
	"retq\n"
	".cfi_endproc\n"
	".size codectl_hook_stub, . - codectl_hook_stub\n"
	".popsection\n");

/* An instruction of two bytes and the distance of its operand from what follows it. */
static void put_instruction(
	struct trampoline *trampoline, size_t at, uint16_t opcode, size_t operand_offset)
{
	int32_t distance = (int32_t)(operand_offset - (at + sizeof(opcode) + sizeof(distance)));

	memcpy(trampoline->code + at, &opcode, sizeof(opcode));
	memcpy(trampoline->code + at + sizeof(opcode), &distance, sizeof(distance));
}

/* A page with the trampoline that a jump of 32 bits at @function reaches, or NULL. */
static struct trampoline *make_trampoline(
	uint64_t function, void (*callback)(void *), void *argument)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct trampoline *trampoline = MAP_FAILED;

	/* The kernel maps where it is asked to if there is room. */
	for (uint64_t distance = 0; distance < (uint64_t)1 << 31; distance += (uint64_t)1 << 26) {
		uint64_t hint = distance < function ? (function - distance) & ~(page - 1) : 0;

		trampoline = mmap((void *)hint, page, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (trampoline == MAP_FAILED)
			return NULL;

		int64_t jump = (int64_t)((uint64_t)(uintptr_t)trampoline - function - JUMP_LEN);

		if (jump == (int32_t)jump)
			break;
		munmap(trampoline, page);
		trampoline = MAP_FAILED;
	}
	if (trampoline == MAP_FAILED)
		return NULL;
	/* push argument; push callback; jmp *stub */
	put_instruction(trampoline, 0, 0x35ff, offsetof(struct trampoline, argument));
	put_instruction(trampoline, 6, 0x35ff, offsetof(struct trampoline, callback));
	put_instruction(trampoline, 12, 0x25ff, offsetof(struct trampoline, stub));
	trampoline->stub = (uint64_t)(uintptr_t)codectl_hook_stub;
	trampoline->argument = (uint64_t)(uintptr_t)argument;
	trampoline->callback = (uint64_t)(uintptr_t)callback;
	if (mprotect(trampoline, page, PROT_READ | PROT_EXEC) != 0) {
		munmap(trampoline, page);
		return NULL;
	}
	return trampoline;
}

int codectl_hook_set(void *function, void (*callback)(void *argument), void *argument)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const uint64_t address = (uint64_t)(uintptr_t)function;
	void *start = (void *)(address & ~(page - 1));
	struct trampoline *trampoline;
	uint8_t code[16];
	int32_t distance;
	uint64_t word;

	if (codectl_provider_read_memory(address, code, sizeof(code)) != 0 ||
		!codectl_hook_is_empty_function(code, sizeof(code), address))
		return -ENOTSUP;
	trampoline = make_trampoline(address, callback, argument);
	if (!trampoline)
		return -ENOMEM;
	if (mprotect(start, page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
		int error = errno;

		munmap(trampoline, page);
		return -error;
	}
	distance = (int32_t)((uint64_t)(uintptr_t)trampoline - address - JUMP_LEN);
	code[0] = 0xe9;
	memcpy(code + 1, &distance, sizeof(distance));
	memcpy(&word, code, sizeof(word));
	/* Another thread sees the old function or the new one. */
	atomic_store_explicit((_Atomic uint64_t *)function, word, memory_order_release);
	mprotect(start, page, PROT_READ | PROT_EXEC);
	return 0;
}

#else

int codectl_hook_set(void *function, void (*callback)(void *argument), void *argument)
{
	(void)function;
	(void)callback;
	(void)argument;
	return -ENOTSUP;
}

#endif
