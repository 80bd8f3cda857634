/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/filter.h"

#include "comp/filter-options.h"
#include "comp/statuses.h"
#include "trace-ir/mip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_FIELD_NAME "debug_info"

static void destroy_filter(struct codectl_filter_options *filter)
{
	codectl_archive_destroy(filter->archive);
	codectl_callstack_options_fini(&filter->callstacks);
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

/* Reads one end of the time range; @text is NULL if it was not given. As below. */
static int read_bound(struct codectl_time_bound *bound, const char *name, const char *text,
	bt_self_component *component)
{
	if (!text || codectl_time_bound_read(bound, text) == 0)
		return 0;
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(component,
		"Parameter `%s` must be a time: \"YYYY-MM-DD hh:mm:ss.ns\", \"hh:mm:ss.ns\" or "
		"seconds since the Epoch.",
		name);
	return -EINVAL;
}

/* As below. */
static int prepare_files(struct codectl_filter_options *filter, bt_self_component *component)
{
	int ret = codectl_file_search_prepare(&filter->search);

	if (ret == 0 && filter->archive_path)
		ret = codectl_archive_create(filter->archive_path, &filter->log, &filter->archive);
	if (ret < 0 && ret != -ENOMEM)
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(component,
			"Cannot make the directory \"%s\": %s", filter->archive_path,
			strerror(-ret));
	return ret;
}

/* Appends an error cause if it fails. Returns 0, -EINVAL or -ENOMEM. */
static int read_params(
	struct codectl_filter_options *filter, bt_self_component *component, const bt_value *params)
{
	/* In the order of enum codectl_unwind_mode. */
	static const char *const modes[] = {"auto", "fp", "sframe", "eh-frame", NULL};
	/* In the order of enum codectl_look_ahead. */
	static const char *const look_aheads[] = {"auto", "full", "wait", "no", NULL};
	const char *begin = NULL, *end = NULL;
	const struct codectl_param table[] = {
		{"begin", CODECTL_PARAM_STRING, &begin, NULL},
		{"end", CODECTL_PARAM_STRING, &end, NULL},
		{"keep-raw-stack", CODECTL_PARAM_BOOL, &filter->keeps_raw_stack, NULL},
		{"debug-info-field-name", CODECTL_PARAM_STRING, &filter->debug_info.field_name,
			NULL},
		CODECTL_FILE_SEARCH_PARAMS(&filter->search),
		CODECTL_CALLSTACK_PARAMS(&filter->callstacks),
		{"archive-output", CODECTL_PARAM_STRING, &filter->archive_path, NULL},
		{"full-path", CODECTL_PARAM_BOOL, &filter->has_full_paths, NULL},
		{"debug-info-inlines", CODECTL_PARAM_BOOL, &filter->debug_info.has_inlines, NULL},
		{"debug-info-reasons", CODECTL_PARAM_BOOL, &filter->debug_info.has_reasons, NULL},
		{"full-names", CODECTL_PARAM_BOOL, &filter->has_full_names, NULL},
		{"inlines", CODECTL_PARAM_BOOL, &filter->has_inlines, NULL},
		{"look-ahead", CODECTL_PARAM_CHOICE, &filter->look_ahead, look_aheads},
		{"unwind", CODECTL_PARAM_CHOICE, &filter->mode, modes},
		{NULL, CODECTL_PARAM_STRING, NULL, NULL},
	};
	char error[384];

	bt_value_get_ref(params);
	filter->params = params;
	codectl_file_search_init(&filter->search);
	filter->has_inlines = true;
	filter->debug_info.field_name = DEFAULT_FIELD_NAME;
	int ret = codectl_param_table_read(params, table, error, sizeof(error));
	if (ret == 0)
		ret = codectl_callstack_options_prepare(&filter->callstacks, error, sizeof(error));
	if (ret < 0) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(component, "%s", error);
		return ret;
	}
	ret = read_bound(&filter->range.begin, "begin", begin, component);
	if (ret == 0)
		ret = read_bound(&filter->range.end, "end", end, component);
	return ret < 0 ? ret : prepare_files(filter, component);
}

static int add_ports(
	struct codectl_filter_options *filter, bt_self_component_filter *self_component)
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
	struct codectl_filter_options *filter = calloc(1, sizeof(*filter));

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

bt_component_class_get_supported_mip_versions_method_status
codectl_filter_get_supported_mip_versions(bt_self_component_class_filter *self_component_class,
	const bt_value *params, void *init_data, bt_logging_level level,
	bt_integer_range_set_unsigned *versions)
{
	(void)self_component_class;
	(void)params;
	(void)init_data;
	(void)level;
	return codectl_status_of_mip_versions(codectl_mip_add_supported(versions));
}
