/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "trace-ir/metadata.h"

#include "trace-ir/mip.h"

#include <errno.h>

bt_trace_class *codectl_trace_class_copy(
	bt_self_component *self_component, const bt_trace_class *source)
{
	bt_trace_class *copy = bt_trace_class_create(self_component);

	if (!copy)
		return NULL;
	bt_trace_class_set_assigns_automatic_stream_class_id(copy, BT_FALSE);
	bt_trace_class_set_user_attributes(
		copy, bt_trace_class_borrow_user_attributes_const(source));
	return copy;
}

static int copy_stream_class_properties(const bt_stream_class *source, bt_stream_class *copy)
{
	const char *name = bt_stream_class_get_name(source);
	const bt_clock_class *clock_class = bt_stream_class_borrow_default_clock_class_const(
		source);

	if (name && bt_stream_class_set_name(copy, name) != BT_STREAM_CLASS_SET_NAME_STATUS_OK)
		return -ENOMEM;
	/* The API takes a mutable class only to hold a reference; it is frozen already. */
	if (clock_class &&
		bt_stream_class_set_default_clock_class(copy, (bt_clock_class *)clock_class) !=
			BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK)
		return -ENOMEM;
	/* Explicit ids are the only ones that can be kept, whoever assigned them. */
	bt_stream_class_set_assigns_automatic_event_class_id(copy, BT_FALSE);
	bt_stream_class_set_assigns_automatic_stream_id(copy, BT_FALSE);
	if (bt_stream_class_supports_packets(source))
		bt_stream_class_set_supports_packets(copy, BT_TRUE,
			bt_stream_class_packets_have_beginning_default_clock_snapshot(source),
			bt_stream_class_packets_have_end_default_clock_snapshot(source));
	if (bt_stream_class_supports_discarded_events(source))
		bt_stream_class_set_supports_discarded_events(copy, BT_TRUE,
			bt_stream_class_discarded_events_have_default_clock_snapshots(source));
	if (bt_stream_class_supports_discarded_packets(source))
		bt_stream_class_set_supports_discarded_packets(copy, BT_TRUE,
			bt_stream_class_discarded_packets_have_default_clock_snapshots(source));
	bt_stream_class_set_user_attributes(
		copy, bt_stream_class_borrow_user_attributes_const(source));
	return codectl_mip_of(bt_stream_class_borrow_trace_class_const(copy))
		->copy_stream_class(source, copy);
}

typedef bt_stream_class_set_field_class_status (*set_stream_class_field_class)(
	bt_stream_class *stream_class, bt_field_class *field_class);

static int copy_stream_class_field(const bt_field_class *source, bt_stream_class *copy,
	enum codectl_scope scope, struct codectl_field_scopes *scopes,
	set_stream_class_field_class set, const struct codectl_stream_class_change *change,
	struct codectl_field_plan **plan)
{
	bt_field_class *field_class = NULL;

	if (!source)
		return 0;
	int ret = codectl_field_plan_create(source, bt_stream_class_borrow_trace_class(copy), scope,
		scopes, NULL, plan, &field_class);
	if (ret < 0)
		return ret;
	if (change)
		ret = change->append(
			change->user, bt_stream_class_borrow_trace_class(copy), field_class);
	if (ret == 0 && set(copy, field_class) != BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK)
		ret = -ENOMEM;
	bt_field_class_put_ref(field_class);
	return ret;
}

int codectl_stream_class_copy(const bt_stream_class *source, bt_trace_class *trace_class,
	const struct codectl_stream_class_change *change, struct codectl_stream_class_plan *plan,
	bt_stream_class **copy)
{
	struct codectl_field_scopes scopes = {0};

	*plan = (struct codectl_stream_class_plan){0};
	*copy = bt_stream_class_create_with_id(trace_class, bt_stream_class_get_id(source));
	if (!*copy)
		return -ENOMEM;
	int ret = copy_stream_class_properties(source, *copy);
	if (ret == 0)
		ret = copy_stream_class_field(
			bt_stream_class_borrow_packet_context_field_class_const(source), *copy,
			CODECTL_SCOPE_PACKET_CONTEXT, &scopes,
			bt_stream_class_set_packet_context_field_class, NULL,
			&plan->packet_context);
	if (ret == 0)
		ret = copy_stream_class_field(
			bt_stream_class_borrow_event_common_context_field_class_const(source),
			*copy, CODECTL_SCOPE_COMMON_CONTEXT, &scopes,
			bt_stream_class_set_event_common_context_field_class, change,
			&plan->common_context);
	if (ret < 0) {
		codectl_stream_class_plan_fini(plan);
		BT_STREAM_CLASS_PUT_REF_AND_RESET(*copy);
	}
	return ret;
}

void codectl_stream_class_plan_fini(struct codectl_stream_class_plan *plan)
{
	codectl_field_plan_destroy(plan->packet_context);
	codectl_field_plan_destroy(plan->common_context);
	*plan = (struct codectl_stream_class_plan){0};
}

static int copy_event_class_properties(const bt_event_class *source, bt_event_class *copy)
{
	const char *name = bt_event_class_get_name(source);
	const char *emf_uri = bt_event_class_get_emf_uri(source);
	bt_event_class_log_level log_level;

	if (name && bt_event_class_set_name(copy, name) != BT_EVENT_CLASS_SET_NAME_STATUS_OK)
		return -ENOMEM;
	if (emf_uri &&
		bt_event_class_set_emf_uri(copy, emf_uri) != BT_EVENT_CLASS_SET_EMF_URI_STATUS_OK)
		return -ENOMEM;
	if (bt_event_class_get_log_level(source, &log_level) == BT_PROPERTY_AVAILABILITY_AVAILABLE)
		bt_event_class_set_log_level(copy, log_level);
	bt_event_class_set_user_attributes(
		copy, bt_event_class_borrow_user_attributes_const(source));
	return codectl_mip_of(bt_stream_class_borrow_trace_class_const(
				      bt_event_class_borrow_stream_class_const(copy)))
		->copy_event_class(source, copy);
}

