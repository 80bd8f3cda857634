/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/filter.h"

#include "comp/annotate.h"
#include "comp/file-search.h"
#include "comp/log.h"
#include "comp/param-table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct filter {
	bt_self_component_port_input *input; /* Weak; owned by the component. */
	struct codectl_log log;
	const bt_value *params; /* Owned reference: the strings are in there. */
	bool keeps_raw_stack;
	bool has_full_paths;
	bool has_inlines;
	unsigned int mode; /* enum codectl_unwind_mode. */
	struct codectl_file_search search;
};

struct filter_stats {
	uint64_t samples; /* That came in, whether they could be annotated or not. */
	uint64_t undecodable;
};

struct filter_iterator {
	struct filter *filter;		   /* Weak; the component outlives it. */
	bt_message_iterator *upstream;	   /* Owned reference. */
	struct codectl_decoder *decoder;   /* Owned. */
	struct codectl_resolver *resolver; /* Owned. */
	struct codectl_copier *copier;	   /* Owned. */
	struct codectl_annotator annotator;
	struct filter_stats stats;
	/* What came from upstream and was not passed on: messages [next, count). References owned. */
	bt_message_array_const batch;
	uint64_t batch_next;
	uint64_t batch_count;
};

static void destroy_filter(struct filter *filter)
{
	codectl_file_search_fini(&filter->search);
	bt_value_put_ref(filter->params);
	free(filter);
}

static bt_component_class_initialize_method_status init_status(int ret)
{
	switch (ret) {
	case 0:
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
	case -ENOMEM:
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	default:
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
}

/* Appends an error cause if it fails. Returns 0, -EINVAL or -ENOMEM. */
static int read_params(struct filter *filter, bt_self_component *component, const bt_value *params)
{
	/* In the order of enum codectl_unwind_mode. */
	static const char *const modes[] = {"auto", "fp", "sframe", "eh-frame", NULL};
	const struct codectl_param table[] = {
		{"keep-raw-stack", CODECTL_PARAM_BOOL, &filter->keeps_raw_stack, NULL},
		CODECTL_FILE_SEARCH_PARAMS(&filter->search),
		{"full-path", CODECTL_PARAM_BOOL, &filter->has_full_paths, NULL},
		{"inlines", CODECTL_PARAM_BOOL, &filter->has_inlines, NULL},
		{"unwind", CODECTL_PARAM_CHOICE, &filter->mode, modes},
		{NULL, CODECTL_PARAM_STRING, NULL, NULL},
	};
	char error[256];

	bt_value_get_ref(params);
	filter->params = params;
	codectl_file_search_init(&filter->search);
	filter->has_inlines = true;
	int ret = codectl_param_table_read(params, table, error, sizeof(error));
	if (ret < 0) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(component, "%s", error);
		return ret;
	}
	return codectl_file_search_prepare(&filter->search);
}

