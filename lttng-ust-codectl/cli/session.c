/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "cli/session.h"

#include "cli/message.h"
#include "format/event.h"

#include <errno.h>
#include <inttypes.h>
#include <lttng/destruction-handle.h>
#include <lttng/lttng.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAP_CHANNEL	"codectl-map"
#define SAMPLES_CHANNEL "codectl-samples"
#define PROGRAM_CHANNEL "program"

#define SUBBUF_COUNT	    4
#define MAP_SUBBUF_SIZE	    (256 << 10)
#define SAMPLES_BUFFER_SIZE (4 << 20)
#define PROGRAM_SUBBUF_SIZE (512 << 10)

/*
 * So often buffers are written though they are not full: all that is lost if the
 * daemon or the machine dies, for a program that dies leaves them to the daemon.
 * Those without events are left alone. Each is padded to 4 KiB in the trace,
 * which was a tenth of it at one second.
 */
#define SWITCH_PERIOD_US 5000000

/* What a program that was killed inside LTTng can make us wait, at most. */
#define DATA_TIMEOUT_MS 15000
#define DATA_POLL_MS	20

struct codectl_session {
	char name[64];
	struct lttng_domain domain;
	struct lttng_handle *handle; /* Owned. */
	bool is_created;
};

static int failed(const char *what, int code)
{
	codectl_cli_error("Cannot %s: %s", what, lttng_strerror(code));
	return -EIO;
}

static int enable_channel(struct codectl_session *session, const char *name, uint64_t subbuf_size)
{
	struct lttng_channel *channel = lttng_channel_create(&session->domain);

	if (!channel)
		return -ENOMEM;
	snprintf(channel->name, sizeof(channel->name), "%s", name);
	channel->attr.overwrite = 0;
	channel->attr.subbuf_size = subbuf_size;
	channel->attr.num_subbuf = SUBBUF_COUNT;
	channel->attr.switch_timer_interval = SWITCH_PERIOD_US;

	int code = lttng_enable_channel(session->handle, channel);

	lttng_channel_destroy(channel);
	return code < 0 ? failed("make a channel", code) : 0;
}

/* Enables the events of @pattern but for @exclusion (NULL: none). */
static int enable_events(struct codectl_session *session, const char *channel, const char *pattern,
	const char *exclusion, const char *filter)
{
	struct lttng_event *event = lttng_event_create();
	char *exclusions[] = {exclusion ? strdup(exclusion) : NULL};

	if (!event || (exclusion && !exclusions[0])) {
		lttng_event_destroy(event);
		free(exclusions[0]);
		return -ENOMEM;
	}
	event->type = LTTNG_EVENT_TRACEPOINT;
	event->loglevel_type = LTTNG_EVENT_LOGLEVEL_ALL;
	event->loglevel = -1;
	snprintf(event->name, sizeof(event->name), "%s", pattern);

	int code = lttng_enable_event_with_exclusions(
		session->handle, event, channel, filter, exclusion ? 1 : 0, exclusions);

	lttng_event_destroy(event);
	free(exclusions[0]);
	if (code >= 0)
		return 0;
	codectl_cli_error("Cannot enable the events \"%s\": %s", pattern, lttng_strerror(code));
	return -EIO;
}

static int add_context(struct codectl_session *session, enum lttng_event_context_type type)
{
	struct lttng_event_context context = {.ctx = type};
	int code = lttng_add_context(session->handle, &context, NULL, PROGRAM_CHANNEL);

	return code < 0 ? failed("add a context", code) : 0;
}

/* Sizes of buffers are powers of two. */
static uint64_t round_up(uint64_t size)
{
	uint64_t rounded = 4096;

	while (rounded < size)
		rounded <<= 1;
	return rounded;
}

/* One pattern for the program's own events. Ours would come twice if it takes them too. */
static int enable_pattern(struct codectl_session *session, const char *pattern)
{
	const size_t literal_len = strcspn(pattern, "*");
	const size_t own_len = strlen(CODECTL_PROVIDER_NAME ":");
	const bool may_be_own = !strncmp(
		pattern, CODECTL_PROVIDER_NAME ":", literal_len < own_len ? literal_len : own_len);

	return enable_events(session, PROGRAM_CHANNEL, pattern,
		may_be_own ? CODECTL_PROVIDER_NAME ":*" : NULL, NULL);
}

