/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * bench-libdw FILE COUNT: names the first COUNT addresses on stdin as eu-addr2line
 * -i does, with calls of libdwfl and libdw for each: the symbol, the scopes with
 * the inlined functions, the line. Prints the CPU time in microseconds of the
 * first answer (with opening the files) and of each following one; how many had
 * a function and a line; and the peak of memory in KiB.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double microseconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static Dwfl *open_file(const char *path)
{
	static char *debug_path;
	static const Dwfl_Callbacks callbacks = {
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &debug_path,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (!dwfl || !dwfl_report_offline(dwfl, "", path, -1) ||
		dwfl_report_end(dwfl, NULL, NULL) != 0)
		return NULL;
	return dwfl;
}

/* The names of the functions around, as far as the one that was not inlined. */
static bool name_scopes(Dwfl_Module *module, Dwarf_Addr address)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias);
	Dwarf_Die *scopes = NULL;
	int count = unit ? dwarf_getscopes(unit, address - bias, &scopes) : 0;
	bool is_named = false;

	for (int i = 0; i < count; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
			is_named |= dwarf_diename(&scopes[i]) != NULL;
		if (tag == DW_TAG_subprogram)
			break;
	}
	free(scopes);
	return is_named;
}

static void name(Dwfl_Module *module, uint64_t vaddr, size_t *functions, size_t *lines)
{
	Dwarf_Addr start, address;
	GElf_Sym symbol;
	GElf_Off offset;
	Dwfl_Line *line;
	int number = 0;

	/* What is no program is put elsewhere. */
	dwfl_module_info(module, NULL, &start, NULL, NULL, NULL, NULL, NULL);
	address = vaddr + start;

	const char *text = dwfl_module_addrinfo(
		module, address, &offset, &symbol, NULL, NULL, NULL);

	*functions += name_scopes(module, address) || text;
	line = dwfl_module_getsrc(module, address);
	if (line)
		dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL);
	*lines += number > 0;
}

static int first_module(
	Dwfl_Module *module, void **user, const char *path, Dwarf_Addr start, void *closure)
{
	(void)user;
	(void)path;
	(void)start;
	*(Dwfl_Module **)closure = module;
	return DWARF_CB_ABORT;
}

int main(int argc, char **argv)
{
	size_t count = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	size_t asked = 0, functions = 0, lines = 0;
	Dwfl_Module *module = NULL;
	struct rusage usage;
	uint64_t vaddr;

	if (count < 2) {
		fprintf(stderr, "usage: bench-libdw FILE COUNT <ADDRESSES\n");
		return EXIT_FAILURE;
	}

	double start = microseconds(), first = start;
	Dwfl *dwfl = open_file(argv[1]);

	if (!dwfl || dwfl_getmodules(dwfl, first_module, &module, 0) < 0 || !module) {
		fprintf(stderr, "bench-libdw: %s\n", dwfl_errmsg(-1));
		return EXIT_FAILURE;
	}
	while (asked < count && scanf("%" SCNx64, &vaddr) == 1) {
		name(module, vaddr, &functions, &lines);
		if (asked++ == 0)
			first = microseconds();
	}

	double following = microseconds();

	getrusage(RUSAGE_SELF, &usage);
	printf("%.0f %.3f %zu %zu %ld\n", first - start, (following - first) / (double)(asked - 1),
		functions, lines, usage.ru_maxrss);
	dwfl_end(dwfl);
	return EXIT_SUCCESS;
}
