/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/process-sampler.h"

#include "sampler/thin.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static void read_mappings(pid_t pid, struct process_mappings *mappings)
{
	char path[64], line[512];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	file = fopen(path, "re");
	if (!file)
		die(path);
	mappings->count = 0;
	while (mappings->count < MAPPING_MAX && fgets(line, sizeof(line), file)) {
		struct process_mapping *mapping = &mappings->list[mappings->count];
		char permissions[8];

		memset(mapping, 0, sizeof(*mapping));
		if (sscanf(line,
			    "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %" SCNu64 " %255[^\n]",
			    &mapping->start, &mapping->end, permissions, &mapping->offset,
			    &mapping->inode, mapping->pathname) < 5)
			continue;
		mapping->is_executable = permissions[2] == 'x';
		mappings->count++;
	}
	fclose(file);
}

static struct process_mapping *find_mapping(struct process_mappings *mappings, uint64_t address)
{
	for (size_t i = 0; i < mappings->count; i++) {
		struct process_mapping *mapping = &mappings->list[i];

		if (address >= mapping->start && address < mapping->end)
			return mapping;
	}
	return NULL;
}

/* Whether the same code is mapped at the same places. */
static bool is_same_code(const struct process_mappings *left, const struct process_mappings *right)
{
	size_t i = 0, j = 0;

	for (;; i++, j++) {
		while (i < left->count && !left->list[i].is_executable)
			i++;
		while (j < right->count && !right->list[j].is_executable)
			j++;
		if (i == left->count || j == right->count)
			return i == left->count && j == right->count;
		if (left->list[i].start != right->list[j].start ||
			strcmp(left->list[i].pathname, right->list[j].pathname) != 0)
			return false;
	}
}

/* The file's bytes, or the vDSO's out of the process. */
static const void *map_image(
	const struct process_sampler *sampler, const struct process_mapping *mapping, size_t *len)
{
	struct iovec remote = {(void *)mapping->start, mapping->end - mapping->start};
	struct iovec local = {NULL, remote.iov_len};
	struct stat status;
	void *image;
	int fd;

	*len = remote.iov_len;
	if (mapping->pathname[0] != '/') {
		local.iov_base = malloc(local.iov_len);
		if (!local.iov_base || process_vm_readv(sampler->pid, &local, 1, &remote, 1, 0) < 0)
			die("process_vm_readv");
		return local.iov_base;
	}
	fd = open(mapping->pathname, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status))
		die(mapping->pathname);
	*len = (size_t)status.st_size;
	image = mmap(NULL, *len, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	close(fd);
	return image == MAP_FAILED ? NULL : image;
}

static uint64_t find_bias(const struct process_mapping *mapping, const struct codectl_elf *elf)
{
	struct codectl_elf_segment segment;

	for (size_t i = 0; codectl_elf_get_segment(elf, i, &segment) == 0; i++) {
		if (segment.type == PT_LOAD && (segment.flags & PF_X) &&
			mapping->offset + 0xfff >= segment.offset &&
			mapping->offset < segment.offset + segment.filesz)
			return mapping->start - mapping->offset + segment.offset - segment.vaddr;
	}
	return 0;
}

/* Maps the image behind each executable mapping. */
static void map_images(struct process_sampler *sampler)
{
	for (size_t i = 0; i < sampler->mappings.count; i++) {
		const struct process_mapping *mapping = &sampler->mappings.list[i];
		struct process_code *code = &sampler->codes[sampler->code_count];
		size_t len;

		if (!mapping->is_executable)
			continue;
		*code = (struct process_code){.start = mapping->start,
			.end = mapping->end,
			.pathname = mapping->pathname};
		sampler->code_count++;
		if (mapping->pathname[0] != '/' && strcmp(mapping->pathname, "[vdso]") != 0)
			continue;
		code->image = map_image(sampler, mapping, &len);
		if (code->image && codectl_elf_init(&code->elf, code->image, len))
			code->image = NULL;
		if (code->image)
			code->bias = find_bias(mapping, &code->elf);
	}
}

void process_sampler_renew_modules(struct process_sampler *sampler)
{
	for (size_t i = 0; i < sampler->code_count; i++) {
		struct process_code *code = &sampler->codes[i];

		codectl_unwind_module_destroy(code->module);
		code->module = NULL;
		if (code->image)
			codectl_unwind_module_create(&code->elf, &code->module);
	}
}

/* What is at @address, NULL if nothing. */
static const struct process_code *find_process_code(
	const struct process_sampler *sampler, uint64_t address)
{
	size_t first = 0, last = sampler->code_count;

	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (sampler->codes[middle].end <= address)
			first = middle + 1;
		else
			last = middle;
	}
	if (first == sampler->code_count || address < sampler->codes[first].start)
		return NULL;
	return &sampler->codes[first];
}

int process_sampler_find_code(void *user, uint64_t lookup_pc, struct codectl_unwind_code *code)
{
	const struct process_code *found = find_process_code(user, lookup_pc);

	if (!found)
		return -ENOENT;
	*code = (struct codectl_unwind_code){.module = found->module, .bias = found->bias};
	return 0;
}

int process_sampler_read_code(void *user, uint64_t address, uint8_t *bytes, size_t len)
{
	const struct process_code *found = find_process_code(user, address);
	struct codectl_elf_range range;

	if (!found || !found->image ||
		codectl_elf_vaddr_range(&found->elf, address - found->bias, &range) ||
		range.len < len)
		return -ENOENT;
	memcpy(bytes, range.bytes, len);
	return 0;
}

