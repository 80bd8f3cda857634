/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "profile/view.h"
#include "profile/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define FRAME_MAX 8

/* `func@bin` frames, outermost first as people write them, NULL at the end. */
struct stack {
	const char *frames[FRAME_MAX];
};

static void add_to(struct codectl_profile *profile, int32_t vpid, int32_t vtid, uint64_t weight,
	const char *stack_end, const struct stack *stack)
{
	struct codectl_profile_frame frames[FRAME_MAX];
	struct codectl_profile_sample sample = {
		.thread = {.vpid = vpid, .vtid = vtid, .start_time = 1},
		.frames = frames,
		.weight = weight,
		.stack_end = stack_end,
	};

	while (sample.frame_count < FRAME_MAX && stack->frames[sample.frame_count])
		sample.frame_count++;
	for (size_t i = 0; i < sample.frame_count; i++) {
		const char *text = stack->frames[sample.frame_count - 1 - i];
		const char *bin = strchr(text, '@');

		CHECK(bin);
		frames[i] = (struct codectl_profile_frame){
			.func = text,
			.func_len = (size_t)(bin - text),
			.bin = bin + 1,
			.bin_len = strlen(bin + 1),
		};
	}
	CHECK_INT(codectl_profile_add_sample(profile, &sample), 0);
}

static void add(struct codectl_profile *profile, uint64_t weight, const struct stack *stack)
{
	add_to(profile, 1, 1, weight, "outermost", stack);
}

static void name_thread(struct codectl_profile *profile, int32_t vpid, int32_t vtid,
	const char *comm, uint64_t taken, uint64_t lost, uint64_t cpu_time)
{
	const struct codectl_profile_thread_stats stats = {
		.thread = {.vpid = vpid, .vtid = vtid, .start_time = 1},
		.comm = comm,
		.taken = taken,
		.lost = lost,
		.cpu_time = cpu_time,
	};

	CHECK_INT(codectl_profile_set_thread_stats(profile, &stats), 0);
}

typedef int writer(const struct codectl_profile *profile,
	const struct codectl_profile_options *options, FILE *stream);

/* What a writer writes; the caller frees it. */
static char *write_text(writer *write, const struct codectl_profile *profile,
	const struct codectl_profile_options *options)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	CHECK(stream);
	CHECK_INT(write(profile, options, stream), 0);
	CHECK(fclose(stream) == 0);
	CHECK_INT(strlen(text), size);
	return text;
}

static void check_text(writer *write, const struct codectl_profile *profile,
	const struct codectl_profile_options *options, const char *expected)
{
	char *text = write_text(write, profile, options);

	CHECK_STR(text, expected);
	free(text);
}

TEST(folded)
{
	struct codectl_profile *profile = codectl_profile_create();
	const struct codectl_profile_options options = {0};

	name_thread(profile, 1, 1, "app", 0, 0, 0);
	/* The order of the lines is that of the names, not of the samples. */
	add(profile, 2, &(struct stack){{"main@app", "zeta@app"}});
	add(profile, 1, &(struct stack){{"main@app", "alpha@lib"}});
	add(profile, 3, &(struct stack){{"main@app", "zeta@app"}});
	add(profile, 1, &(struct stack){{"main@app"}});
	add(profile, 1, &(struct stack){{"main@app", "@lib", "@"}});
	check_text(codectl_folded_write, profile, &options,
		"app;main 1\n"
		"app;main;[lib];[unknown] 1\n"
		"app;main;alpha 1\n"
		"app;main;zeta 5\n");
	codectl_profile_destroy(profile);
}

/* Of the same name in two binaries: one line, for lines have no binaries. */
TEST(folded_has_each_line_once)
{
	struct codectl_profile *profile = codectl_profile_create();
	const struct codectl_profile_options options = {0};

	add(profile, 1, &(struct stack){{"main@a", "f@x"}});
	add(profile, 2, &(struct stack){{"main@b", "f@y"}});
	add_to(profile, 2, 2, 4, "outermost", &(struct stack){{"main@a", "f@x"}});
	check_text(codectl_folded_write, profile, &options, "[unknown];main;f 7\n");
	codectl_profile_destroy(profile);
}

