/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Sections that three versions of binutils wrote (tests/data/sframe/), as we
 * read them, against what their own readelf printed of them.
 */
#include "lib/fixture.h"
#include "lib/tap.h"

#include "format/sframe.h"

#include <stdio.h>
#include <stdlib.h>

/* Appends what is said of @place: register or c for the CFA, and the offset; in () in memory. */
static void print_place(FILE *out, const struct codectl_sframe_place *place)
{
	bool is_memory = place->kind == CODECTL_SFRAME_MEMORY;

	if (place->kind == CODECTL_SFRAME_SAME) {
		fprintf(out, " u");
		return;
	}
	fprintf(out, is_memory ? " (" : " ");
	if (place->base == CODECTL_SFRAME_BASE_CFA)
		fprintf(out, "c");
	else
		fprintf(out, "r%u", place->base);
	fprintf(out, "%+d%s", place->offset, is_memory ? ")" : "");
}

static int print_row(void *user, uint32_t start, uint32_t end, const struct codectl_sframe_fre *fre)
{
	FILE *out = user;

	(void)end;
	fprintf(out, "\t+%x", start);
	if (fre->is_outermost) {
		fprintf(out, " outermost\n");
		return 0;
	}
	print_place(out, &fre->cfa);
	print_place(out, &fre->fp);
	print_place(out, &fre->ra);
	fprintf(out, fre->is_ra_mangled ? " signed\n" : "\n");
	return 0;
}

static void print_section(FILE *out, const struct codectl_sframe *sframe)
{
	fprintf(out, "version %u, abi %u\n", sframe->version, sframe->abi);
	for (size_t i = 0; i < sframe->fde_count; i++) {
		struct codectl_sframe_fde fde;

		CHECK_INT(codectl_sframe_read_fde(sframe, i, &fde), 0);
		fprintf(out, "function of %u bytes", fde.size);
		if (fde.block)
			fprintf(out, ", blocks of %u", fde.block);
		fprintf(out, "%s%s%s\n", fde.is_flexible ? ", flexible" : "",
			fde.is_signal ? ", signal" : "", fde.has_pauth_key_b ? ", key B" : "");
		CHECK_INT(codectl_sframe_run(sframe, &fde, print_row, out), 0);
	}
}

/* Reads NAME.sframe, and compares with NAME.txt. */
static void check_section(const char *name)
{
	struct codectl_sframe sframe;
	char *bytes, *expected, *actual = NULL;
	size_t len, expected_len, actual_len;
	FILE *out = open_memstream(&actual, &actual_len);

	CHECK(out);
	FIXTURE_RUN("cp %s/sframe/%s.sframe section; cp %s/sframe/%s.txt expected", TEST_DATA, name,
		TEST_DATA, name);
	bytes = fixture_read("section", &len);
	expected = fixture_read("expected", &expected_len);
	CHECK_INT(codectl_sframe_init(&sframe, (const uint8_t *)bytes, len, 0), 0);
	CHECK_INT(sframe.len, len);
	print_section(out, &sframe);
	fclose(out);
	if (strcmp(actual, expected) != 0) {
		fixture_write("actual", actual, actual_len);
		fixture_try("diff expected actual");
		tap_fail(__FILE__, __LINE__, "%s: see %s", name, fixture_path("log"));
	}
	free(actual);
	free(bytes);
	free(expected);
}

TEST(amd64)
{
	check_section("v1-amd64");
	check_section("v2-amd64");
	check_section("v3-amd64");
}

TEST(aarch64)
{
	check_section("v2-aarch64");
	check_section("v3-aarch64");
}

TEST(aarch64_big_endian)
{
	check_section("v2-aarch64-be");
	check_section("v3-aarch64-be");
}

TEST(s390x)
{
	check_section("v3-s390x");
}
