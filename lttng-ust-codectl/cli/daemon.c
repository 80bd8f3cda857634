/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/daemon.h"

#include "cli/files.h"
#include "cli/message.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <lttng/lttng.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOT_DIRECTORY	"/run/lttng"
#define STOP_TIMEOUT_MS 20000

/* A daemon, its worker and its consumers are four at most. */
#define FAMILY_MAX 8

struct codectl_daemon {
	char *directory; /* Owned; of a user's private daemon, else NULL. */
	char *pid_path;	 /* Owned; where a private daemon's pid is, else NULL. */
	char *log_path;	 /* Owned; what a private daemon says, else NULL. */
	int users_fd;	 /* Shared lock while we use root's daemon, else -1. */
};

static int open_lock(const char *name)
{
	char path[128];

	mkdir(ROOT_DIRECTORY, 0755);
	snprintf(path, sizeof(path), ROOT_DIRECTORY "/%s", name);
	return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* Tells the user the lines with @text of the daemon's log, @max at most. */
static void tell_log(const char *path, const char *text, size_t max)
{
	FILE *file = fopen(path, "re");
	char line[512];

	while (file && max > 0 && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (strstr(line, text)) {
			codectl_cli_say("lttng-sessiond says: %s", line);
			max--;
		}
	}
	if (file)
		fclose(file);
}

/* Runs the daemon in the background; it is ready when the command returns. */
static int start_daemon(const char *pid_path, const char *log_path)
{
	int status;

	/*
	 * The daemon detaches itself from the process that we start and would be
	 * init's child. In many containers nobody there waits for children.
	 */
	prctl(PR_SET_CHILD_SUBREAPER, 1);

	pid_t pid = fork();

	if (pid == 0) {
		sigset_t none;
		int log_fd = open(log_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		int null_fd = open("/dev/null", O_RDONLY);

		if (log_fd >= 0 && null_fd >= 0) {
			dup2(null_fd, STDIN_FILENO);
			dup2(log_fd, STDOUT_FILENO);
			dup2(log_fd, STDERR_FILENO);
		}
		/* Ours are blocked while we record; the daemon wants its own. */
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		execlp("lttng-sessiond", "lttng-sessiond", "--no-kernel", "--background",
			"--pidfile", pid_path, (char *)NULL);
		fprintf(stderr, "cannot execute lttng-sessiond: %s\n", strerror(errno));
		_exit(127);
	}
	if (pid < 0) {
		codectl_cli_error("Cannot start lttng-sessiond: %s", strerror(errno));
		return -errno;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		codectl_cli_error("lttng-sessiond does not start");
		tell_log(log_path, "", SIZE_MAX);
		return -EIO;
	}
	return 0;
}

/* The parent of process @pid, 0 if there is none. */
static pid_t parent_of(pid_t pid)
{
	char path[32];
	char text[512];
	int parent = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);

	FILE *file = fopen(path, "re");

	if (!file)
		return 0;

	size_t len = fread(text, 1, sizeof(text) - 1, file);

	fclose(file);
	text[len] = '\0';

	/* The name, in parentheses, may hold anything. */
	const char *rest = strrchr(text, ')');

	if (!rest || sscanf(rest, ") %*c %d", &parent) != 1)
		return 0;
	return parent;
}

/* Opens pidfds of @pid and its children; returns their number. */
static size_t open_family(pid_t pid, struct pollfd *family)
{
	DIR *directory = opendir("/proc");
	size_t count = 0;

	if (!directory)
		return 0;
	for (const struct dirent *entry = readdir(directory); entry && count < FAMILY_MAX;
		entry = readdir(directory)) {
		pid_t other = atoi(entry->d_name);

		if (other <= 0 || (other != pid && parent_of(other) != pid))
			continue;

		int pid_fd = (int)syscall(SYS_pidfd_open, other, 0);

		if (pid_fd >= 0)
			family[count++] = (struct pollfd){.fd = pid_fd, .events = POLLIN};
	}
	closedir(directory);
	return count;
}

static pid_t read_pid(const char *pid_path)
{
	FILE *file = fopen(pid_path, "re");
	int pid = 0;

	if (file) {
		if (fscanf(file, "%d", &pid) != 1)
			pid = 0;
		fclose(file);
	}
	return pid;
}

/* Ends the daemon and waits until it and its children (the consumers) are gone. */
static void stop_daemon(const char *pid_path)
{
	struct pollfd family[FAMILY_MAX];
	pid_t pid = read_pid(pid_path);

	if (pid <= 0)
		return;

	size_t count = open_family(pid, family);

	kill(pid, SIGTERM);
	for (size_t i = 0; i < count; i++) {
		if (poll(&family[i], 1, STOP_TIMEOUT_MS) == 0) {
			codectl_cli_say(
				"The session daemon (pid %d) does not end; killing it", pid);
			kill(pid, SIGKILL);
			syscall(SYS_pidfd_send_signal, family[i].fd, SIGKILL, NULL, 0);
		}
		close(family[i].fd);
	}
	/* Ours to bury, unless another recording started it. */
	waitpid(pid, NULL, 0);
	unlink(pid_path);
}

/* A daemon in a directory of its own, for a user who has none. */
static int start_user_daemon(struct codectl_daemon *daemon)
{
	const char *parent = getenv("XDG_RUNTIME_DIR");
	int ret = -ENOMEM;

	if (!parent || access(parent, W_OK) != 0)
		parent = "/tmp";
	if (asprintf(&daemon->directory, "%s/codectl-XXXXXX", parent) < 0) {
		daemon->directory = NULL;
		return -ENOMEM;
	}
	if (!mkdtemp(daemon->directory)) {
		codectl_cli_error("Cannot make a directory for the session daemon in %s: %s",
			parent, strerror(errno));
		free(daemon->directory);
		daemon->directory = NULL;
		return -EIO;
	}
	if (asprintf(&daemon->pid_path, "%s/sessiond.pid", daemon->directory) < 0)
		daemon->pid_path = NULL;
	if (asprintf(&daemon->log_path, "%s/sessiond.log", daemon->directory) < 0)
		daemon->log_path = NULL;
	if (daemon->pid_path && daemon->log_path && setenv("LTTNG_HOME", daemon->directory, 1) == 0)
		ret = start_daemon(daemon->pid_path, daemon->log_path);
	return ret;
}

/* Root's daemon; whether one of our recordings started it is in its pid file. */
static int acquire_root_daemon(struct codectl_daemon *daemon)
{
	int start_fd = open_lock("codectl-start.lock");
	int ret = 0;

	daemon->pid_path = strdup(ROOT_DIRECTORY "/codectl-sessiond.pid");
	daemon->log_path = strdup(ROOT_DIRECTORY "/codectl-sessiond.log");
	daemon->users_fd = open_lock("codectl-users.lock");
	if (start_fd < 0 || daemon->users_fd < 0 || !daemon->pid_path || !daemon->log_path) {
		codectl_cli_error(
			"Cannot make lock files in " ROOT_DIRECTORY ": %s", strerror(errno));
		ret = -EIO;
	} else {
		flock(start_fd, LOCK_EX);
		flock(daemon->users_fd, LOCK_SH);
		if (lttng_session_daemon_alive() != 1)
			ret = start_daemon(daemon->pid_path, daemon->log_path);
	}
	if (start_fd >= 0)
		close(start_fd);
	return ret;
}

static void release_root_daemon(struct codectl_daemon *daemon)
{
	int start_fd = open_lock("codectl-start.lock");

	if (start_fd < 0)
		return;
	flock(start_fd, LOCK_EX);
	if (flock(daemon->users_fd, LOCK_EX | LOCK_NB) == 0) {
		stop_daemon(daemon->pid_path);
		unlink(daemon->log_path);
	}
	close(start_fd);
}

struct codectl_daemon *codectl_daemon_acquire(void)
{
	struct codectl_daemon *daemon = calloc(1, sizeof(*daemon));
	int ret = 0;

	if (!daemon)
		return NULL;
	daemon->users_fd = -1;
	if (geteuid() == 0)
		ret = acquire_root_daemon(daemon);
	else if (lttng_session_daemon_alive() != 1)
		ret = start_user_daemon(daemon);
	if (ret) {
		codectl_daemon_release(daemon);
		return NULL;
	}
	return daemon;
}

void codectl_daemon_explain(const struct codectl_daemon *daemon)
{
	if (daemon && daemon->log_path)
		tell_log(daemon->log_path, "Error in write", 3);
}

void codectl_daemon_release(struct codectl_daemon *daemon)
{
	if (!daemon)
		return;
	if (daemon->users_fd >= 0) {
		release_root_daemon(daemon);
		close(daemon->users_fd);
	} else if (daemon->pid_path) {
		stop_daemon(daemon->pid_path);
	}
	if (daemon->directory)
		codectl_files_remove_tree(daemon->directory);
	free(daemon->directory);
	free(daemon->pid_path);
	free(daemon->log_path);
	free(daemon);
}
