/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * stress: a program that does at once what a recorder may stumble over, and
 * writes down where each of its threads was, when. Eight threads load plugins,
 * call them and unload them, each in a place where another one may have been;
 * each starts a thread that lives shortly; others fork, spawn and exec.
 *
 * Usage: stress SECONDS FORKERS TRUTH PLUGIN…; a child: stress --child 0 TRUTH PLUGIN…
 *
 * The first process watches over the second one, which does all that: if one of
 * its threads makes no progress for STALL_SECONDS, that is a deadlock, and its
 * stacks are printed. Exits with 0 if all went well.
 */
#include "truth.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS	      8
#define FORKERS_MAX   2
#define THREADS_MAX   (WORKERS + FORKERS_MAX)
#define STALL_SECONDS 60
#define CHILD_SECONDS 150
#define MS	      ((uint64_t)1000000)

extern char **environ;

/* Shared with the process that watches. */
struct progress {
	atomic_ulong rounds[THREADS_MAX];
	atomic_ulong children;
	atomic_ulong same_address; /* Calls of a plugin where another one was before. */
};

static struct progress *progress;
static const char *own_path, *truth_path;
static char **plugins;
static unsigned int plugin_count;
static size_t thread_count;
static int truth_fd = -1;
static atomic_bool is_over;

static void fail(const char *what)
{
	fprintf(stderr, "stress: %s: %s\n", what, strerror(errno));
	abort();
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* The number is the two digits before ".so". */
static uint32_t plugin_number(const char *path)
{
	return (uint32_t)atoi(path + strlen(path) - 5);
}

static void call_plugin(const char *path, truth_work *work, uint64_t duration_ns)
{
	struct truth truth = {
		.pid = getpid(),
		.tid = (int32_t)syscall(SYS_gettid),
		.plugin = plugin_number(path),
		.outer_begin = truth_now(),
	};

	work(&truth, duration_ns);
	truth.outer_end = truth_now();
	if (write(truth_fd, &truth, sizeof(truth)) != sizeof(truth))
		fail("cannot write the truth");
}

static truth_work *find_work(void *handle)
{
	truth_work *work = NULL;
	void *symbol = dlsym(handle, "plugin_work");

	if (!symbol)
		fail(dlerror());
	memcpy(&work, &symbol, sizeof(work));
	return work;
}

/* Counts how often a plugin is where another one was: that is what this is about. */
static void note_address(truth_work *work, uint32_t number)
{
	static _Atomic uint32_t last_at[1 << 12];
	_Atomic uint32_t *last = &last_at[(uintptr_t)work >> 12 & 0xfff];
	uint32_t before = atomic_exchange(last, number + 1);

	if (before && before != number + 1)
		atomic_fetch_add(&progress->same_address, 1);
}

static void load_and_call(const char *path, uint64_t duration_ns)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		fail(dlerror());

	truth_work *work = find_work(handle);

	note_address(work, plugin_number(path));
	call_plugin(path, work, duration_ns);
	if (dlclose(handle))
		fail(dlerror());
}

static void *run_short_thread(void *path)
{
	load_and_call(path, 1 * MS);
	return NULL;
}

static void *run_worker(void *argument)
{
	const size_t index = (size_t)(uintptr_t)argument;
	uint32_t random = (uint32_t)index * 7919 + (uint32_t)getpid();

	while (!atomic_load(&is_over)) {
		pthread_t thread;
		char *path = plugins[next_random(&random) % plugin_count];
		char *other = plugins[next_random(&random) % plugin_count];
		bool has_thread = pthread_create(&thread, NULL, run_short_thread, other) == 0;

		load_and_call(path, (1 + next_random(&random) % 10) * MS);
		if (has_thread)
			pthread_join(thread, NULL);
		atomic_fetch_add(&progress->rounds[index], 1);
	}
	return NULL;
}

/* What a forked child does: as little as may be done with the locks of lost threads. */
static void run_forked(const char *path, truth_work *work)
{
	alarm(CHILD_SECONDS);
	call_plugin(path, work, 3 * MS);
	_exit(0);
}

static char **make_child_argv(void)
{
	static char child_option[] = "--child";
	static char no_forkers[] = "0";
	char **argv = calloc(plugin_count + 5, sizeof(*argv));

	if (!argv)
		fail("out of memory");
	argv[0] = (char *)(uintptr_t)own_path;
	argv[1] = child_option;
	argv[2] = no_forkers;
	argv[3] = (char *)(uintptr_t)truth_path;
	memcpy(&argv[4], plugins, plugin_count * sizeof(*argv));
	return argv;
}

static void wait_for_child(pid_t pid, const char *kind)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			fail("waitpid");
	}
	if (status) {
		fprintf(stderr, "stress: a child (%s) ended with status %#x\n", kind, status);
		abort();
	}
	atomic_fetch_add(&progress->children, 1);
}

