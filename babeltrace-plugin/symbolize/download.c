/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "symbolize/download.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long the library has to end by itself; it looks at it once a second, if at all. */
#define GRACE_MS 1500

struct codectl_download {
	pid_t child; /* 0: none. */
	int socket;  /* Owned, if there is a child; one message is one packet. */
};

/* What the child is told; @len is 0: forget what was asked for. */
struct question {
	enum codectl_debuginfod_kind kind;
	size_t len;
	uint8_t build_id[CODECTL_DOWNLOAD_ID_MAX];
};

/* What it tells; the end of the path is the end of the packet. */
struct news {
	bool is_over;
	int error;
	int64_t done;
	int64_t total;
	char path[PATH_MAX];
};

/* --- The child ------------------------------------------------------------------ */

struct library {
	int socket;
	debuginfod_client *client; /* NULL: the library could not be loaded. */
	int (*find_debuginfo)(
		debuginfod_client *client, const unsigned char *id, int len, char **path);
	int (*find_executable)(
		debuginfod_client *client, const unsigned char *id, int len, char **path);
};

/* Found in the library; what calls back must know it without an argument for it. */
static void *(*get_user_data)(debuginfod_client *client);

static void tell(int socket, const struct news *news, int flags)
{
	/* Who does not listen any more has closed it, which shows when it is read. */
	(void)!send(socket, news, offsetof(struct news, path) + strlen(news->path) + 1,
		flags | MSG_NOSIGNAL);
}

/* Called by the library while it waits; not 0 ends that. */
static int note_progress(debuginfod_client *client, long done, long total)
{
	const struct library *library = get_user_data(client);
	const struct news news = {.done = done, .total = total};
	char byte;

	tell(library->socket, &news, MSG_DONTWAIT);
	return recv(library->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 ||
	       (errno != EAGAIN && errno != EINTR);
}

/* Functions are found as data; POSIX says that this works. */
static bool find_function(void *library, const char *name, void *function)
{
	void *address = dlsym(library, name);

	memcpy(function, &address, sizeof(address));
	return address != NULL;
}

static void load(struct library *library)
{
	debuginfod_client *(*begin)(void);
	void (*set_user_data)(debuginfod_client * client, void *user);
	void (*set_progress)(debuginfod_client * client, debuginfod_progressfn_t function);
	void *handle = dlopen(DEBUGINFOD_SONAME, RTLD_NOW | RTLD_LOCAL);

	if (!handle || !find_function(handle, "debuginfod_begin", &begin) ||
		!find_function(handle, "debuginfod_set_user_data", &set_user_data) ||
		!find_function(handle, "debuginfod_get_user_data", &get_user_data) ||
		!find_function(handle, "debuginfod_set_progressfn", &set_progress) ||
		!find_function(handle, "debuginfod_find_debuginfo", &library->find_debuginfo) ||
		!find_function(handle, "debuginfod_find_executable", &library->find_executable))
		return;
	library->client = begin();
	if (library->client) {
		set_user_data(library->client, library);
		set_progress(library->client, note_progress);
	}
}

static void answer(struct library *library, const struct question *question)
{
	struct news news = {.is_over = true, .error = -ELIBACC};
	char *path = NULL;
	int fd;

	if (library->client) {
		fd = question->kind == CODECTL_DEBUGINFOD_EXECUTABLE
			     ? library->find_executable(library->client, question->build_id,
				       (int)question->len, &path)
			     : library->find_debuginfo(library->client, question->build_id,
				       (int)question->len, &path);
		news.error = fd < 0 ? fd : 0;
		/* The path is in the cache; what is there is opened as carefully as anything. */
		if (fd >= 0)
			close(fd);
		if (fd >= 0 && path && strlen(path) < sizeof(news.path))
			strcpy(news.path, path);
		free(path);
	}
	tell(library->socket, &news, 0);
}

/* Does not come back. */
static void serve(int socket)
{
	struct library library = {.socket = socket};
	struct question question;
	ssize_t len;

	load(&library);
	do {
		len = recv(socket, &question, sizeof(question), 0);
		if (len == (ssize_t)sizeof(question) && question.len)
			answer(&library, &question);
	} while (len > 0 || (len < 0 && errno == EINTR));
	_exit(0);
}

/* --- The program ------------------------------------------------------------------ */

struct codectl_download *codectl_download_create(void)
{
	return calloc(1, sizeof(struct codectl_download));
}

static void end_child(struct codectl_download *download)
{
	if (!download->child)
		return;
	close(download->socket);
	kill(download->child, SIGKILL);
	while (waitpid(download->child, NULL, 0) < 0 && errno == EINTR)
		;
	download->child = 0;
}

void codectl_download_destroy(struct codectl_download *download)
{
	if (!download)
		return;
	end_child(download);
	free(download);
}

static int begin_child(struct codectl_download *download)
{
	const pid_t parent = getpid();
	int sockets[2];
	pid_t child;
	int ret;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0)
		return -errno;
	child = fork();
	if (child == 0) {
		/* Whoever ends the program without us ends this, too. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* An interrupt of the terminal is for the program, which tells us then. */
		signal(SIGINT, SIG_IGN);
		close(sockets[0]);
		if (getppid() != parent)
			_exit(0);
		serve(sockets[1]);
	}
	ret = -errno;
	close(sockets[1]);
	if (child < 0) {
		close(sockets[0]);
		return ret;
	}
	download->child = child;
	download->socket = sockets[0];
	return 0;
}

static int send_question(struct codectl_download *download, const struct question *question)
{
	return send(download->socket, question, sizeof(*question), MSG_NOSIGNAL) < 0 ? -errno : 0;
}

int codectl_download_begin(struct codectl_download *download, enum codectl_debuginfod_kind kind,
	const uint8_t *build_id, size_t len)
{
	struct question question = {.kind = kind, .len = len};
	int ret = download->child ? 0 : begin_child(download);

	memcpy(question.build_id, build_id, len);
	if (ret == 0)
		ret = send_question(download, &question);
	if (ret < 0)
		end_child(download);
	return ret;
}

/* Takes what the child has told; there is something. */
static void take_news(struct codectl_download *download, struct codectl_download_state *state)
{
	struct news news;
	ssize_t len = recv(download->socket, &news, sizeof(news), MSG_DONTWAIT);

	if (len < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (len <= (ssize_t)offsetof(struct news, path) ||
		news.path[(size_t)len - offsetof(struct news, path) - 1]) {
		end_child(download);
		state->is_over = true;
		state->error = -EPIPE;
		return;
	}
	state->is_over = news.is_over;
	state->error = news.error;
	state->done = news.done > 0 ? (uint64_t)news.done : 0;
	state->total = news.total > 0 ? (uint64_t)news.total : 0;
	if (!news.is_over || news.error < 0)
		return;
	state->path = news.path[0] ? strdup(news.path) : NULL;
	if (!state->path)
		state->error = -ENOMEM;
}

void codectl_download_wait(
	struct codectl_download *download, int ms, struct codectl_download_state *state)
{
	struct pollfd events = {.fd = download->socket, .events = POLLIN};

	*state = (struct codectl_download_state){0};
	if (poll(&events, 1, ms) > 0)
		take_news(download, state);
}

void codectl_download_cancel(struct codectl_download *download)
{
	const struct question nothing = {.len = 0};
	struct codectl_download_state state = {0};
	int ms = GRACE_MS;

	if (send_question(download, &nothing) == 0) {
		for (; !state.is_over && ms > 0; ms -= 50)
			codectl_download_wait(download, 50, &state);
		free(state.path);
	}
	if (!state.is_over)
		end_child(download);
}