static int add_ports(struct filter *filter, bt_self_component_filter *self_component)
{
	if (bt_self_component_filter_add_input_port(self_component, "in", NULL, &filter->input) !=
			BT_SELF_COMPONENT_ADD_PORT_STATUS_OK ||
		bt_self_component_filter_add_output_port(self_component, "out", NULL, NULL) !=
			BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
		return -ENOMEM;
	return 0;
}

bt_component_class_initialize_method_status codectl_filter_init(
	bt_self_component_filter *self_component,
	bt_self_component_filter_configuration *configuration, const bt_value *params,
	void *init_data)
{
	bt_self_component *component = bt_self_component_filter_as_self_component(self_component);
	struct filter *filter = calloc(1, sizeof(*filter));

	(void)configuration;
	(void)init_data;
	if (!filter)
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	filter->log = codectl_log_of_component(
		bt_self_component_as_component(component), "FLT.CODECTL.DEBUG-INFO");
	int ret = read_params(filter, component, params);
	if (ret == 0)
		ret = add_ports(filter, self_component);
	if (ret < 0) {
		destroy_filter(filter);
		return init_status(ret);
	}
	bt_self_component_set_data(component, filter);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void codectl_filter_finalize(bt_self_component_filter *self_component)
{
	destroy_filter(bt_self_component_get_data(
		bt_self_component_filter_as_self_component(self_component)));
}

static bool is_interrupted(void *user)
{
	return bt_self_message_iterator_is_interrupted(user) != BT_FALSE;
}

static void destroy_iterator(struct filter_iterator *iterator)
{
	iterator->filter->search.is_interrupted = NULL;
	codectl_copier_destroy(iterator->copier);
	codectl_resolver_destroy(iterator->resolver);
	codectl_decoder_destroy(iterator->decoder);
	bt_message_iterator_put_ref(iterator->upstream);
	free(iterator);
}

/* Creates the parts that know of a trace. Returns 0 or -ENOMEM. */
static int create_parts(struct filter_iterator *iterator, bt_self_message_iterator *self_iterator)
{
	const struct filter *filter = iterator->filter;
	const struct codectl_resolver_options options = {
		.search = &filter->search.search,
		.has_full_paths = filter->has_full_paths,
		.has_inlines = filter->has_inlines,
		.mode = (enum codectl_unwind_mode)filter->mode,
		.log = &filter->log,
	};

	iterator->decoder = codectl_decoder_create(&filter->log);
	iterator->resolver = codectl_resolver_create(&options);
	if (!iterator->decoder || !iterator->resolver)
		return -ENOMEM;
	iterator->annotator = (struct codectl_annotator){
		.decoder = iterator->decoder,
		.resolver = iterator->resolver,
		.keeps_raw_stack = filter->keeps_raw_stack,
	};
	const struct codectl_copy_extension extension = codectl_annotator_extension(
		&iterator->annotator);
	iterator->copier = codectl_copier_create(self_iterator, &extension);
	return iterator->copier ? 0 : -ENOMEM;
}

bt_message_iterator_class_initialize_method_status codectl_filter_iterator_init(
	bt_self_message_iterator *self_iterator,
	bt_self_message_iterator_configuration *configuration, bt_self_component_port_output *port)
{
	bt_self_component *component = bt_self_message_iterator_borrow_component(self_iterator);
	struct filter_iterator *iterator = calloc(1, sizeof(*iterator));

	(void)port;
	if (!iterator)
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	iterator->filter = bt_self_component_get_data(component);
	switch (bt_message_iterator_create_from_message_iterator(
		self_iterator, iterator->filter->input, &iterator->upstream)) {
	case BT_MESSAGE_ITERATOR_CREATE_FROM_MESSAGE_ITERATOR_STATUS_OK:
		break;
	case BT_MESSAGE_ITERATOR_CREATE_FROM_MESSAGE_ITERATOR_STATUS_MEMORY_ERROR:
		destroy_iterator(iterator);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	default:
		destroy_iterator(iterator);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	if (create_parts(iterator, self_iterator) < 0) {
		destroy_iterator(iterator);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	}
	bt_self_message_iterator_configuration_set_can_seek_forward(
		configuration, bt_message_iterator_can_seek_forward(iterator->upstream));
	bt_self_message_iterator_set_data(self_iterator, iterator);
	iterator->filter->search.user = self_iterator;
	iterator->filter->search.is_interrupted = is_interrupted;
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static void log_stats(const struct filter_iterator *iterator)
{
	const struct codectl_log *log = &iterator->filter->log;
	const struct codectl_copier_stats copier = codectl_copier_stats(iterator->copier);
	const struct codectl_decoder_stats *decoder = codectl_decoder_borrow_stats(
		iterator->decoder);

	codectl_log_info(log,
		"Messages: copied=%" PRIu64 ", forwarded=%" PRIu64 ", samples=%" PRIu64
		", annotated-samples=%" PRIu64 ", open-traces=%" PRIu64,
		copier.copied, copier.forwarded, iterator->stats.samples, copier.changed,
		copier.open_traces);
	codectl_log_info(log,
		"Events that could not be decoded: bad-classes=%" PRIu64
		", events-of-bad-classes=%" PRIu64 ", events-with-bad-values=%" PRIu64,
		decoder->bad_classes, iterator->stats.undecodable, decoder->bad_values);
	if (iterator->stats.samples > copier.changed)
		codectl_log_warning(log,
			"Some samples are in streams that began before their event class was "
			"known, and are passed on as they are: count=%" PRIu64,
			iterator->stats.samples - copier.changed);
	codectl_resolver_log_stats(iterator->resolver);
	codectl_file_search_log_stats(&iterator->filter->search, log);
}

static void drop_batch(struct filter_iterator *iterator)
{
	while (iterator->batch_next < iterator->batch_count)
		bt_message_put_ref(iterator->batch[iterator->batch_next++]);
}

void codectl_filter_iterator_finalize(bt_self_message_iterator *self_iterator)
{
	struct filter_iterator *iterator = bt_self_message_iterator_get_data(self_iterator);

	log_stats(iterator);
	drop_batch(iterator);
	destroy_iterator(iterator);
}

/* Takes in what an event says of the process; samples are read when they are copied. */
static int learn(struct filter_iterator *iterator, const bt_message *message)
{
	if (bt_message_get_type(message) != BT_MESSAGE_TYPE_EVENT)
		return 0;
	const bt_event *source = bt_message_event_borrow_event_const(message);
	int type = codectl_decoder_type(iterator->decoder, bt_event_borrow_class_const(source));
	if (type == -EINVAL)
		iterator->stats.undecodable++;
	if (type == CODECTL_EVENT_SAMPLE)
		iterator->stats.samples++;
	if (type < 0 || type == CODECTL_EVENT_SAMPLE)
		return type == -ENOMEM ? type : 0;

	struct codectl_event event;
	int ret = codectl_decoder_decode(iterator->decoder, source, &event);
	if (ret == 0)
		ret = codectl_resolver_apply(iterator->resolver, &event);
	return ret == -ENOMEM ? ret : 0;
}

static bt_message_iterator_class_next_method_status next_status(
	bt_self_message_iterator *self_iterator, int ret)
{
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(self_iterator,
		"Cannot pass on a message: %s",
		ret == -ENOMEM ? "out of memory" : "a field class of a kind that is unknown here");
	return ret == -ENOMEM ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_MEMORY_ERROR
			      : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
}

static bt_message_iterator_class_next_method_status upstream_next_status(
	bt_message_iterator_next_status status)
{
	switch (status) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_MEMORY_ERROR;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_ERROR:
		break;
	}
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
}

bt_message_iterator_class_next_method_status codectl_filter_iterator_next(
	bt_self_message_iterator *self_iterator, bt_message_array_const messages, uint64_t capacity,
	uint64_t *count)
{
	struct filter_iterator *iterator = bt_self_message_iterator_get_data(self_iterator);
	uint64_t done = 0;
	int ret = 0;

	if (iterator->batch_next == iterator->batch_count) {
		bt_message_iterator_next_status status = bt_message_iterator_next(
			iterator->upstream, &iterator->batch, &iterator->batch_count);
		iterator->batch_next = 0;
		if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
			iterator->batch_count = 0;
			return upstream_next_status(status);
		}
	}
	while (ret == 0 && done < capacity && iterator->batch_next < iterator->batch_count) {
		const bt_message *message = iterator->batch[iterator->batch_next++];
		ret = learn(iterator, message);
		if (ret == 0)
			ret = codectl_copier_pass(iterator->copier, message, &messages[done]);
		done += ret == 0;
		bt_message_put_ref(message);
	}
	if (ret < 0) {
		while (done > 0)
			bt_message_put_ref(messages[--done]);
		drop_batch(iterator);
		return next_status(self_iterator, ret);
	}
	*count = done;
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

bt_message_iterator_class_can_seek_beginning_method_status
codectl_filter_iterator_can_seek_beginning(
	bt_self_message_iterator *self_iterator, bt_bool *can_seek_beginning)
{
	struct filter_iterator *iterator = bt_self_message_iterator_get_data(self_iterator);

	switch (bt_message_iterator_can_seek_beginning(iterator->upstream, can_seek_beginning)) {
	case BT_MESSAGE_ITERATOR_CAN_SEEK_BEGINNING_STATUS_OK:
		return BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_BEGINNING_METHOD_STATUS_OK;
	case BT_MESSAGE_ITERATOR_CAN_SEEK_BEGINNING_STATUS_AGAIN:
		return BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_BEGINNING_METHOD_STATUS_AGAIN;
	case BT_MESSAGE_ITERATOR_CAN_SEEK_BEGINNING_STATUS_MEMORY_ERROR:
		return BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_BEGINNING_METHOD_STATUS_MEMORY_ERROR;
	case BT_MESSAGE_ITERATOR_CAN_SEEK_BEGINNING_STATUS_ERROR:
		break;
	}
	return BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_BEGINNING_METHOD_STATUS_ERROR;
}

static bt_message_iterator_class_seek_beginning_method_status seek_status(
	bt_message_iterator_seek_beginning_status status)
{
	switch (status) {
	case BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_OK:
		return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK;
	case BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_AGAIN:
		return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_AGAIN;
	case BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_MEMORY_ERROR:
		return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_MEMORY_ERROR;
	case BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_ERROR:
		break;
	}
	return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_ERROR;
}

bt_message_iterator_class_seek_beginning_method_status codectl_filter_iterator_seek_beginning(
	bt_self_message_iterator *self_iterator)
{
	struct filter_iterator *iterator = bt_self_message_iterator_get_data(self_iterator);

	drop_batch(iterator);
	codectl_copier_rewind(iterator->copier);
	if (codectl_resolver_rewind(iterator->resolver) < 0)
		return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_MEMORY_ERROR;
	return seek_status(bt_message_iterator_seek_beginning(iterator->upstream));
}
