/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-odd: a program that leaves the beaten track after it has started: it
 * locks itself in, throws things away, becomes another user, or dies. What it
 * does then is in functions whose names tests look for. Usage: prog-odd MODE
 * [DIRECTORY|COUNT]. Exits with 0 if it noticed nothing.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

extern char **environ;

static volatile uint64_t sink;
static const char *directory = ".";
static char *own_path;

/* Milliseconds of CPU time of this thread. */
static void spin(int ms)
{
	struct timespec start, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	do {
		for (int i = 0; i < 1000; i++)
			sink = sink * 31 + 1;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < ms);
}

static NOINLINE void spin_afterwards(void)
{
	spin(200);
	sink++;
}

static void *spin_in_thread(void *argument)
{
	spin_afterwards();
	return argument;
}

/* Here and in a new thread. */
static int spin_everywhere(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, spin_in_thread, NULL))
		return 11;
	spin_afterwards();
	return pthread_join(thread, NULL) ? 12 : 0;
}

/* How often the loop of a locked-in thread runs: nobody tells it the time. */
static uint64_t locked_in_turns;

static NOINLINE void spin_locked_in(void)
{
	for (uint64_t i = 0; i < locked_in_turns; i++)
		sink = sink * 31 + 1;
	sink++;
}

static void *lock_in(void *argument)
{
	const char *how = argument;

	/* Afterwards, the next system call but exit() kills. */
	if (!strcmp(how, "prctl") ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT)
				  : (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL))
		exit(13);
	spin_locked_in();
	syscall(SYS_exit, 0);
	return NULL;
}

static int lock_in_strictly(void)
{
	static const char *const ways[] = {"prctl", "seccomp"};
	struct timespec start, end;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	locked_in_turns = 10000000;
	spin_locked_in();
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	locked_in_turns = (uint64_t)((double)locked_in_turns * 0.2 /
				     ((double)(end.tv_sec - start.tv_sec) +
					     (double)(end.tv_nsec - start.tv_nsec) / 1e9));
	for (size_t i = 0; i < COUNT_OF(ways); i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, lock_in, (void *)(uintptr_t)ways[i]))
			return 14;
		pthread_join(thread, NULL);
	}
	return 0;
}

/*
 * A sandbox around all threads, where whoever looks around or starts timers
 * kills the process. (LTTng-UST opens a library when the process exits.)
 */
static int lock_in_all(void)
{
#define FORBID(name)                                           \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
	struct sock_filter instructions[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		FORBID(process_vm_readv),
		FORBID(timer_create),
		FORBID(timer_settime),
		FORBID(timer_gettime),
		FORBID(timer_delete),
		FORBID(getdents64),
		FORBID(perf_event_open),
		FORBID(ioctl),
		FORBID(rt_tgsigqueueinfo),
		FORBID(get_robust_list),
		FORBID(gettid),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {COUNT_OF(instructions), instructions};

	spin(50);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program))
		return 15;
	return spin_everywhere();
}

static volatile sig_atomic_t own_ticks;

static void on_tick(int number)
{
	(void)number;
	own_ticks++;
}

/* A profiler of the program's own, by the classic interval timer and by a POSIX timer. */
static int profile_itself(void)
{
	struct sigaction action = {.sa_handler = on_tick};
	struct itimerval interval = {
		.it_interval = {.tv_usec = 10000}, .it_value = {.tv_usec = 10000}};
	struct itimerspec spec = {
		.it_interval = {.tv_nsec = 10000000}, .it_value = {.tv_nsec = 10000000}};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1};
	timer_t timer;
	int profile_ticks;

	if (sigaction(SIGPROF, &action, NULL) || setitimer(ITIMER_PROF, &interval, NULL))
		return 16;
	spin_afterwards();
	profile_ticks = own_ticks;
	interval = (struct itimerval){0};
	setitimer(ITIMER_PROF, &interval, NULL);
	if (sigaction(SIGRTMIN + 1, &action, NULL) ||
		timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) ||
		timer_settime(timer, 0, &spec, NULL))
		return 17;
	spin_afterwards();
	timer_delete(timer);
	return profile_ticks > 3 && own_ticks > profile_ticks + 3 ? 0 : 18;
}

