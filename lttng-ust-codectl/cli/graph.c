/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "config.h"

#include "cli/graph.h"

#include "cli/files.h"
#include "cli/message.h"
#include "cli/paths.h"
#include "cli/traces.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Weak; the graph that runs, for the signal handler. */
static const bt_interrupter *volatile running;
static volatile sig_atomic_t caught_signal;

/* Sets a flag of Babeltrace's and no more, so it may be called here. */
static void handle_signal(int number)
{
	caught_signal = number;
	if (running)
		bt_interrupter_set((bt_interrupter *)running);
}

int codectl_graph_fail(const struct codectl_graph *graph, const char *what)
{
	const bt_error *error = bt_current_thread_take_error();
	const uint64_t count = error ? bt_error_get_cause_count(error) : 0;

	if (!count) {
		codectl_cli_error("%s: %s", graph->directory, what);
		goto end;
	}
	/* The first cause is what went wrong; the others say who was told. */
	codectl_cli_error("%s: %s", graph->directory,
		bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0)));
	for (uint64_t i = 1; i < count && graph->is_verbose; i++)
		codectl_cli_say("  so: %s",
			bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, i)));
end:
	if (error)
		bt_error_release(error);
	return -EIO;
}

static const bt_plugin *find_standard_plugin(const struct codectl_graph *graph, const char *name)
{
	const bt_plugin *plugin = NULL;

	if (bt_plugin_find(name, BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin) !=
		BT_PLUGIN_FIND_STATUS_OK) {
		codectl_graph_fail(graph, "Babeltrace 2 has lost one of its own plugins");
		return NULL;
	}
	return plugin;
}

/* The parameters of the source that reads @path: a new reference, or NULL without memory. */
static bt_value *create_source_params(const char *path)
{
	bt_value *params = bt_value_map_create();
	bt_value *inputs = NULL;

	if (params && (bt_value_map_insert_empty_array_entry(params, "inputs", &inputs) !=
				      BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK ||
			      bt_value_array_append_string_element(inputs, path) !=
				      BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK))
		BT_VALUE_PUT_REF_AND_RESET(params);
	return params;
}

