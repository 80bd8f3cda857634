/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Names of a kernel's functions: what is in a kallsyms file or System.map, and
 * what is said of files that are none.
 */
#include "lib/fixture.h"
#include "lib/tap.h"

#include "symbolize/kernel-symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char kallsyms[] = "0000000000000000 A fixed_percpu_data\n"
			       "ffffffff81000000 T _text\n"
			       "ffffffff81000000 W weak_one\n"
			       "ffffffff81000000 t local_one\n"
			       "ffffffff81000100 t schedule_timer\n"
			       "ffffffff81000400 W __x64_sys_gone\n"
			       "ffffffff81000800 D a_table\n"
			       "ffffffff81000900 i by_ifunc\n"
			       "ffffffff81001000 T _etext\n"
			       "ffffffffc0400200 t ext4_get\t[ext4]\n"
			       "ffffffffc0400000 t ext4_put\t[ext4]\n"
			       "ffffffffc0500000 t bpf_prog_6deef7357e7b4530\t[bpf]\n";

/* Opens a file with that text. */
static struct codectl_kernel_symbols *open_text(const char *text, size_t len, const char **reason)
{
	struct codectl_kernel_symbols *symbols = NULL;
	int ret;

	fixture_write("symbols", text, len);
	ret = codectl_kernel_symbols_open(fixture_path("symbols"), &symbols, reason);
	CHECK(ret == (symbols ? 0 : -EINVAL));
	return symbols;
}

static void check_found(const struct codectl_kernel_symbols *symbols, uint64_t address,
	const char *name, uint64_t offset, const char *module)
{
	struct codectl_kernel_symbol symbol;

	CHECK(codectl_kernel_symbols_find(symbols, address, &symbol) == 0);
	CHECK_STR(symbol.name, name);
	CHECK_STR(symbol.module, module);
	CHECK(symbol.offset == offset);
}

static void check_unknown(const struct codectl_kernel_symbols *symbols, uint64_t address)
{
	struct codectl_kernel_symbol symbol;

	CHECK(codectl_kernel_symbols_find(symbols, address, &symbol) == -ENOENT);
}

TEST(names)
{
	const char *reason;
	struct codectl_kernel_symbols *symbols = open_text(kallsyms, strlen(kallsyms), &reason);

	CHECK(symbols);
	check_found(symbols, 0xffffffff81000000, "_text", 0, "");
	check_found(symbols, 0xffffffff810000ff, "_text", 0xff, "");
	check_found(symbols, 0xffffffff81000100, "schedule_timer", 0, "");
	check_found(symbols, 0xffffffff810007ff, "__x64_sys_gone", 0x3ff, "");
	check_unknown(symbols, 0xffffffff81000800);
	check_found(symbols, 0xffffffff81000901, "by_ifunc", 1, "");
	check_found(symbols, 0xffffffffc0400010, "ext4_put", 0x10, "[ext4]");
	check_found(symbols, 0xffffffffc0400210, "ext4_get", 0x10, "[ext4]");
	check_found(symbols, 0xffffffffc0500010, "bpf_prog_6deef7357e7b4530", 0x10, "[bpf]");
	check_unknown(symbols, 0);
	check_unknown(symbols, 0x1000);
	check_unknown(symbols, 0xffffffff80ffffff);
	codectl_kernel_symbols_close(symbols);
}

/* Behind what nothing ends, one page may be of it; in the kernel nothing is endless either. */
TEST(ends)
{
	const char *reason;
	struct codectl_kernel_symbols *symbols = open_text(kallsyms, strlen(kallsyms), &reason);

	CHECK(symbols);
	check_found(symbols, 0xffffffff81001fff, "_etext", 0xfff, "");
	check_unknown(symbols, 0xffffffff81002000);
	check_found(symbols, 0xffffffffc04011ff, "ext4_get", 0xfff, "[ext4]");
	check_unknown(symbols, 0xffffffffc0401200);
	check_unknown(symbols, 0xffffffffc0501000);
	check_unknown(symbols, UINT64_MAX);
	codectl_kernel_symbols_close(symbols);
}

TEST(system_map)
{
	const char text[] = "c0100000 T _text\nc0100040 T start_kernel\nc0200000 D data";
	const char *reason;
	struct codectl_kernel_symbols *symbols = open_text(text, strlen(text), &reason);

	CHECK(symbols);
	check_found(symbols, 0xc01fffff, "start_kernel", 0xfffbf, "");
	check_unknown(symbols, 0xc0200000);
	CHECK(codectl_kernel_symbols_borrow_stats(symbols)->functions == 2);
	CHECK(codectl_kernel_symbols_borrow_stats(symbols)->others == 1);
	CHECK(codectl_kernel_symbols_borrow_stats(symbols)->bad_lines == 0);
	codectl_kernel_symbols_close(symbols);
}