/* As some run-time systems do, past the C library. */
static int reset_signals_directly(void)
{
	struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		uint64_t mask;
	} action = {.handler = SIG_DFL};

	for (int number = 1; number <= SIGRTMAX; number++)
		syscall(SYS_rt_sigaction, number, &action, NULL, sizeof(action.mask));
	spin_afterwards();
	return 0;
}

static bool is_spinning_at_exit;

static NOINLINE void spin_in_destructor(void)
{
	spin(100);
	sink++;
}

static __attribute__((destructor)) void destroy(void)
{
	if (is_spinning_at_exit)
		spin_in_destructor();
}

static NOINLINE void spin_in_handler(void)
{
	spin(100);
	sink++;
}

static int run_at_exit(void)
{
	is_spinning_at_exit = true;
	return atexit(spin_in_handler);
}

/* All that a daemon does: two forks, a session, no files but its own. */
static int become_daemon(void)
{
	pid_t child = fork();
	int status;

	if (child > 0)
		return waitpid(child, &status, 0) == child && status == 0 ? 0 : 19;
	setsid();

	int pipe_fds[2];

	if (child < 0 || pipe(pipe_fds))
		_exit(20);
	child = fork();
	if (child > 0) {
		char answer = 0;

		close(pipe_fds[1]);
		_exit(read(pipe_fds[0], &answer, 1) == 1 && answer == 'y' ? 0 : 21);
	}
	umask(0);
	if (chdir("/"))
		_exit(22);
	for (int fd = 0; fd < 1024; fd++) {
		if (fd != pipe_fds[1])
			close(fd);
	}
	/* The first files that are opened get the numbers that they always got. */
	if (open("/dev/null", O_RDWR) != 0 || dup(0) != 1 || dup(0) != 2)
		_exit(23);
	int ret = spin_everywhere();
	char answer = ret == 0 ? 'y' : 'n';

	return write(pipe_fds[1], &answer, 1) == 1 ? ret : 24;
}

/* At one stroke; and what is opened next is the program's own and stays as it is. */
static int close_all_files(void)
{
	int fds[300];

	spin(50);
	if (close_range(3, ~0u, 0))
		return 25;
	for (size_t i = 0; i < COUNT_OF(fds); i++) {
		char name[32];

		snprintf(name, sizeof(name), "own-file-%zu", i);
		fds[i] = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
		if (fds[i] < 0)
			return 26;
		unlink(name);
	}

	int ret = spin_everywhere();

	/* Nobody has closed them or written to them. */
	for (size_t i = 0; i < COUNT_OF(fds); i++) {
		struct stat status;

		if (fstat(fds[i], &status) || !S_ISREG(status.st_mode) || status.st_size != 0)
			return 27;
	}
	closefrom(3);
	return ret;
}

static int change_root(void)
{
	if (chroot(directory) || chdir("/"))
		return 28;
	if (access("/proc", F_OK) == 0)
		return 29;
	return spin_everywhere();
}

static int drop_privileges(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, spin_in_thread, NULL))
		return 30;
	if (setgroups(0, NULL) || setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
		return 31;
	pthread_join(thread, NULL);
	return spin_everywhere();
}

static int die_of_sigkill(void)
{
	spin_afterwards();
	return kill(getpid(), SIGKILL);
}

static int die_of_a_fault(void)
{
	const struct rlimit no_core = {0};

	setrlimit(RLIMIT_CORE, &no_core);
	spin_afterwards();
	raise(SIGSEGV);
	return 32;
}

