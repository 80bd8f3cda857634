/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-jit THREADS CHAINS LOG [fork|wait]: a JIT compiler at work. Each thread makes chains of
 * functions in a region of its own and runs them; when the region is full it is
 * unregistered, and used again for other functions. Which chain ran when is written to
 * LOG, a line for each: thread id, chain, first and last ns. The functions of
 * chain N are called cN_d0_X (the outermost) to cN_d7_X, X being a letter of their
 * shape; below the last one may be burn() of this program. With `fork`, another
 * chain is then made by the main thread, and run by a child as well. With `wait`, some
 * are made, and run when there is a line of input; another one ends the program.
 */
#include "lib/jit-emitter.h"

#include "codectl/ext.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DEPTH	    8
#define REGION_SIZE (64 * 1024)
#define TABLE_SIZE  (60 * sizeof(struct code_jit_unwind_fre))
#define LOOP_COUNT  20000
#define RUNS	    8
/* They fit into a region. */
#define WAITING 40

struct compiler {
	uint8_t *region;
	size_t used;
	struct code_jit_unwind_table *first;
	struct code_jit_unwind_table *last;
	unsigned int chain_count;
	unsigned int first_chain;
	FILE *log;
};

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static struct code_jit_unwind_table *make_table(void)
{
	struct code_jit_unwind_table *table = calloc(1, sizeof(*table) + TABLE_SIZE);

	if (!table)
		fail("calloc");
	table->reserved_len = TABLE_SIZE;
	return table;
}

/* Publishes a row as codectl/codectl.h wants it. */
static void add_row(struct compiler *compiler, const struct code_jit_unwind_fre *row)
{
	struct code_jit_unwind_table *table = compiler->last;
	uint64_t used = table->used_len;

	if (used == table->reserved_len) {
		struct code_jit_unwind_table *next = make_table();

		__atomic_store_n(&table->next, (uint64_t)(uintptr_t)next, __ATOMIC_RELEASE);
		compiler->last = table = next;
		used = 0;
	}
	table->fre[used / sizeof(*row)] = *row;
	__atomic_store_n(&table->used_len, used + sizeof(*row), __ATOMIC_RELEASE);
}

static struct code_jit_info region_info(const struct compiler *compiler)
{
	return (struct code_jit_info){
		.text_start = (uint64_t)(uintptr_t)compiler->region,
		.text_end = (uint64_t)(uintptr_t)compiler->region + REGION_SIZE,
		.unwind_head = (uint64_t)(uintptr_t)compiler->first,
	};
}

static void begin_region(struct compiler *compiler)
{
	struct code_jit_info info;

	compiler->used = 0;
	compiler->first = compiler->last = make_table();
	info = region_info(compiler);
	if (codectl(CODE_REGISTER_JIT, &info, CODE_JIT_INFO_SIZE_VER0, 0))
		fail("CODE_REGISTER_JIT");
}

static void end_region(struct compiler *compiler)
{
	struct code_jit_info info = region_info(compiler);
	struct code_jit_unwind_table *table = compiler->first;

	if (codectl(CODE_UNREGISTER, &info, CODE_JIT_INFO_SIZE_VER0, 0))
		fail("CODE_UNREGISTER");
	while (table) {
		struct code_jit_unwind_table *next =
			(struct code_jit_unwind_table *)(uintptr_t)table->next;

		free(table);
		table = next;
	}
	/* What is left behind must not run, nor be unwound. */
	memset(compiler->region, 0xcc, REGION_SIZE);
}

/* Called by some of the innermost functions. */
__attribute__((noinline)) static void burn(void)
{
	for (volatile int i = 0; i < LOOP_COUNT; i++) {
	}
}

static uint64_t add_function(struct compiler *compiler, const struct jit_function *function,
	unsigned int chain, unsigned int depth)
{
	uint8_t *code = compiler->region + compiler->used;
	struct jit_rows rows;
	char name[64];
	size_t size = jit_emit(code, (uint32_t)compiler->used, function, &rows);

	for (size_t i = 0; i < rows.count; i++)
		add_row(compiler, &rows.rows[i]);
	snprintf(name, sizeof(name), "c%u_d%u_%c", chain, depth, jit_shape_letter(function->shape));
	if (codectl_jit_symbol(code, size, name))
		fail("codectl_jit_symbol");
	compiler->used += (size + 15) / 16 * 16;
	return (uint64_t)(uintptr_t)code;
}

