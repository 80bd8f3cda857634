/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * plugin.c: what the plugin `codectl` offers. Registration only.
 */
#include "comp/filter.h"
#include "comp/sink.h"

#include <babeltrace2/babeltrace.h>

/*
 * Babeltrace asks the library by name where its descriptors are. If the
 * functions that tell were hidden, it would be answered by its own.
 */
#pragma GCC visibility push(default)
BT_PLUGIN_MODULE();
#pragma GCC visibility pop

BT_PLUGIN(codectl);
BT_PLUGIN_DESCRIPTION("Unwinds and names call stacks that LTTng-UST recorded, and profiles them");
BT_PLUGIN_AUTHOR("The lttng-ust-codectl authors");
BT_PLUGIN_LICENSE("MIT");

BT_PLUGIN_FILTER_COMPONENT_CLASS_WITH_ID(
	auto, debug_info, "debug-info", codectl_filter_iterator_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD_WITH_ID(auto, debug_info, codectl_filter_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD_WITH_ID(auto, debug_info, codectl_filter_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_WITH_ID(
	auto, debug_info, codectl_filter_get_supported_mip_versions);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_WITH_ID(
	auto, debug_info, codectl_filter_iterator_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD_WITH_ID(
	auto, debug_info, codectl_filter_iterator_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS_WITH_ID(auto,
	debug_info, codectl_filter_iterator_seek_beginning,
	codectl_filter_iterator_can_seek_beginning);
BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION_WITH_ID(auto, debug_info, CODECTL_FILTER_DESCRIPTION);
BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP_WITH_ID(auto, debug_info, CODECTL_FILTER_HELP);

BT_PLUGIN_SINK_COMPONENT_CLASS(profile, codectl_sink_consume);
BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(profile, codectl_sink_initialize);
BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(profile, codectl_sink_finalize);
BT_PLUGIN_SINK_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(
	profile, codectl_sink_get_supported_mip_versions);
BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(
	profile, codectl_sink_graph_is_configured);
BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION(profile, CODECTL_SINK_DESCRIPTION);
BT_PLUGIN_SINK_COMPONENT_CLASS_HELP(profile, CODECTL_SINK_HELP);
