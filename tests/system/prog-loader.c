/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * prog-loader: loads and unloads as told, line by line on stdin, and answers
 * each line with one on stdout.
 *
 *   open PATH     dlopen(); answers with the address of the library's marker()
 *   close         dlclose() of the last one opened
 *   mopen PATH    dlmopen() into a new namespace; answers as open
 *   churn N PATH  N times open and close at once; answers with the addresses seen
 *   sneak PATH    closes the last one and opens PATH, both past any preload
 *   via PATH      loads PATH, whose open_plugin() does the dlopen(); answers with its result
 *   libc          makes the C library load a name service, a character set and libgcc_s
 *   fork PATH     the child opens PATH and ends; answers with its pid
 *   maps          answers with this process's pid and start of [vdso]
 *   threads-exit  exits with status 3 from a second thread while others load and unload
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <iconv.h>
#include <nss.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

static void *last;

static void *marker_of(void *library)
{
	return library ? dlsym(library, "marker") : NULL;
}

static void answer_open(void *library)
{
	if (!library)
		printf("error %s\n", dlerror());
	else
		printf("%p\n", marker_of(library));
	last = library;
}

static void churn(const char *argument)
{
	char *path;
	long count = strtol(argument, &path, 10);
	void *seen = NULL;
	int places = 0;

	for (long i = 0; i < count; i++) {
		void *library = dlopen(path + 1, RTLD_NOW);

		if (!library || marker_of(library) != seen)
			places++;
		seen = marker_of(library);
		if (library)
			dlclose(library);
	}
	printf("%d\n", places);
}

static void sneak(const char *path)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW);
	int (*real_dlclose)(void *) = (int (*)(void *))dlsym(libc, "dlclose");
	void *(*real_dlopen)(const char *, int) = (void *(*)(const char *, int))dlsym(
		libc, "dlopen");

	real_dlclose(last);
	answer_open(real_dlopen(path, RTLD_NOW));
}

static void via(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	const char *(*open_plugin)(
		void) = library ? (const char *(*)(void))dlsym(library, "open_plugin") : NULL;

	printf("%s\n", open_plugin ? open_plugin() : dlerror());
}

static void use_libc(void)
{
	void *frames[4];

	__nss_configure_lookup("passwd", "hesiod");
	getpwnam("codectl-test-nobody");
	/* It stays open, and its module loaded. */
	printf("%s %d\n", iconv_open("UTF-8", "EUC-JP") == (iconv_t)-1 ? "failed" : "converts",
		backtrace(frames, 4) > 0);
}

static void fork_child(const char *path)
{
	pid_t pid;
	int status = -1;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		last = dlopen(path, RTLD_NOW);
		exit(last ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	printf("%d %d\n", (int)pid, status);
}

static void *load_for_ever(void *path)
{
	for (;;) {
		void *library = dlopen(path, RTLD_NOW);

		if (library)
			dlclose(library);
	}
	return NULL;
}

static void *exit_now(void *unused)
{
	(void)unused;
	exit(3);
}

static void exit_among_threads(char *path)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, load_for_ever, path);
	usleep(10000);
	pthread_create(&thread, NULL, exit_now, NULL);
	pthread_join(thread, NULL);
}

static void obey(char *line)
{
	char *argument = strchr(line, ' ');

	if (argument)
		*argument++ = '\0';
	else
		argument = line + strlen(line);
	if (!strcmp(line, "open"))
		answer_open(dlopen(argument, RTLD_NOW));
	else if (!strcmp(line, "mopen"))
		answer_open(dlmopen(LM_ID_NEWLM, argument, RTLD_NOW));
	else if (!strcmp(line, "close"))
		printf("%d\n", dlclose(last));
	else if (!strcmp(line, "churn"))
		churn(argument);
	else if (!strcmp(line, "sneak"))
		sneak(argument);
	else if (!strcmp(line, "via"))
		via(argument);
	else if (!strcmp(line, "libc"))
		use_libc();
	else if (!strcmp(line, "fork"))
		fork_child(argument);
	else if (!strcmp(line, "maps"))
		printf("%d 0x%lx\n", (int)getpid(), getauxval(AT_SYSINFO_EHDR));
	else if (!strcmp(line, "threads-exit"))
		exit_among_threads(argument);
	else
		printf("error unknown command %s\n", line);
}

int main(void)
{
	static char line[4096];

	setvbuf(stdout, NULL, _IOLBF, 0);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		obey(line);
	}
	return 0;
}