TEST(groups)
{
	struct codectl_profile *profile = codectl_profile_create();
	const struct stack stack = {{"f@x"}};

	/* A thread that is sampled before its process's main thread. */
	add_to(profile, 5, 7, 1, "outermost", &stack);
	add_to(profile, 5, 5, 2, "outermost", &stack);
	add_to(profile, 6, 6, 4, "outermost", &stack);
	name_thread(profile, 5, 7, "worker", 0, 0, 0);
	name_thread(profile, 5, 5, "first", 0, 0, 0);
	name_thread(profile, 5, 5, "app", 0, 0, 0);
	name_thread(profile, 6, 6, "app", 0, 0, 0);
	name_thread(profile, 5, 9, "idle", 0, 0, 0);
	check_text(codectl_folded_write, profile,
		&(struct codectl_profile_options){.by = CODECTL_PROFILE_BY_NONE},
		"app;f 6\nworker;f 1\n");
	check_text(codectl_folded_write, profile,
		&(struct codectl_profile_options){.by = CODECTL_PROFILE_BY_PROCESS},
		"app-5;f 3\napp-6;f 4\n");
	check_text(codectl_folded_write, profile,
		&(struct codectl_profile_options){.by = CODECTL_PROFILE_BY_THREAD},
		"app-5/5;f 2\napp-6/6;f 4\nworker-5/7;f 1\n");
	codectl_profile_destroy(profile);
}

TEST(hostile_names_folded)
{
	struct codectl_profile *profile = codectl_profile_create();
	const struct codectl_profile_options options = {0};

	name_thread(profile, 1, 1, "a;b", 0, 0, 0);
	add(profile, 1,
		&(struct stack){{"x;y z@", "new\nline\t\033[2J@", "\xff\xc0\x80 \xed\xa0\x80@",
			"\xc2\x9b"
			"csi@",
			"f\xc3\xbc\xf0\x9d\x84\x9e@"}});
	check_text(codectl_folded_write, profile, &options,
		"a:b;x:y z;new?line??[2J;??? ???;?csi;f\xc3\xbc\xf0\x9d\x84\x9e 1\n");
	codectl_profile_destroy(profile);
}

TEST(utf8)
{
	CHECK_INT(codectl_text_utf8_len("a"), 1);
	CHECK_INT(codectl_text_utf8_len("\xc3\xbc"), 2);
	CHECK_INT(codectl_text_utf8_len("\xe2\x82\xac"), 3);
	CHECK_INT(codectl_text_utf8_len("\xf0\x9d\x84\x9e"), 4);
	/* Cut off, overlong, a surrogate, beyond the last, a lone continuation. */
	CHECK_INT(codectl_text_utf8_len("\xe2\x82"), 0);
	CHECK_INT(codectl_text_utf8_len("\xf0\x9d\x84"), 0);
	CHECK_INT(codectl_text_utf8_len("\xc1\xbf"), 0);
	CHECK_INT(codectl_text_utf8_len("\xe0\x9f\xbf"), 0);
	CHECK_INT(codectl_text_utf8_len("\xf0\x8f\xbf\xbf"), 0);
	CHECK_INT(codectl_text_utf8_len("\xed\xbf\xbf"), 0);
	CHECK_INT(codectl_text_utf8_len("\xf4\x90\x80\x80"), 0);
	CHECK_INT(codectl_text_utf8_len("\x80"), 0);
}

