/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * plugin.c: what the plugin `codectl` offers. Registration only.
 */
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

BT_PLUGIN_SINK_COMPONENT_CLASS(profile, codectl_sink_consume);
BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(profile, codectl_sink_initialize);
BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(profile, codectl_sink_finalize);
BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(
	profile, codectl_sink_graph_is_configured);
BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION(profile, CODECTL_SINK_DESCRIPTION);
BT_PLUGIN_SINK_COMPONENT_CLASS_HELP(profile, CODECTL_SINK_HELP);