static int copy_specific_context(const bt_event_class *source, bt_event_class *copy,
	bt_trace_class *trace_class, struct codectl_field_scopes *scopes,
	const struct codectl_event_class_change *change, struct codectl_field_plan **plan)
{
	const bt_field_class *context = bt_event_class_borrow_specific_context_field_class_const(
		source);
	bt_field_class *context_copy = NULL;

	if (!context)
		return 0;
	int ret = codectl_field_plan_create(context, trace_class, CODECTL_SCOPE_SPECIFIC_CONTEXT,
		scopes, NULL, plan, &context_copy);
	if (ret < 0)
		return ret;
	if (change->append_to_context)
		ret = change->append_to_context(change->user, trace_class, context_copy);
	if (ret == 0 && bt_event_class_set_specific_context_field_class(copy, context_copy) !=
				BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK)
		ret = -ENOMEM;
	bt_field_class_put_ref(context_copy);
	return ret;
}

static int copy_payload(const bt_event_class *source, bt_event_class *copy,
	bt_trace_class *trace_class, struct codectl_field_scopes *scopes,
	const struct codectl_event_class_change *change, struct codectl_field_plan **plan)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(source);
	const struct codectl_field_drop drop = {
		.is_dropped = change->is_dropped, .user = change->user};
	bt_field_class *payload_copy = NULL;

	if (!payload)
		return 0;
	int ret = codectl_field_plan_create(payload, trace_class, CODECTL_SCOPE_PAYLOAD, scopes,
		change->is_dropped ? &drop : NULL, plan, &payload_copy);
	if (ret < 0)
		return ret;
	if (change->append)
		ret = change->append(change->user, trace_class, payload_copy);
	if (ret == 0 && bt_event_class_set_payload_field_class(copy, payload_copy) !=
				BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK)
		ret = -ENOMEM;
	bt_field_class_put_ref(payload_copy);
	return ret;
}

int codectl_event_class_copy(const bt_event_class *source, bt_stream_class *stream_class,
	const struct codectl_stream_class_plan *stream_class_plan,
	const struct codectl_event_class_change *change, struct codectl_event_class_plan *plan,
	bt_event_class **copy)
{
	bt_trace_class *trace_class = bt_stream_class_borrow_trace_class(stream_class);
	struct codectl_field_scopes scopes = {
		.roots[CODECTL_SCOPE_PACKET_CONTEXT] = stream_class_plan->packet_context,
		.roots[CODECTL_SCOPE_COMMON_CONTEXT] = stream_class_plan->common_context,
	};

	*plan = (struct codectl_event_class_plan){0};
	*copy = bt_event_class_create_with_id(stream_class, bt_event_class_get_id(source));
	if (!*copy)
		return -ENOMEM;
	int ret = copy_event_class_properties(source, *copy);
	if (ret == 0)
		ret = copy_specific_context(
			source, *copy, trace_class, &scopes, change, &plan->specific_context);
	if (ret == 0)
		ret = copy_payload(source, *copy, trace_class, &scopes, change, &plan->payload);
	if (ret < 0) {
		codectl_event_class_plan_fini(plan);
		BT_EVENT_CLASS_PUT_REF_AND_RESET(*copy);
	}
	return ret;
}

void codectl_event_class_plan_fini(struct codectl_event_class_plan *plan)
{
	codectl_field_plan_destroy(plan->specific_context);
	codectl_field_plan_destroy(plan->payload);
	*plan = (struct codectl_event_class_plan){0};
}

static int copy_environment(const bt_trace *source, bt_trace *copy)
{
	uint64_t count = bt_trace_get_environment_entry_count(source);

	for (uint64_t i = 0; i < count; i++) {
		bt_trace_set_environment_entry_status status;
		const bt_value *value;
		const char *name;
		bt_trace_borrow_environment_entry_by_index_const(source, i, &name, &value);
		if (bt_value_is_string(value))
			status = bt_trace_set_environment_entry_string(
				copy, name, bt_value_string_get(value));
		else
			status = bt_trace_set_environment_entry_integer(
				copy, name, bt_value_integer_signed_get(value));
		if (status != BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK)
			return -ENOMEM;
	}
	return 0;
}

bt_trace *codectl_trace_copy(const bt_trace *source, bt_trace_class *trace_class)
{
	const char *name = bt_trace_get_name(source);
	bt_trace *copy = bt_trace_create(trace_class);

	if (!copy)
		return NULL;
	bt_trace_set_user_attributes(copy, bt_trace_borrow_user_attributes_const(source));
	if ((name && bt_trace_set_name(copy, name) != BT_TRACE_SET_NAME_STATUS_OK) ||
		copy_environment(source, copy) < 0 ||
		codectl_mip_of(trace_class)->copy_trace(source, copy) < 0)
		BT_TRACE_PUT_REF_AND_RESET(copy);
	return copy;
}

bt_stream *codectl_stream_copy(
	const bt_stream *source, bt_stream_class *stream_class, bt_trace *trace)
{
	const char *name = bt_stream_get_name(source);
	bt_stream *copy = bt_stream_create_with_id(stream_class, trace, bt_stream_get_id(source));

	if (!copy)
		return NULL;
	if (name && bt_stream_set_name(copy, name) != BT_STREAM_SET_NAME_STATUS_OK) {
		bt_stream_put_ref(copy);
		return NULL;
	}
	bt_stream_set_user_attributes(copy, bt_stream_borrow_user_attributes_const(source));
	return copy;
}