/* As the sampler does it. */
static void thin(const struct process_sampler *sampler, struct process_sample *sample)
{
	static struct codectl_thin_scratch scratch;
	static struct codectl_range executable[MAPPING_MAX];
	struct codectl_thin_rule rule = {
		.executable = executable, .frame_pointer = sample->regs[CODECTL_AMD64_RBP]};

	for (size_t i = 0; i < sampler->mappings.count; i++) {
		const struct process_mapping *mapping = &sampler->mappings.list[i];

		if (mapping->is_executable)
			executable[rule.executable_count++] = (struct codectl_range){
				mapping->start, mapping->end};
	}
	sample->kept_count = codectl_thin(&rule, &scratch, sample->whole, sample->word_count,
		sample->regs[CODECTL_AMD64_RSP], sample->map, sample->kept);
}

/* Copies the stopped process's registers and stack. */
static void take_sample(struct process_sampler *sampler)
{
	struct process_sample *sample = &sampler->samples[sampler->sample_count];
	const struct process_mapping *stack;
	struct user_regs_struct regs;
	struct iovec local, remote;
	ssize_t len;

	if (ptrace(PTRACE_GETREGS, sampler->pid, NULL, &regs))
		die("PTRACE_GETREGS");
	*sample = (struct process_sample){
		.regs = {regs.rax, regs.rdx, regs.rcx, regs.rbx, regs.rsi, regs.rdi, regs.rbp,
			regs.rsp, regs.r8, regs.r9, regs.r10, regs.r11, regs.r12, regs.r13,
			regs.r14, regs.r15, regs.rip}};
	stack = find_mapping(&sampler->mappings, regs.rsp);
	if (!stack)
		return;
	len = (ssize_t)(stack->end - regs.rsp);
	remote = (struct iovec){(void *)regs.rsp, len < STACK_BYTES ? (size_t)len : STACK_BYTES};
	local = (struct iovec){malloc(remote.iov_len), remote.iov_len};
	len = process_vm_readv(sampler->pid, &local, 1, &remote, 1, 0);
	if (!local.iov_base || len < 0)
		die("process_vm_readv");
	sample->whole = local.iov_base;
	sample->word_count = (size_t)len / 8;
	sample->kept = malloc((size_t)len + 1);
	if (!sample->kept)
		die("malloc");
	thin(sampler, sample);
	sampler->sample_count++;
}

static void drop_samples(struct process_sampler *sampler)
{
	for (size_t i = 0; i < sampler->sample_count; i++) {
		free(sampler->samples[i].whole);
		free(sampler->samples[i].kept);
	}
	sampler->sample_count = 0;
}

/* Runs until the next stop that is ours, passing signals on. Returns false at its end. */
static bool run_on(pid_t pid, unsigned int interval)
{
	int status, passed = 0;

	for (;;) {
		if (ptrace(PTRACE_CONT, pid, NULL, passed))
			return false;
		if (interval) {
			usleep(interval);
			kill(pid, SIGSTOP);
			interval = 0;
		}
		if (waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status))
			return false;
		if (WSTOPSIG(status) == SIGSTOP)
			return true;
		passed = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
	}
}

static pid_t start(char **command)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

		dup2(null, STDOUT_FILENO);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status))
		die(command[0]);
	return pid;
}

static void collect(struct process_sampler *sampler, unsigned int interval)
{
	struct process_mappings *mappings = malloc(sizeof(*mappings));

	if (!mappings)
		die("malloc");
	while (sampler->sample_count < sampler->sample_max && run_on(sampler->pid, interval)) {
		read_mappings(sampler->pid, mappings);
		if (!is_same_code(mappings, &sampler->mappings))
			drop_samples(sampler);
		/* The stack may have grown. */
		sampler->mappings = *mappings;
		take_sample(sampler);
	}
	free(mappings);
}

void process_sampler_init(
	struct process_sampler *sampler, char **command, size_t sample_max, unsigned int interval)
{
	memset(sampler, 0, sizeof(*sampler));
	sampler->sample_max = sample_max;
	sampler->samples = calloc(sample_max, sizeof(*sampler->samples));
	if (!sampler->samples)
		die("calloc");
	sampler->pid = start(command);
	collect(sampler, interval);
	if (sampler->sample_count < sample_max) {
		fprintf(stderr, "%s: ended after %zu samples\n", command[0], sampler->sample_count);
		exit(EXIT_FAILURE);
	}
	map_images(sampler);
	process_sampler_renew_modules(sampler);
}

void process_sampler_fini(struct process_sampler *sampler)
{
	kill(sampler->pid, SIGKILL);
	waitpid(sampler->pid, NULL, 0);
	drop_samples(sampler);
	free(sampler->samples);
	for (size_t i = 0; i < sampler->code_count; i++)
		codectl_unwind_module_destroy(sampler->codes[i].module);
}

void process_sample_event(const struct process_sample *sample, struct codectl_event_sample *event)
{
	*event = (struct codectl_event_sample){
		.stack_start = sample->regs[CODECTL_AMD64_RSP],
		.stack_len = (uint32_t)sample->word_count * 8,
		.regs = sample->regs,
		.reg_count = CODECTL_AMD64_REG_COUNT,
		.stack_map = sample->map,
		.stack_map_count = STACK_WORDS / 64,
		.stack = sample->kept,
		.stack_count = sample->kept_count,
	};
}
