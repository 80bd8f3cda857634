/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/filter.h: the methods of component class filter.codectl.debug-info,
 * for plugin.c to register. Babeltrace calls them on one thread.
 *
 *                 +------------------------------+
 *                 |  filter.codectl.debug-info   |
 *       samples --@ in                       out @--> samples with named frames,
 *   and the rest  |                              |    the rest, named if it has an address
 *                 +------------------------------+
 *
 * Trace content never fails the graph; memory and wrong parameters do.
 */
#ifndef CODECTL_COMP_FILTER_H
#define CODECTL_COMP_FILTER_H

#include "comp/callstack-options.h"
#include "comp/file-search.h"

#include <babeltrace2/babeltrace.h>

#define CODECTL_FILTER_DESCRIPTION                                                            \
	"Unwind and name the call stacks of `codectl:sample` events, and name the addresses " \
	"of events with contexts `vpid` and `ip`."

#define CODECTL_FILTER_HELP                                                                      \
	"Parameters:\n"                                                                          \
	"  debug-info-field-name=NAME\n"                                                         \
	"                         what is added to contexts "                                    \
	"[debug_info]\n" CODECTL_FILE_SEARCH_HELP                                                \
	"  archive-output=DIR     copy the files that are used to that "                         \
	"directory\n" CODECTL_CALLSTACK_HELP                                                     \
	"  debug-info-inlines=BOOL, debug-info-reasons=BOOL\n"                                   \
	"                         add calls that were inlined there to contexts, and why no\n"   \
	"                         function is known [no]\n"                                      \
	"  full-path=BOOL         print whole paths instead of file names [no]\n"                \
	"  full-names=BOOL        in contexts, print functions with their namespaces and\n"      \
	"                         parameters, as in frames [no]\n"                               \
	"  inlines=BOOL           a frame for each function that was inlined [yes]\n"            \
	"  keep-raw-stack=BOOL    keep the registers and raw stacks of samples [no]\n"           \
	"  begin=TIME, end=TIME   pass on no events before and after; the state dump counts\n"   \
	"  look-ahead=HOW         for what is told of a process after its events: auto, full,\n" \
	"                         wait or no [auto]\n"                                           \
	"  unwind=SOURCE          unwind by one source alone: sframe, eh-frame, fp\n"            \
	"                         [auto: by the best one at each address]\n"

bt_component_class_initialize_method_status codectl_filter_init(
	bt_self_component_filter *self_component,
	bt_self_component_filter_configuration *configuration, const bt_value *params,
	void *init_data);

void codectl_filter_finalize(bt_self_component_filter *self_component);

bt_component_class_get_supported_mip_versions_method_status
codectl_filter_get_supported_mip_versions(bt_self_component_class_filter *self_component_class,
	const bt_value *params, void *init_data, bt_logging_level level,
	bt_integer_range_set_unsigned *versions);

bt_message_iterator_class_initialize_method_status codectl_filter_iterator_init(
	bt_self_message_iterator *self_iterator,
	bt_self_message_iterator_configuration *configuration, bt_self_component_port_output *port);

void codectl_filter_iterator_finalize(bt_self_message_iterator *self_iterator);

bt_message_iterator_class_next_method_status codectl_filter_iterator_next(
	bt_self_message_iterator *self_iterator, bt_message_array_const messages, uint64_t capacity,
	uint64_t *count);

bt_message_iterator_class_can_seek_beginning_method_status
codectl_filter_iterator_can_seek_beginning(
	bt_self_message_iterator *self_iterator, bt_bool *can_seek_beginning);

bt_message_iterator_class_seek_beginning_method_status codectl_filter_iterator_seek_beginning(
	bt_self_message_iterator *self_iterator);

#endif /* CODECTL_COMP_FILTER_H */