/* Makes the functions, the innermost first, and returns the outermost one. */
static void (*make_chain(struct compiler *compiler, unsigned int chain))(void)
{
	uint64_t callee = chain % 3 == 0 ? (uint64_t)(uintptr_t)burn : 0;

	if (REGION_SIZE - compiler->used < DEPTH * JIT_FUNCTION_MAX) {
		end_region(compiler);
		begin_region(compiler);
	}
	for (unsigned int depth = DEPTH; depth-- > 0;) {
		const struct jit_function function = {
			.shape = (enum jit_shape)(
				(chain + depth * 3 + depth / 4) % JIT_SHAPE_COUNT),
			.callee = callee,
			.loop_count = LOOP_COUNT,
			.room = (chain + depth) % 5 + 1,
		};

		callee = add_function(compiler, &function, chain, depth);
	}
	return (void (*)(void))(uintptr_t)callee;
}

__attribute__((noinline)) static void run_chain(void (*chain)(void))
{
	for (int i = 0; i < RUNS; i++)
		chain();
	__asm__ volatile("" ::: "memory");
}

static void run_logged(struct compiler *compiler, unsigned int chain, void (*function)(void))
{
	uint64_t start = now();

	run_chain(function);
	fprintf(compiler->log, "%ld %u %llu %llu\n", syscall(SYS_gettid), chain,
		(unsigned long long)start, (unsigned long long)now());
}

static void map_region(struct compiler *compiler)
{
	compiler->region = mmap(NULL, REGION_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (compiler->region == MAP_FAILED)
		fail("mmap");
	begin_region(compiler);
}

static void *compile_and_run(void *user)
{
	struct compiler *compiler = user;

	map_region(compiler);
	for (unsigned int i = 0; i < compiler->chain_count; i++) {
		unsigned int chain = compiler->first_chain + i;

		run_logged(compiler, chain, make_chain(compiler, chain));
	}
	end_region(compiler);
	munmap(compiler->region, REGION_SIZE);
	return NULL;
}

/*
 * The last of the chains, made here, is run by a child, too, which then goes on to
 * make chains of its own in the same region.
 */
static void compile_and_fork(struct compiler *compiler)
{
	void (*function)(void);
	int status = 0;

	map_region(compiler);
	function = make_chain(compiler, compiler->first_chain);
	run_logged(compiler, compiler->first_chain, function);
	fflush(compiler->log);

	pid_t child = fork();

	if (child < 0 || (child > 0 && (waitpid(child, &status, 0) != child || status)))
		fail("fork");
	if (child > 0)
		return;
	for (unsigned int i = 0; i < 20; i++)
		run_logged(compiler, compiler->first_chain, function);
	for (unsigned int i = 1; i < compiler->chain_count; i++) {
		unsigned int chain = compiler->first_chain + i;

		run_logged(compiler, chain, make_chain(compiler, chain));
	}
	end_region(compiler);
	exit(fclose(compiler->log) ? 1 : 0);
}

/* Chains that are made before anybody records. They run when there is a line of input. */
static void compile_and_wait(struct compiler *compiler)
{
	void (*functions[WAITING])(void);

	map_region(compiler);
	for (unsigned int i = 0; i < WAITING; i++)
		functions[i] = make_chain(compiler, compiler->first_chain + i);
	printf("ready %d\n", getpid());
	fflush(stdout);
	getchar();
	for (unsigned int i = 0; i < compiler->chain_count; i++)
		run_logged(compiler, compiler->first_chain + i % WAITING, functions[i % WAITING]);
	printf("done\n");
	fflush(stdout);
	getchar();
	end_region(compiler);
}

int main(int argc, char **argv)
{
	unsigned int thread_count = argc > 3 ? (unsigned int)atoi(argv[1]) : 0;
	unsigned int chain_count = argc > 3 ? (unsigned int)atoi(argv[2]) : 0;
	struct compiler *compilers = calloc(thread_count, sizeof(*compilers));
	pthread_t *threads = calloc(thread_count, sizeof(*threads));
	FILE *log = argc > 3 ? fopen(argv[3], "w") : NULL;

	if (thread_count == 0 || chain_count == 0 || !log || !compilers || !threads) {
		fprintf(stderr, "usage: prog-jit THREADS CHAINS LOG [fork|wait]\n");
		return 2;
	}
	for (unsigned int i = 0; i < thread_count; i++) {
		compilers[i] = (struct compiler){
			.chain_count = chain_count,
			.first_chain = i * chain_count,
			.log = log,
		};
		if (pthread_create(&threads[i], NULL, compile_and_run, &compilers[i]))
			fail("pthread_create");
	}
	for (unsigned int i = 0; i < thread_count; i++)
		pthread_join(threads[i], NULL);
	if (argc > 4) {
		struct compiler compiler = {
			.chain_count = chain_count,
			.first_chain = thread_count * chain_count,
			.log = log,
		};

		if (!strcmp(argv[4], "fork"))
			compile_and_fork(&compiler);
		else
			compile_and_wait(&compiler);
	}
	free(threads);
	free(compilers);
	return fclose(log) ? 1 : 0;
}