static int spawn_children(void)
{
	char *const arguments[] = {own_path, (char *)"spawned", NULL};
	pid_t children[2];

	if (posix_spawn(&children[0], own_path, NULL, NULL, arguments, environ))
		return 33;
	children[1] = vfork();
	if (children[1] == 0) {
		execv(own_path, arguments);
		_exit(34);
	}
	for (size_t i = 0; i < COUNT_OF(children); i++) {
		int status;

		if (waitpid(children[i], &status, 0) != children[i] || status != 0)
			return 35;
	}
	return 0;
}

static int be_spawned(void)
{
	spin_afterwards();
	return 0;
}

/* Becomes itself again and again: no signal may be pending then. */
static int execute_again(void)
{
	int left = atoi(directory);
	char text[16];

	spin(20);
	if (left <= 0)
		return 0;
	snprintf(text, sizeof(text), "%d", left - 1);
	/* One that fails: it goes on. */
	if (execlp("/nonexistent/program", "program", (char *)NULL) != -1 || errno != ENOENT)
		return 38;
	spin_afterwards();
	if (left % 2)
		execl(own_path, own_path, "exec", text, (char *)NULL);
	else
		execle(own_path, own_path, "exec", text, (char *)NULL, environ);
	return 39;
}

/* Forks in threads, and threads in the forked. */
static void *fork_in_thread(void *argument)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(spin_everywhere());
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		exit(36);
	return argument;
}

static int fork_in_threads(void)
{
	pthread_t threads[3];

	for (size_t i = 0; i < COUNT_OF(threads); i++) {
		if (pthread_create(&threads[i], NULL, fork_in_thread, NULL))
			return 37;
	}
	for (size_t i = 0; i < COUNT_OF(threads); i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* As a shell does for a command that is not there. */
static int fail_to_execute(void)
{
	for (int i = 0; i < 20; i++) {
		pid_t child = fork();
		int status;

		if (child == 0) {
			spin(10);
			execlp("/nonexistent/program", "program", (char *)NULL);
			exit(41);
		}
		if (child < 0 || waitpid(child, &status, 0) != child || status != 41 << 8)
			return 40;
	}
	return 0;
}

static void *fork_and_return(void *argument)
{
	pid_t child = fork();
	int status;

	/* In the child, it is the only thread. */
	if (child != 0 && (child < 0 || waitpid(child, &status, 0) != child || status != 0))
		exit(42);
	/* Memory has to be looked at again, without the first thread. */
	if (!dlopen("libm.so.6", RTLD_NOW))
		exit(44);
	spin_afterwards();
	return argument;
}

/* A process ends with its last thread, whichever that is. */
static int end_by_threads(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, fork_and_return, NULL))
		return 43;
	pthread_exit(NULL);
}

static const struct {
	const char *name;
	int (*run)(void);
} modes[] = {
	{"seccomp-strict", lock_in_strictly},
	{"seccomp-all", lock_in_all},
	{"own-profiler", profile_itself},
	{"reset-directly", reset_signals_directly},
	{"at-exit", run_at_exit},
	{"daemon", become_daemon},
	{"close-all", close_all_files},
	{"chroot", change_root},
	{"setuid", drop_privileges},
	{"sigkill", die_of_sigkill},
	{"fault", die_of_a_fault},
	{"spawn", spawn_children},
	{"spawned", be_spawned},
	{"fork-in-threads", fork_in_threads},
	{"exec", execute_again},
	{"exec-fails", fail_to_execute},
	{"last-thread", end_by_threads},
};

int main(int argc, char **argv)
{
	own_path = argv[0];
	if (argc > 2)
		directory = argv[2];
	for (size_t i = 0; i < COUNT_OF(modes) && argc > 1; i++) {
		if (!strcmp(argv[1], modes[i].name))
			return modes[i].run();
	}
	fprintf(stderr, "Usage: prog-odd MODE [DIRECTORY|COUNT]\n");
	return 99;
}
