/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * profile/flamegraph-template.h: the text of flamegraph.html. Read only.
 */
#ifndef CODECTL_PROFILE_FLAMEGRAPH_TEMPLATE_H
#define CODECTL_PROFILE_FLAMEGRAPH_TEMPLATE_H

/* Terminated. Generated from flamegraph.html by text-to-c.awk. */
extern const char codectl_flamegraph_template[];

#endif /* CODECTL_PROFILE_FLAMEGRAPH_TEMPLATE_H */