static int add_source(struct codectl_graph *graph, const bt_component_class_source *class,
	const char *path, size_t position, const bt_component_source **source)
{
	bt_value *params = create_source_params(path);
	char name[32];
	int ret = -ENOMEM;

	/* Its log is for who asks for all; its errors are told anyway. */
	const bt_logging_level level = graph->is_verbose ? BT_LOGGING_LEVEL_WARNING
							 : BT_LOGGING_LEVEL_FATAL;

	snprintf(name, sizeof(name), "trace-%zu", position);
	if (!params)
		codectl_graph_fail(graph, "Out of memory");
	else if (bt_graph_add_source_component(graph->graph, class, name, params, level, source) !=
		 BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		ret = codectl_graph_fail(graph, "Cannot read the trace");
	else
		ret = 0;
	bt_value_put_ref(params);
	return ret;
}

/* The muxer makes a new port whenever its last one is taken. */
static int connect_source(struct codectl_graph *graph, const bt_component_source *source,
	const bt_component_filter *muxer)
{
	const uint64_t count = bt_component_source_get_output_port_count(source);

	for (uint64_t i = 0; i < count; i++) {
		const uint64_t last = bt_component_filter_get_input_port_count(muxer) - 1;

		if (bt_graph_connect_ports(graph->graph,
			    bt_component_source_borrow_output_port_by_index_const(source, i),
			    bt_component_filter_borrow_input_port_by_index_const(muxer, last),
			    NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
			return codectl_graph_fail(graph, "Cannot connect the trace");
	}
	return 0;
}

#ifdef HAVE_BABELTRACE_MIP_1
static bool add_descriptors(bt_component_descriptor_set *descriptors,
	const bt_component_class_source *class, const struct codectl_traces *traces)
{
	bool is_done = true;

	for (size_t i = 0; is_done && i < traces->count; i++) {
		bt_value *params = create_source_params(traces->paths[i]);

		is_done = params &&
			  bt_component_descriptor_set_add_descriptor(descriptors,
				  bt_component_class_source_as_component_class_const(class),
				  params) == BT_COMPONENT_DESCRIPTOR_SET_ADD_DESCRIPTOR_STATUS_OK;
		bt_value_put_ref(params);
	}
	return is_done;
}

/*
 * The version of the protocol that the graph needs: CTF 2 wants the newer one. A
 * trace that cannot be read has its error when it is added.
 */
static uint64_t choose_mip_version(
	const bt_component_class_source *class, const struct codectl_traces *traces)
{
	bt_component_descriptor_set *descriptors = bt_component_descriptor_set_create();
	uint64_t version = 0;

	if (!descriptors || !add_descriptors(descriptors, class, traces) ||
		bt_get_greatest_operative_mip_version(descriptors, BT_LOGGING_LEVEL_FATAL,
			&version) != BT_GET_GREATEST_OPERATIVE_MIP_VERSION_STATUS_OK) {
		bt_current_thread_clear_error();
		version = 0;
	}
	bt_component_descriptor_set_put_ref(descriptors);
	/* What our own components know. */
	return version < 1 ? version : 1;
}
#else
static uint64_t choose_mip_version(
	const bt_component_class_source *class, const struct codectl_traces *traces)
{
	(void)class;
	(void)traces;
	return 0;
}
#endif /* HAVE_BABELTRACE_MIP_1 */

/* Makes the graph, up to the muxer. */
static int make_graph(struct codectl_graph *graph, const struct codectl_traces *traces)
{
	const bt_plugin *ctf = find_standard_plugin(graph, "ctf");
	const bt_plugin *utils = find_standard_plugin(graph, "utils");
	const bt_component_class_source *class;
	const bt_component_filter *muxer;
	int ret = -ENOENT;

	if (!ctf || !utils)
		goto end;
	class = bt_plugin_borrow_source_component_class_by_name_const(ctf, "fs");
	graph->graph = bt_graph_create(choose_mip_version(class, traces));
	if (!graph->graph) {
		ret = codectl_graph_fail(graph, "Out of memory");
		goto end;
	}
	if (bt_graph_add_filter_component(graph->graph,
		    bt_plugin_borrow_filter_component_class_by_name_const(utils, "muxer"), "muxer",
		    NULL, BT_LOGGING_LEVEL_WARNING, &muxer) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		ret = codectl_graph_fail(graph, "Cannot make the muxer");
		goto end;
	}
	for (size_t i = 0; i < traces->count; i++) {
		const bt_component_source *source;

		ret = add_source(graph, class, traces->paths[i], i, &source);
		if (ret == 0)
			ret = connect_source(graph, source, muxer);
		if (ret < 0)
			goto end;
	}
	graph->output = bt_component_filter_borrow_output_port_by_index_const(muxer, 0);
	ret = 0;
end:
	bt_plugin_put_ref(ctf);
	bt_plugin_put_ref(utils);
	return ret;
}

static int find_traces(struct codectl_traces *traces, const char *directory)
{
	int ret = codectl_traces_find(traces, directory);

	if (ret == -ENOENT && !strcmp(directory, CODECTL_DEFAULT_DIRECTORY))
		codectl_cli_error("There is no recording here (%s); make one with codectl record, "
				  "or name another",
			directory);
	else if (ret < 0)
		codectl_cli_error("Cannot read %s: %s", directory, strerror(-ret));
	else if (!traces->count)
		codectl_cli_error(
			"There is no trace in %s: no directory below it holds a file `metadata`",
			directory);
	return ret == 0 && !traces->count ? -ENOENT : ret;
}

int codectl_graph_init(struct codectl_graph *graph, const char *directory, bool is_verbose)
{
	struct codectl_traces traces;
	int ret = find_traces(&traces, directory);

	*graph = (struct codectl_graph){.directory = directory, .is_verbose = is_verbose};
	if (ret < 0)
		return ret;
	ret = make_graph(graph, &traces);
	codectl_traces_fini(&traces);
	if (ret < 0)
		codectl_graph_fini(graph);
	return ret;
}

void codectl_graph_fini(struct codectl_graph *graph)
{
	bt_graph_put_ref(graph->graph);
	bt_plugin_set_put_ref(graph->plugins);
	*graph = (struct codectl_graph){0};
}

/* Loads our plugin, once. The answer is weak; owned by the set. */
static const bt_plugin *borrow_plugin(struct codectl_graph *graph)
{
	char *path;

	if (!graph->plugins) {
		path = codectl_paths_find_plugin();
		if (!path) {
			codectl_cli_error("The Babeltrace plugin babeltrace-plugin-codectl.so is "
					  "not where it belongs; set CODECTL_PLUGIN_PATH to its "
					  "directory");
			return NULL;
		}
		if (bt_plugin_find_all_from_file(path, BT_TRUE, &graph->plugins) !=
			BT_PLUGIN_FIND_ALL_FROM_FILE_STATUS_OK) {
			codectl_graph_fail(graph, "Cannot load the Babeltrace plugin");
			graph->plugins = NULL;
		}
		free(path);
	}
	return graph->plugins ? bt_plugin_set_borrow_plugin_by_index_const(graph->plugins, 0)
			      : NULL;
}

static int connect_last(struct codectl_graph *graph, const bt_port_input *input)
{
	if (bt_graph_connect_ports(graph->graph, graph->output, input, NULL) !=
		BT_GRAPH_CONNECT_PORTS_STATUS_OK)
		return codectl_graph_fail(graph, "Cannot connect the components");
	return 0;
}

int codectl_graph_add_filter(struct codectl_graph *graph, const char *name, const bt_value *params)
{
	const bt_plugin *plugin = borrow_plugin(graph);
	const bt_component_class_filter *class;
	const bt_component_filter *filter;
	int ret;

	if (!plugin)
		return -ENOENT;
	class = bt_plugin_borrow_filter_component_class_by_name_const(plugin, name);
	if (!class ||
		bt_graph_add_filter_component(graph->graph, class, name, params,
			BT_LOGGING_LEVEL_WARNING, &filter) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		return codectl_graph_fail(graph, "The Babeltrace plugin is of another version");
	ret = connect_last(graph, bt_component_filter_borrow_input_port_by_index_const(filter, 0));
	if (ret == 0)
		graph->output = bt_component_filter_borrow_output_port_by_index_const(filter, 0);
	return ret;
}

int codectl_graph_add_sink(struct codectl_graph *graph, const char *name, const bt_value *params)
{
	const bt_plugin *plugin = borrow_plugin(graph);
	const bt_component_class_sink *class;
	const bt_component_sink *sink;

	if (!plugin)
		return -ENOENT;
	class = bt_plugin_borrow_sink_component_class_by_name_const(plugin, name);
	if (!class || bt_graph_add_sink_component(graph->graph, class, name, params,
			      BT_LOGGING_LEVEL_WARNING, &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		return codectl_graph_fail(graph, "The Babeltrace plugin is of another version");
	return connect_last(graph, bt_component_sink_borrow_input_port_by_index_const(sink, 0));
}

int codectl_graph_add_dummy_sink(struct codectl_graph *graph)
{
	const bt_plugin *utils = find_standard_plugin(graph, "utils");
	const bt_component_sink *sink;
	int ret;

	if (!utils)
		return -ENOENT;
	if (bt_graph_add_sink_component(graph->graph,
		    bt_plugin_borrow_sink_component_class_by_name_const(utils, "dummy"), "dummy",
		    NULL, BT_LOGGING_LEVEL_WARNING, &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		ret = codectl_graph_fail(graph, "Cannot make the sink");
	else
		ret = connect_last(
			graph, bt_component_sink_borrow_input_port_by_index_const(sink, 0));
	bt_plugin_put_ref(utils);
	return ret;
}

static void catch_signals(struct sigaction before[2])
{
	/* The second one finds the default again: what hangs can still be ended. */
	struct sigaction action = {.sa_handler = handle_signal, .sa_flags = (int)SA_RESETHAND};

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, NULL, &before[0]);
	sigaction(SIGTERM, NULL, &before[1]);
	/* Who started us may have made us deaf (nohup, a shell's &): stay so. */
	if (before[0].sa_handler != SIG_IGN)
		sigaction(SIGINT, &action, NULL);
	if (before[1].sa_handler != SIG_IGN)
		sigaction(SIGTERM, &action, NULL);
}

int codectl_graph_run(struct codectl_graph *graph)
{
	struct sigaction before[2];
	bt_graph_run_status status;

	running = bt_graph_borrow_default_interrupter(graph->graph);
	catch_signals(before);
	do
		status = bt_graph_run(graph->graph);
	while (status == BT_GRAPH_RUN_STATUS_AGAIN && !caught_signal);
	sigaction(SIGINT, &before[0], NULL);
	sigaction(SIGTERM, &before[1], NULL);
	running = NULL;
	if (caught_signal) {
		bt_current_thread_clear_error();
		return -EINTR;
	}
	if (status != BT_GRAPH_RUN_STATUS_OK)
		return codectl_graph_fail(graph, status == BT_GRAPH_RUN_STATUS_MEMORY_ERROR
							 ? "Out of memory"
							 : "Cannot read the trace to its end");
	return 0;
}

void codectl_graph_exit_if_interrupted(void)
{
	if (!caught_signal)
		return;
	fflush(NULL);
	signal(caught_signal, SIG_DFL);
	raise(caught_signal);
}