/* Lists of patterns with commas between, as lttng(1) takes them. */
static int enable_program_events(struct codectl_session *session, const char *const *patterns)
{
	if (!patterns || !*patterns)
		return 0;
	if (enable_channel(session, PROGRAM_CHANNEL, PROGRAM_SUBBUF_SIZE) ||
		add_context(session, LTTNG_EVENT_CONTEXT_VPID) ||
		add_context(session, LTTNG_EVENT_CONTEXT_VTID))
		return -EIO;
	for (; *patterns; patterns++) {
		char *list = strdup(*patterns);
		char *rest = NULL;
		int ret = list ? 0 : -ENOMEM;

		for (char *pattern = list ? strtok_r(list, ",", &rest) : NULL; pattern && !ret;
			pattern = strtok_r(NULL, ",", &rest))
			ret = enable_pattern(session, pattern);
		free(list);
		if (ret)
			return ret;
	}
	return 0;
}

static int configure(struct codectl_session *session, const struct codectl_session_options *options)
{
	const char *sample = codectl_event_name(CODECTL_EVENT_SAMPLE);
	const uint64_t size = options->buffer_size ? options->buffer_size : SAMPLES_BUFFER_SIZE;
	char filter[64];

	if (enable_channel(session, MAP_CHANNEL, MAP_SUBBUF_SIZE) ||
		enable_channel(session, SAMPLES_CHANNEL, round_up(size / SUBBUF_COUNT)))
		return -EIO;
	snprintf(filter, sizeof(filter), "recording == %" PRIu64, options->recording);
	/* Exclusions leave the provider out: it is the pattern's. */
	if (enable_events(session, MAP_CHANNEL, CODECTL_PROVIDER_NAME ":*", sample, filter) ||
		enable_events(session, SAMPLES_CHANNEL, sample, NULL, filter))
		return -EIO;
	return enable_program_events(session, options->patterns);
}

/*
 * Waits until the session is gone, for only then the trace's metadata is
 * complete: a reader or the end of the daemon must not be faster.
 */
static void destroy_session(const char *name)
{
	struct lttng_destruction_handle *destruction = NULL;

	if (lttng_destroy_session_ext(name, &destruction) != LTTNG_OK)
		return;
	lttng_destruction_handle_wait_for_completion(destruction, DATA_TIMEOUT_MS);
	lttng_destruction_handle_destroy(destruction);
}

static void destroy(struct codectl_session *session)
{
	if (session->is_created)
		destroy_session(session->name);
	lttng_destroy_handle(session->handle);
	free(session);
}

struct codectl_session *codectl_session_start(
	const char *directory, const struct codectl_session_options *options)
{
	struct codectl_session *session = calloc(1, sizeof(*session));
	char *url = NULL;
	int code;

	if (!session || asprintf(&url, "file://%s", directory) < 0) {
		free(session);
		return NULL;
	}
	snprintf(session->name, sizeof(session->name), "codectl-%d-%lld", getpid(),
		(long long)time(NULL));
	session->domain.type = LTTNG_DOMAIN_UST;
	session->domain.buf_type = LTTNG_BUFFER_PER_UID;
	code = lttng_create_session(session->name, url);
	free(url);
	if (code < 0) {
		failed("create a tracing session", code);
		goto error;
	}
	session->is_created = true;
	session->handle = lttng_create_handle(session->name, &session->domain);
	if (!session->handle || configure(session, options))
		goto error;
	code = lttng_start_tracing(session->name);
	if (code < 0) {
		failed("start the tracing session", code);
		goto error;
	}
	return session;
error:
	destroy(session);
	return NULL;
}

static uint64_t count_discarded(struct codectl_session *session)
{
	struct lttng_channel *channels = NULL;
	int count = lttng_list_channels(session->handle, &channels);
	uint64_t discarded = 0;

	for (int i = 0; i < count; i++) {
		uint64_t events = 0;

		if (lttng_channel_get_discarded_event_count(&channels[i], &events) == 0)
			discarded += events;
	}
	free(channels);
	return discarded;
}

/* Waits until the consumer has written everything. Returns whether it has. */
static bool wait_for_data(struct codectl_session *session)
{
	const struct timespec pause = {.tv_nsec = DATA_POLL_MS * 1000000};

	for (int waited = 0; waited < DATA_TIMEOUT_MS; waited += DATA_POLL_MS) {
		if (lttng_data_pending(session->name) <= 0)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

int codectl_session_stop(struct codectl_session *session, bool is_broken, uint64_t *lost)
{
	int ret = 0;
	int code = lttng_stop_tracing_no_wait(session->name);

	*lost = 0;
	if (is_broken) {
		destroy(session);
		return 0;
	}
	if (code < 0 && code != -LTTNG_ERR_TRACE_ALREADY_STOPPED)
		ret = failed("stop the tracing session", code);
	else if (!wait_for_data(session))
		codectl_cli_say("Some buffers cannot be read (was the program killed while it "
				"wrote to them?); the rest of the trace is good");
	*lost = count_discarded(session);
	destroy(session);
	return ret;
}
