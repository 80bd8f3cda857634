/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-copy: runs code of its own file that it has mapped once more, below and above
 * where the loader has put it, as V8 does with its builtins. To be linked with
 * -rdynamic, so that it is taken for V8.
 */
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PAGE	   4096
#define DISTANCE   ((uintptr_t)1 << 32)
#define LOOP_COUNT 200000
#define RUNS	   1500

typedef uint32_t burn_function(uint32_t state);

void *v8_isolate_get_current(void) __asm__("_ZN2v87Isolate10GetCurrentEv");

__attribute__((noinline)) void *v8_isolate_get_current(void)
{
	return NULL;
}

/* What is copied: it needs nothing that is found relative to its own address. */
static __attribute__((noinline)) uint32_t burn(uint32_t state)
{
	for (int i = 0; i < LOOP_COUNT; i++) {
		state = state * 1664525 + 1013904223;
		__asm__ volatile("" : "+r"(state));
	}
	return state;
}

static __attribute__((noinline)) uint32_t copied_low(uint32_t state)
{
	return burn(state) + 1;
}

static __attribute__((noinline)) uint32_t copied_high(uint32_t state)
{
	return burn(state) + 2;
}

struct text {
	uintptr_t start;
	size_t size;
	off_t offset;
};

/* The program's, which comes first. */
static int find_text(struct dl_phdr_info *info, size_t size, void *user)
{
	struct text *text = user;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *phdr = &info->dlpi_phdr[i];
		size_t within = phdr->p_vaddr % PAGE;

		if (phdr->p_type == PT_LOAD && (phdr->p_flags & PF_X))
			*text = (struct text){info->dlpi_addr + phdr->p_vaddr - within,
				phdr->p_filesz + within, (off_t)(phdr->p_offset - within)};
	}
	return 1;
}

/* Maps the text at @address. Returns where @function is in there. */
static burn_function *copy_text(
	const struct text *text, int fd, uintptr_t address, burn_function *function)
{
	void *copy = mmap((void *)address, text->size, PROT_READ | PROT_EXEC,
		MAP_PRIVATE | MAP_FIXED_NOREPLACE, fd, text->offset);

	if (copy == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return (burn_function *)((uintptr_t)copy + ((uintptr_t)function - text->start));
}

int main(void)
{
	struct text text;
	int fd = open("/proc/self/exe", O_RDONLY);

	dl_iterate_phdr(find_text, &text);

	burn_function *low = copy_text(&text, fd, text.start - DISTANCE, copied_low);
	burn_function *high = copy_text(&text, fd, text.start + DISTANCE, copied_high);
	uint32_t state = 1;

	for (int i = 0; i < RUNS; i++)
		state = high(low(state));
	printf("%u\n", state);
	return v8_isolate_get_current() != NULL;
}
