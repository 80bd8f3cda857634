/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/graph.h: a Babeltrace 2 graph over all traces below a directory:
 *
 *   source.ctf.fs (one per trace) -> filter.utils.muxer -> what the caller adds
 *
 * Functions that fail have told the user why. An interrupt (SIGINT, SIGTERM)
 * stops a running graph; a second one ends the process. One thread, and one
 * graph at a time.
 */
#ifndef CODECTL_CLI_GRAPH_H
#define CODECTL_CLI_GRAPH_H

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>

struct codectl_graph {
	const char *directory;	      /* Weak; owned by the caller. */
	bool is_verbose;	      /* Print all causes of an error, not only the first. */
	bt_graph *graph;	      /* Owned. */
	const bt_plugin_set *plugins; /* Owned; NULL until something of ours is added. */
	const bt_port_output *output; /* Weak, owned by the graph; of the last component. */
};

/*
 * Finds the traces and makes the graph up to the muxer. Returns 0, or a
 * negative errno (-ENOENT: there is no trace), and then nothing is to be freed.
 */
int codectl_graph_init(struct codectl_graph *graph, const char *directory, bool is_verbose);
void codectl_graph_fini(struct codectl_graph *graph);

/*
 * Adds filter.codectl.NAME or sink.codectl.NAME at the end, with the
 * parameters @params (borrowed). Returns 0 or a negative errno.
 */
int codectl_graph_add_filter(struct codectl_graph *graph, const char *name, const bt_value *params);
int codectl_graph_add_sink(struct codectl_graph *graph, const char *name, const bt_value *params);

/* Adds Babeltrace's own sink that drops everything. Returns 0 or a negative errno. */
int codectl_graph_add_dummy_sink(struct codectl_graph *graph);

/*
 * Runs it to the end. Returns 0 or a negative errno; -EINTR if it was
 * interrupted, see codectl_graph_exit_if_interrupted().
 */
int codectl_graph_run(struct codectl_graph *graph);

/* Ends the process by the signal that interrupted a graph, if one did. */
void codectl_graph_exit_if_interrupted(void);

/* Tells the user why a call into Babeltrace failed. Returns -EIO. */
int codectl_graph_fail(const struct codectl_graph *graph, const char *what);

#endif /* CODECTL_CLI_GRAPH_H */
