/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/learn.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static int create_map(struct codectl_learner *learner)
{
	learner->ust_map = codectl_ust_map_create(codectl_resolver_borrow_space(learner->resolver));
	return learner->ust_map ? 0 : -ENOMEM;
}

int codectl_learner_init(struct codectl_learner *learner,
	const struct codectl_resolver_options *options, const char *field_name)
{
	*learner = (struct codectl_learner){
		.log = options->log,
		.decoder = codectl_decoder_create(options->log),
		.lttng_decoder = codectl_lttng_decoder_create(options->log),
		.contexts = codectl_contexts_create(field_name),
		.resolver = codectl_resolver_create(options),
	};
	codectl_class_map_init(&learner->readers, false);
	if (!learner->decoder || !learner->lttng_decoder || !learner->contexts ||
		!learner->resolver)
		return -ENOMEM;
	return create_map(learner);
}

void codectl_learner_fini(struct codectl_learner *learner)
{
	codectl_ust_map_destroy(learner->ust_map);
	codectl_resolver_destroy(learner->resolver);
	codectl_contexts_destroy(learner->contexts);
	codectl_lttng_decoder_destroy(learner->lttng_decoder);
	codectl_decoder_destroy(learner->decoder);
	codectl_class_map_fini(&learner->readers);
}

int codectl_learner_rewind(struct codectl_learner *learner)
{
	codectl_contexts_forget_processes(learner->contexts);
	codectl_ust_map_destroy(learner->ust_map);
	learner->ust_map = NULL;
	if (codectl_resolver_rewind(learner->resolver) < 0)
		return -ENOMEM;
	return create_map(learner);
}

/* Takes in what LTTng-UST itself says of the process of an event. */
static int learn_of_lttng(
	struct codectl_learner *learner, const bt_event *source, uint64_t position)
{
	struct codectl_lttng_event event;
	int ret = codectl_lttng_decoder_decode(learner->lttng_decoder, source, &event);

	if (ret < 0)
		return ret;
	const struct codectl_known_stream *stream = codectl_contexts_get_stream(
		learner->contexts, bt_event_borrow_stream_const(source));
	if (!stream)
		return -ENOMEM;
	if (stream->context->vpid < 0)
		return -ENOENT;
	const struct codectl_ust_key key = codectl_contexts_read_key(
		stream, bt_event_borrow_common_context_field_const(source));
	return codectl_ust_map_apply(learner->ust_map, &key, &event, position);
}

/* Registrations also answer for events with an address. */
static int note_registration(
	struct codectl_learner *learner, const bt_event *source, const struct codectl_event *event)
{
	const struct codectl_known_stream *stream = codectl_contexts_get_stream(
		learner->contexts, bt_event_borrow_stream_const(source));
	struct codectl_ust_key key = {0};

	if (!stream)
		return -ENOMEM;
	key.trace = stream->trace;
	if (stream->context->vpid >= 0)
		key = codectl_contexts_read_key(
			stream, bt_event_borrow_common_context_field_const(source));
	key.vpid = event->vpid;
	return codectl_ust_map_note(learner->ust_map, &key, event->start_time);
}

/* Samples are read when they are copied. */
static int learn_of_codectl(
	struct codectl_learner *learner, const bt_event *source, uint64_t position)
{
	(void)position;
	int type = codectl_decoder_type(learner->decoder, bt_event_borrow_class_const(source));
	if (type == -EINVAL)
		learner->stats.undecodable++;
	if (type == CODECTL_EVENT_SAMPLE)
		learner->stats.samples++;
	if (type < 0 || type == CODECTL_EVENT_SAMPLE)
		return type;

	struct codectl_event event;
	int ret = codectl_decoder_decode(learner->decoder, source, &event);
	if (ret == 0)
		ret = codectl_resolver_apply(learner->resolver, &event);
	return ret == 0 ? note_registration(learner, source, &event) : ret;
}

/* How events of a class are read; its address stands for each value of the map of classes. */
struct codectl_class_reader {
	/* Returns 0 or more, or a negative errno; all but -ENOMEM is counted already. */
	int (*read)(struct codectl_learner *learner, const bt_event *source, uint64_t position);
};

const struct codectl_class_reader codectl_learner_nobody = {NULL};

static const struct codectl_class_reader *get_reader(
	struct codectl_learner *learner, const bt_event_class *class)
{
	static const struct codectl_class_reader codectl = {learn_of_codectl};
	static const struct codectl_class_reader lttng = {learn_of_lttng};
	const struct codectl_class_reader *reader = codectl_class_map_find(
		&learner->readers, class);
	const char *name;

	if (reader)
		return reader;
	name = bt_event_class_get_name(class);
	reader = &codectl_learner_nobody;
	if (name && codectl_decoder_is_of_provider(name))
		reader = &codectl;
	else if (name && codectl_lttng_decoder_is_of_provider(name))
		reader = &lttng;
	return codectl_class_map_insert(&learner->readers,
		       bt_stream_class_borrow_trace_class_const(
			       bt_event_class_borrow_stream_class_const(class)),
		       class, (void *)reader) < 0
		       ? NULL
		       : reader;
}

int codectl_learner_take_in_event(struct codectl_learner *learner,
	const struct codectl_message_view *message, uint64_t position)
{
	const struct codectl_class_reader *reader = get_reader(learner, message->event_class);

	if (!reader || (reader->read && reader->read(learner, message->event, position) == -ENOMEM))
		return -ENOMEM;
	return 0;
}

void codectl_learner_log_stats(const struct codectl_learner *learner)
{
	const struct codectl_decoder_stats *decoder = codectl_decoder_borrow_stats(
		learner->decoder);
	const struct codectl_lttng_decoder_stats *lttng = codectl_lttng_decoder_borrow_stats(
		learner->lttng_decoder);
	const struct codectl_ust_map_stats *map = codectl_ust_map_borrow_stats(learner->ust_map);

	codectl_log_info(learner->log,
		"Events that could not be decoded: bad-classes=%" PRIu64
		", events-of-bad-classes=%" PRIu64 ", events-with-bad-values=%" PRIu64,
		decoder->bad_classes, learner->stats.undecodable, decoder->bad_values);
	codectl_log_info(learner->log,
		"Events of LTTng-UST: decoded=%" PRIu64 ", bad-lttng-classes=%" PRIu64
		", lttng-events-with-bad-values=%" PRIu64 ", processes=%" PRIu64 ", images=%" PRIu64
		", objects=%" PRIu64 ", repeated-objects=%" PRIu64 ", without-size=%" PRIu64
		", bad-object-ranges=%" PRIu64 ", unknown-objects=%" PRIu64
		", assumed-unmapped=%" PRIu64,
		lttng->events, lttng->bad_classes, lttng->bad_values, map->processes, map->images,
		map->objects, map->repeated, map->without_size, map->bad_ranges,
		map->unknown_objects, map->assumed_unmapped);
	codectl_resolver_log_stats(learner->resolver);
}