TEST(bad_lines)
{
	static const char text[] = "\n"
				   "ffffffff81000000\n"
				   "ffffffff81000000 T\n"
				   "ffffffff81000000 T \n"
				   "ffffffff81000000 Tt name\n"
				   "ffffffff81000000 5 name\n"
				   " ffffffff81000000 T name\n"
				   "fffffffff81000000 T too_many_digits\n"
				   "FFFFFFFF81000000 T upper\n"
				   "ffffffff81000000\tT tabs\n"
				   "ffffffff81000000 T \001name\n"
				   "ffffffff81000000 T n\303\244me\n"
				   "ffffffff81000000 T name module\n"
				   "ffffffff81000000 T name\t[module\n"
				   "ffffffff81000000 T name\t[mod ule]\n"
				   "ffffffff81000000 T na\0me\n"
				   "ffffffff81000010 T good\r\n"
				   "ffffffff81000020 T good\n";
	const char *reason;
	struct codectl_kernel_symbols *symbols = open_text(text, sizeof(text) - 1, &reason);

	CHECK(symbols);
	CHECK(codectl_kernel_symbols_borrow_stats(symbols)->functions == 1);
	CHECK(codectl_kernel_symbols_borrow_stats(symbols)->bad_lines == 17);
	check_found(symbols, 0xffffffff81000021, "good", 1, "");
	codectl_kernel_symbols_close(symbols);
}

TEST(long_names)
{
	char text[4096];
	int len = snprintf(
		text, sizeof(text), "1000 T %0511d\n2000 T %0512d\n3000 t %0600d\t[x]\n", 7, 8, 9);
	const char *reason;
	struct codectl_kernel_symbols *symbols = open_text(text, (size_t)len, &reason);

	CHECK(symbols);
	CHECK(codectl_kernel_symbols_borrow_stats(symbols)->functions == 1);
	CHECK(codectl_kernel_symbols_borrow_stats(symbols)->bad_lines == 2);
	codectl_kernel_symbols_close(symbols);
}

static void check_refused(const char *path, const char *expected)
{
	struct codectl_kernel_symbols *symbols;
	const char *reason = NULL;

	CHECK(codectl_kernel_symbols_open(path, &symbols, &reason) == -EINVAL);
	CHECK_STR(reason, expected);
}

TEST(refused)
{
	const char *reason = NULL;

	CHECK(!open_text("", 0, &reason));
	CHECK_STR(reason, "there are no symbols of functions in it");
	CHECK(!open_text("\177ELF\0\0\0", 7, &reason));
	CHECK_STR(reason, "there are no symbols of functions in it");
	CHECK(!open_text("ffffffff81000000 D data\n", 24, &reason));
	CHECK_STR(reason, "there are no symbols of functions in it");
	CHECK(!open_text("0000000000000000 T _text\n0000000000000000 t f\t[m]\n", 50, &reason));
	CHECK(strstr(reason, "kptr_restrict"));
	check_refused(fixture_path("none"), "no such file");
	check_refused(fixture_dir(), "not a regular file");
	check_refused("/dev/zero", "not a regular file");
	CHECK(mkfifo(fixture_path("fifo"), 0600) == 0);
	check_refused(fixture_path("fifo"), "not a regular file");
	FIXTURE_RUN("ln -s loop loop && truncate -s 200M huge");
	check_refused(fixture_path("loop"), "symbolic links lead in a circle");
	check_refused(fixture_path("huge"), "it is too large");
	/* More symbols than any kernel has, in a file that is not too large. */
	FIXTURE_RUN("yes '1 t f' | head -n 4200000 >many");
	check_refused(fixture_path("many"), "it is too large");
}

/* Files with bytes that are others, or missing. */
TEST(random)
{
	uint64_t state = 1;

	for (int round = 0; round < 2000; round++) {
		char text[sizeof(kallsyms)];
		size_t len = sizeof(kallsyms) - 1;
		struct codectl_kernel_symbols *symbols;
		const char *reason;

		memcpy(text, kallsyms, sizeof(text));
		for (int i = 0; i < 1 + round % 8; i++) {
			state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
			text[(state >> 33) % len] = "0fT \t\n[]a\0\377"[(state >> 20) % 11];
		}
		len -= round % 3 ? 0 : (state >> 40) % len;
		symbols = open_text(text, len, &reason);
		if (!symbols)
			continue;
		for (uint64_t address = 0xffffffff81000000; address < 0xffffffff81002000;
			address += 0xff) {
			struct codectl_kernel_symbol symbol;

			if (codectl_kernel_symbols_find(symbols, address, &symbol) == 0)
				CHECK(*symbol.name && strlen(symbol.name) < 64);
		}
		codectl_kernel_symbols_close(symbols);
	}
}

/* This machine's own, whose addresses may be hidden. */
TEST(own_kernel)
{
	struct codectl_kernel_symbols *symbols;
	const char *reason;

	if (codectl_kernel_symbols_open("/proc/kallsyms", &symbols, &reason) < 0) {
		CHECK(strstr(reason, "kptr_restrict") || !strcmp(reason, "no such file"));
		return;
	}
	CHECK(codectl_kernel_symbols_borrow_stats(symbols)->functions > 1000);
	CHECK(codectl_kernel_symbols_borrow_stats(symbols)->bad_lines == 0);
	codectl_kernel_symbols_close(symbols);
}
