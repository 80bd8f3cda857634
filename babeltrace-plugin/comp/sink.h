/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/sink.h: the methods of sink.codectl.profile, for plugin.c. Babeltrace
 * owns the component and calls them one at a time.
 */
#ifndef CODECTL_COMP_SINK_H
#define CODECTL_COMP_SINK_H

#include <babeltrace2/babeltrace.h>

#define CODECTL_SINK_DESCRIPTION "Sum sampled call stacks up to a profile."

#define CODECTL_SINK_HELP                                                          \
	"Takes the samples that filter.codectl.debug-info has named.\n\n"          \
	"Parameters:\n"                                                            \
	"  format=\"folded\" | \"flamegraph\" | \"report\"  (default: report)\n"   \
	"  output=PATH            written whole or not at all; \"-\" (default) "   \
	"is the standard output\n"                                                 \
	"  by=\"none\" | \"process\" | \"thread\"  what to group by (default: "    \
	"none)\n"                                                                  \
	"  title=TEXT             of the report or the flame graph\n"              \
	"  sort=\"total\" | \"self\"   report: what to sort by (default: total)\n" \
	"  limit=N                report: at most N functions per table\n"         \
	"  min-percent=P          report: only functions from P % of the total\n"  \
	"  progress=BOOL          tell on the standard error how far it is\n"

bt_component_class_initialize_method_status codectl_sink_initialize(
	bt_self_component_sink *self_sink, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *initialize_method_data);
void codectl_sink_finalize(bt_self_component_sink *self_sink);
bt_component_class_get_supported_mip_versions_method_status codectl_sink_get_supported_mip_versions(
	bt_self_component_class_sink *self_component_class, const bt_value *params,
	void *initialize_method_data, bt_logging_level level,
	bt_integer_range_set_unsigned *versions);
bt_component_class_sink_graph_is_configured_method_status codectl_sink_graph_is_configured(
	bt_self_component_sink *self_sink);
bt_component_class_sink_consume_method_status codectl_sink_consume(
	bt_self_component_sink *self_sink);

#endif /* CODECTL_COMP_SINK_H */