/* One child of each kind in turn. */
static void make_child(unsigned int kind, char *const *argv, const char *path, truth_work *work)
{
	pid_t pid;

	switch (kind % 4) {
	case 0: /* A storm: several at once. */
		for (int i = 0; i < 4; i++) {
			pid = fork();
			if (pid == 0)
				run_forked(path, work);
			if (pid < 0)
				fail("fork");
			wait_for_child(pid, "fork");
		}
		break;
	case 1:
		pid = fork();
		if (pid == 0) {
			alarm(CHILD_SECONDS);
			execv(own_path, argv);
			_exit(127);
		}
		wait_for_child(pid, "fork and exec");
		break;
	case 2:
		if (posix_spawn(&pid, own_path, NULL, NULL, argv, environ))
			fail("posix_spawn");
		wait_for_child(pid, "posix_spawn");
		break;
	default:
		pid = vfork();
		if (pid == 0) {
			execv(own_path, argv);
			_exit(127);
		}
		wait_for_child(pid, "vfork and exec");
		break;
	}
}

static void *run_forker(void *argument)
{
	const size_t index = (size_t)(uintptr_t)argument;
	char *path = plugins[index % plugin_count];
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	char **argv = make_child_argv();

	if (!handle)
		fail(dlerror());
	for (unsigned int kind = (unsigned int)index; !atomic_load(&is_over); kind++) {
		call_plugin(path, find_work(handle), 1 * MS);
		make_child(kind, argv, path, find_work(handle));
		atomic_fetch_add(&progress->rounds[index], 1);
	}
	free(argv);
	dlclose(handle);
	return NULL;
}

static int run_threads(unsigned int seconds)
{
	pthread_t threads[THREADS_MAX];

	for (size_t i = 0; i < thread_count; i++) {
		if (pthread_create(&threads[i], NULL, i < WORKERS ? run_worker : run_forker,
			    (void *)(uintptr_t)i))
			fail("pthread_create");
	}
	for (unsigned int left = seconds; left > 0; left = sleep(left))
		;
	atomic_store(&is_over, true);
	for (size_t i = 0; i < thread_count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static void print_stacks(pid_t pid)
{
	char command[128];

	snprintf(command, sizeof(command),
		"for pid in %d $(ps -o pid= --ppid %d); do eu-stack -p $pid; done >&2", pid, pid);
	unsetenv("LD_PRELOAD");
	if (system(command))
		fprintf(stderr, "stress: no stacks\n");
}

/* The thread that made no progress since @last, -1 if all did. */
static int find_stalled(unsigned long *last, unsigned int *stalled_for)
{
	for (size_t i = 0; i < thread_count; i++) {
		unsigned long rounds = atomic_load(&progress->rounds[i]);

		stalled_for[i] = rounds == last[i] ? stalled_for[i] + 1 : 0;
		last[i] = rounds;
		if (stalled_for[i] >= STALL_SECONDS)
			return (int)i;
	}
	return -1;
}

static int watch(pid_t pid)
{
	unsigned long last[THREADS_MAX] = {0};
	unsigned int stalled_for[THREADS_MAX] = {0};
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		int stalled = find_stalled(last, stalled_for);

		if (stalled >= 0) {
			fprintf(stderr, "stress: thread %d makes no progress\n", stalled);
			print_stacks(pid);
			kill(pid, SIGKILL);
			return 3;
		}
		sleep(1);
	}
	printf("rounds");
	for (size_t i = 0; i < thread_count; i++)
		printf(" %lu", atomic_load(&progress->rounds[i]));
	printf(", children %lu, plugins where another one was %lu\n",
		atomic_load(&progress->children), atomic_load(&progress->same_address));
	if (status)
		fprintf(stderr, "stress: ended with wait status %#x\n", status);
	return status ? 1 : 0;
}

int main(int argc, char **argv)
{
	bool is_child = argc > 1 && !strcmp(argv[1], "--child");

	if (argc < 5 || atoi(argv[2]) > FORKERS_MAX) {
		fprintf(stderr, "usage: stress SECONDS FORKERS TRUTH PLUGIN...\n");
		return 2;
	}
	own_path = "/proc/self/exe";
	thread_count = WORKERS + (size_t)atoi(argv[2]);
	truth_path = argv[3];
	plugins = argv + 4;
	plugin_count = (unsigned int)argc - 4;
	truth_fd = open(truth_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	progress = mmap(
		NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (truth_fd < 0 || progress == MAP_FAILED)
		fail("cannot start");
	if (is_child) {
		for (unsigned int i = 0; i < 2; i++)
			load_and_call(plugins[(unsigned int)getpid() % plugin_count], 2 * MS);
		return 0;
	}

	pid_t pid = fork();

	if (pid == 0)
		return run_threads((unsigned int)atoi(argv[1]));
	return pid < 0 ? 1 : watch(pid);
}
