/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/statuses.h: what upstream or a function of ours answers, as what we answer.
 * Any thread.
 */
#ifndef CODECTL_COMP_STATUSES_H
#define CODECTL_COMP_STATUSES_H

#include <babeltrace2/babeltrace.h>

bt_message_iterator_class_next_method_status codectl_status_of_next(
	bt_message_iterator_next_status status);

bt_message_iterator_class_can_seek_beginning_method_status codectl_status_of_can_seek(
	bt_message_iterator_can_seek_beginning_status status);

bt_message_iterator_class_seek_beginning_method_status codectl_status_of_seek(
	bt_message_iterator_seek_beginning_status status);

/* @ret is 0 or -ENOMEM. */
bt_component_class_get_supported_mip_versions_method_status codectl_status_of_mip_versions(int ret);

#endif /* CODECTL_COMP_STATUSES_H */