TEST(report)
{
	struct codectl_profile *profile = codectl_profile_create();

	name_thread(profile, 1, 1, "app", 2, 0, 1000000000);
	/* Recursion counts once; 4 of 10 are in f, 3 of them below another f. */
	add(profile, 3, &(struct stack){{"main@app", "f@lib", "g@lib", "f@lib"}});
	add(profile, 1, &(struct stack){{"main@app", "f@lib"}});
	add_to(profile, 1, 2, 6, "no-rule", &(struct stack){{"f@other", "@lib"}});
	/* 3 samples of weight 10 in 30 s: 3 s each. */
	name_thread(profile, 1, 1, "app", 4, 1, 31000000000);
	profile->discarded_events = 5;
	profile->has_uncounted_discards = true;
	check_text(codectl_report_write, profile,
		&(struct codectl_profile_options){.title = "a title"},
		"# a title\n"
		"# samples: 3, weight 10, 2 threads of 1 process\n"
		"# lost: 1 samples by full rings; discarded by the tracer: 5 events, 0 packets, "
		"and some without a count\n"
		"# CPU time: about 30.000 s, 3000.000 ms per sample\n"
		"# complete stacks: 66.67% (2 of 3)\n"
		"#   ended by no-rule: 33.33% (1)\n"
		"\n"
		"  total %    self %     total      self   total s    self s  function [binary]\n"
		"   60.00%    60.00%         6         6    18.000    18.000  [lib]\n"
		"   60.00%     0.00%         6         0    18.000     0.000  f  [other]\n"
		"   40.00%    40.00%         4         4    12.000    12.000  f  [lib]\n"
		"   40.00%     0.00%         4         0    12.000     0.000  main  [app]\n"
		"   30.00%     0.00%         3         0     9.000     0.000  g  [lib]\n");
	codectl_profile_destroy(profile);
}

/* CPU time says nothing of samples by real time. */
TEST(report_of_real_time)
{
	struct codectl_profile *profile = codectl_profile_create();
	const struct codectl_profile_frame frame = {
		.func = "poll", .func_len = 4, .bin = "libc", .bin_len = 4};
	const struct codectl_profile_sample sample = {
		.thread = {.vpid = 1, .vtid = 1, .start_time = 1},
		.frames = &frame,
		.frame_count = 1,
		.weight = 99,
		.is_wall = true,
		.stack_end = "outermost",
	};

	name_thread(profile, 1, 1, "app", 1, 0, 1000);
	CHECK_INT(codectl_profile_add_sample(profile, &sample), 0);
	name_thread(profile, 1, 1, "app", 2, 0, 2000);
	check_text(codectl_report_write, profile, &(struct codectl_profile_options){0},
		"# samples: 1, weight 99, 1 thread of 1 process\n"
		"# clock: real time, whether threads run or sleep (1 samples)\n"
		"# lost: 0 samples by full rings; discarded by the tracer: 0 events, 0 packets\n"
		"# complete stacks: 100.00% (1 of 1)\n"
		"\n"
		"  total %    self %     total      self  function [binary]\n"
		"  100.00%   100.00%        99        99  poll  [libc]\n");
	codectl_profile_destroy(profile);
}

TEST(report_by_self)
{
	struct codectl_profile *profile = codectl_profile_create();
	const struct codectl_profile_options options = {
		.sort = CODECTL_PROFILE_SORT_SELF, .min_percent = 25};

	add(profile, 1, &(struct stack){{"main@x"}});
	add(profile, 3, &(struct stack){{"main@x", "f@x"}});
	add(profile, 4, &(struct stack){{"main@x", "f@x", "g@x"}});
	check_text(codectl_report_write, profile, &options,
		"# samples: 3, weight 8, 1 thread of 1 process\n"
		"# lost: 0 samples by full rings; discarded by the tracer: 0 events, 0 packets\n"
		"# complete stacks: 100.00% (3 of 3)\n"
		"\n"
		"  total %    self %     total      self  function [binary]\n"
		"   50.00%    50.00%         4         4  g  [x]\n"
		"   87.50%    37.50%         7         3  f  [x]\n"
		"# 1 more functions are not shown\n");
	codectl_profile_destroy(profile);
}

