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

static int enable_channel(struct codectl_session *session, const char *name, uint64_t subbuf_size,
	uint64_t num_subbuf)
{
	struct lttng_channel *channel = lttng_channel_create(&session->domain);

	if (!channel)
		return -ENOMEM;
	snprintf(channel->name, sizeof(channel->name), "%s", name);
	channel->attr.overwrite = 0;
	channel->attr.subbuf_size = subbuf_size;
	channel->attr.num_subbuf = num_subbuf;

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
	return code < 0 ? failed("enable the events", code) : 0;
}

static int configure(struct codectl_session *session, uint64_t recording)
{
	const char *sample = codectl_event_name(CODECTL_EVENT_SAMPLE);
	char filter[64];

	if (enable_channel(session, MAP_CHANNEL, 256 << 10, 4) ||
		enable_channel(session, SAMPLES_CHANNEL, 1 << 20, 4))
		return -EIO;
	snprintf(filter, sizeof(filter), "recording == %" PRIu64, recording);
	/* Exclusions leave the provider out: it is the pattern's. */
	if (enable_events(session, MAP_CHANNEL, CODECTL_PROVIDER_NAME ":*", sample, filter) ||
		enable_events(session, SAMPLES_CHANNEL, sample, NULL, filter))
		return -EIO;
	return 0;
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

struct codectl_session *codectl_session_start(const char *directory, uint64_t recording)
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
	if (!session->handle || configure(session, recording))
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

int codectl_session_stop(struct codectl_session *session, uint64_t *lost)
{
	int ret = 0;
	int code = lttng_stop_tracing_no_wait(session->name);

	if (code < 0 && code != -LTTNG_ERR_TRACE_ALREADY_STOPPED)
		ret = failed("stop the tracing session", code);
	else if (!wait_for_data(session))
		codectl_cli_say("Some buffers cannot be read (was the program killed while it "
				"wrote to them?); the rest of the trace is good");
	*lost = count_discarded(session);
	destroy(session);
	return ret;
}