TEST(report_by_thread)
{
	struct codectl_profile *profile = codectl_profile_create();

	add_to(profile, 1, 1, 1, "outermost", &(struct stack){{"f@x", "g@x"}});
	add_to(profile, 1, 2, 3, "outermost", &(struct stack){{"f@x"}});
	add_to(profile, 1, 2, 1, "outermost", &(struct stack){{"h@x"}});
	check_text(codectl_report_write, profile,
		&(struct codectl_profile_options){
			.by = CODECTL_PROFILE_BY_THREAD, .min_percent = 30, .limit = 1},
		"# samples: 3, weight 5, 2 threads of 1 process\n"
		"# lost: 0 samples by full rings; discarded by the tracer: 0 events, 0 packets\n"
		"# complete stacks: 100.00% (3 of 3)\n"
		"\n"
		"# thread [unknown]-1/2: 80.00% of all, weight 4\n"
		"  total %    self %     total      self  function [binary]\n"
		"   75.00%    75.00%         3         3  f  [x]\n"
		"# 1 more functions are not shown\n"
		"\n"
		"# thread [unknown]-1/1: 20.00% of all, weight 1\n"
		"  total %    self %     total      self  function [binary]\n"
		"  100.00%   100.00%         1         1  g  [x]\n"
		"# 1 more functions are not shown\n");
	codectl_profile_destroy(profile);
}

/* A thread number used again: its counters fall. */
TEST(lost_of_reused_threads)
{
	struct codectl_profile *profile = codectl_profile_create();

	name_thread(profile, 1, 2, "a", 1, 0, 5);
	name_thread(profile, 1, 2, "a", 100, 3, 5000);
	name_thread(profile, 1, 2, "b", 1, 1, 7);
	name_thread(profile, 1, 2, "b", 20, 4, 700);
	CHECK_INT(codectl_profile_lost(profile), 7);
	codectl_profile_destroy(profile);
}

TEST(weights_do_not_wrap)
{
	struct codectl_profile *profile = codectl_profile_create();
	const struct codectl_profile_options options = {0};

	add(profile, UINT64_MAX, &(struct stack){{"f@x"}});
	add(profile, UINT64_MAX, &(struct stack){{"f@x"}});
	add(profile, UINT64_MAX, &(struct stack){{"g@x"}});
	check_text(codectl_folded_write, profile, &options,
		"[unknown];f 18446744073709551615\n[unknown];g 18446744073709551615\n");
	codectl_profile_destroy(profile);
}

TEST(reasons_are_bounded)
{
	struct codectl_profile *profile = codectl_profile_create();
	char reason[16];
	uint64_t sum = 0;

	for (int i = 0; i < 1000; i++) {
		snprintf(reason, sizeof(reason), "reason-%d", i % 500);
		add_to(profile, 1, 1, 1, reason, &(struct stack){{"f@x"}});
	}
	CHECK(profile->stack_end_count <= 32);
	for (size_t i = 0; i < profile->stack_end_count; i++)
		sum += profile->stack_ends[i].samples;
	CHECK_INT(sum, 1000);
	codectl_profile_destroy(profile);
}

/* What is between {{data}}'s neighbours; the caller frees it. */
static char *get_data(const char *page)
{
	const char *start = strstr(page, "type=\"application/json\">\n");
	const char *end;

	CHECK(start);
	start += strlen("type=\"application/json\">\n");
	end = strstr(start, "</script>");
	CHECK(end);
	return strndup(start, (size_t)(end - start));
}

TEST(flamegraph)
{
	struct codectl_profile *profile = codectl_profile_create();
	char *page, *page_data;

	name_thread(profile, 1, 1, "app", 0, 0, 0);
	add(profile, 2, &(struct stack){{"main@app", "b@lib"}});
	add(profile, 1, &(struct stack){{"main@app", "a@app", "@lib"}});
	add_to(profile, 1, 1, 4, "no-map", &(struct stack){{"main@app"}});
	page = write_text(codectl_flamegraph_write, profile,
		&(struct codectl_profile_options){.title = "x <& \"y\""});
	page_data = get_data(page);
	CHECK_STR(page_data, "{\"title\":\"x \\u003c\\u0026 \\u0022y\\u0022\",\n"
			     "\"samples\":3,\"lost\":0,\"incomplete\":1,\"period\":0,\n"
			     "\"bins\":[\"\",\"app\",\"lib\"],\n"
			     "\"funcs\":[\"app\",\n\"main\",\n\"b\",\n\"a\",\n\"[lib]\"],\n"
			     "\"funcBin\":[0,1,2,1,2],\n"
			     "\"name\":[0,1,3,4,2],\n"
			     "\"depth\":[1,2,3,4,3],\n"
			     "\"self\":[0,4,0,1,2]}\n\n");
	CHECK(strstr(page, "<title>x &lt;&amp; &quot;y&quot;</title>"));
	CHECK(!strstr(page, "{{"));
	free(page);
	free(page_data);
	codectl_profile_destroy(profile);
}

/* No name can end the element, open a comment or bring in an element. */
TEST(hostile_names_flamegraph)
{
	struct codectl_profile *profile = codectl_profile_create();
	char *page, *page_data;

	name_thread(profile, 1, 1, "</title>", 0, 0, 0);
	add(profile, 1,
		&(struct stack){{"</script><script>alert(1)</script>@<!--", "operator<@--><b>",
			"{{data}}{{title}}@", "\\\"\n\xff@'&"}});
	page = write_text(codectl_flamegraph_write, profile,
		&(struct codectl_profile_options){.title = "{{data}}</title><script>"});
	page_data = get_data(page);
	CHECK(!strpbrk(page_data, "<>&'"));
	CHECK(strstr(page_data, "\"operator\\u003c\""));
	CHECK(strstr(page_data, "\"\\u005c\\u0022\\u000a\\ufffd\""));
	CHECK(strstr(page_data, "\"{{data}}{{title}}\""));
	CHECK(strstr(page, "<title>{{data}}&lt;/title&gt;&lt;script&gt;</title>"));
	CHECK(!strstr(page, "alert(1)</script>"));
	free(page);
	free(page_data);
	codectl_profile_destroy(profile);
}

TEST(page_needs_no_network)
{
	struct codectl_profile *profile = codectl_profile_create();
	char *page;

	add(profile, 1, &(struct stack){{"f@x"}});
	page = write_text(codectl_flamegraph_write, profile, &(struct codectl_profile_options){0});
	CHECK(!strstr(page, "http:") && !strstr(page, "https:") && !strstr(page, "src="));
	CHECK(!strstr(page, "url(") && !strstr(page, "@import") && !strstr(page, "import(") &&
		!strstr(page, "<link"));
	CHECK(strstr(page, "default-src 'none'"));
	free(page);
	codectl_profile_destroy(profile);
}

/* Deeper than any recursion would bear, and no writer recurses. */
TEST(deep_stack)
{
	enum { DEPTH = 200000 };
	struct codectl_profile *profile = codectl_profile_create();
	struct codectl_profile_frame *frames = calloc(DEPTH, sizeof(*frames));
	const struct codectl_profile_options options = {0};
	writer *const writers[] = {
		codectl_folded_write, codectl_report_write, codectl_flamegraph_write};

	CHECK(frames);
	for (size_t i = 0; i < DEPTH; i++)
		frames[i] = (struct codectl_profile_frame){"f", 1, "x", 1};
	CHECK_INT(codectl_profile_add_sample(
			  profile, &(struct codectl_profile_sample){.frames = frames,
					   .frame_count = DEPTH,
					   .weight = 1,
					   .stack_end = ""}),
		0);
	for (size_t i = 0; i < 3; i++)
		free(write_text(writers[i], profile, &options));
	free(frames);
	codectl_profile_destroy(profile);
}

TEST(failing_stream)
{
	struct codectl_profile *profile = codectl_profile_create();
	const struct codectl_profile_options options = {0};
	writer *const writers[] = {
		codectl_folded_write, codectl_report_write, codectl_flamegraph_write};

	add(profile, 1, &(struct stack){{"f@x"}});
	for (size_t i = 0; i < 3; i++) {
		FILE *full = fopen("/dev/full", "w");

		CHECK(full);
		CHECK_INT(writers[i](profile, &options, full), -ENOSPC);
		fclose(full);
	}
	codectl_profile_destroy(profile);
}
