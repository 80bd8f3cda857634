/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "symbolize/name.h"

#include <dlfcn.h>
#include <stdio.h>

static void check_name(struct codectl_name name, const char *expected)
{
	CHECK_STR(codectl_name_show(&name), expected);
	CHECK_STR(codectl_name_show(&name), expected);
	codectl_name_fini(&name);
}

TEST(plain)
{
	check_name((struct codectl_name){.text = "i"}, "i");
	check_name((struct codectl_name){.text = ""}, "");
	check_name((struct codectl_name){.text = "memcpy@@GLIBC_2.14"}, "memcpy");
	check_name((struct codectl_name){.text = "puts", .is_plt_stub = true}, "puts@plt");
	check_name((struct codectl_name){.text = "with_cold_part.cold"}, "with_cold_part.cold");
}

TEST(demangled)
{
	void *library = dlopen("libstdc++.so.6", RTLD_LAZY);

	if (!library)
		tap_skip("no C++ runtime library");
	check_name((struct codectl_name){.text = "_Z3fooi"}, "foo(int)");
	check_name(
		(struct codectl_name){.text = "_Z3fooi@@V1", .is_plt_stub = true}, "foo(int)@plt");
	check_name((struct codectl_name){.text = "_ZN2ns3BarIiE3runERKS1_"},
		"ns::Bar<int>::run(ns::Bar<int> const&)");
	check_name((struct codectl_name){.text = "_Z"}, "_Z");
	check_name((struct codectl_name){.text = "_Znonsense"}, "_Znonsense");
	dlclose(library);
}

TEST(rust_legacy)
{
	void *library = dlopen("libstdc++.so.6", RTLD_LAZY);

	if (!library)
		tap_skip("no C++ runtime library");
	check_name((struct codectl_name){.text = "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE"},
		"core::fmt::Formatter::pad");
	check_name(
		(struct codectl_name){.text = "_ZN60_$LT$std..time..Instant$u20$as$u20$core..ops.."
					      "arith..Sub$GT$3sub17hfedcba9876543210E"},
		"<std::time::Instant as core::ops::arith::Sub>::sub");
	check_name((struct codectl_name){.text = "_ZN3abc28_$u7b$$u7b$closure$u7d$$u7d$"
						 "17h0123456789abcdefE"},
		"abc::{{closure}}");
	check_name((struct codectl_name){.text = "_ZN3abc1f17h0123456789abcdefE@plt"}, "abc::f");
	/* No hash, none of rustc's: C++. */
	check_name((struct codectl_name){.text = "_ZN3abc4h123E"}, "abc::h123");
	check_name((struct codectl_name){.text = "_ZN3abc17hz123456789abcdefE"},
		"abc::hz123456789abcdef");
	check_name((struct codectl_name){.text = "_ZN"}, "_ZN");
	dlclose(library);
}

/* Pairs as llvm-cxxfilt has them. */
TEST(rust_v0)
{
	static const char *const pairs[][2] = {
		{"_RNCNvNtCsjrHSEGnQ3l9_3std5alloc8rust_oom0B5_",
			"std::alloc::rust_oom::{closure#0}"},
		{"_RNvXsh_NtCsgEmfK2I1SDS_4core3fmteNtB5_5Debug3fmt",
			"<str as core::fmt::Debug>::fmt"},
		{"_RNvCsfLfy6EI15iL_7___rustc35___rust_no_alloc_shim_is_unstable_v2",
			"__rustc::__rust_no_alloc_shim_is_unstable_v2"},
		{"_RNvXs1h_NtCsgEmfK2I1SDS_4core3fmtQShNtB6_5Debug3fmtCsgY6Mt91CT9J_14rustc_"
		 "demangle",
			"<&mut [u8] as core::fmt::Debug>::fmt"},
		{"_RNvXsr_NtCsgEmfK2I1SDS_4core3fmtShNtB5_5Debug3fmtCsgY6Mt91CT9J_14rustc_demangle",
			"<[u8] as core::fmt::Debug>::fmt"},
		{"_RINvNtCsjrHSEGnQ3l9_3std2rt15handle_rt_paniciEB4_",
			"std::rt::handle_rt_panic::<isize>"},
		{"_RNvXss_NtCsgEmfK2I1SDS_4core3fmtuNtB5_5Debug3fmt",
			"<() as core::fmt::Debug>::fmt"},
		/* Damaged: as they are. */
		{"_R", "_R"},
		{"_RNv", "_RNv"},
		{"_RNvC5alpha", "_RNvC5alpha"},
		{"_RB_", "_RB_"},
		{"_RNvC99999999999999999999a1b", "_RNvC99999999999999999999a1b"},
		{"_Ruby", "_Ruby"},
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		check_name((struct codectl_name){.text = pairs[i][0]}, pairs[i][1]);
	}
	check_name((struct codectl_name){.text = "_RNvC5alpha4beta", .is_plt_stub = true},
		"alpha::beta@plt");
}

/* (((…), (…)), …): each level doubles what the name stands for. */
TEST(rust_v0_explosive)
{
	char name[2048] = "_RINvC1a1f";
	size_t places[64], len = strlen(name);

	for (int level = 0; level < 40; level++) {
		places[level] = len - 2;
		if (level < 1)
			len += (size_t)snprintf(name + len, sizeof(name) - len, "TmmE");
		else
			len += (size_t)snprintf(name + len, sizeof(name) - len, "TB%c_B%c_E",
				"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					[places[level - 1] % 62],
				"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					[places[level - 1] % 62]);
	}
	snprintf(name + len, sizeof(name) - len, "E");

	struct codectl_name shown = {.text = name};

	CHECK(codectl_name_show(&shown) && strlen(shown.text) < 16384);
	codectl_name_fini(&shown);
}

/* f(A<A<A<…>, A<…>>>): each level doubles what the name stands for. */
TEST(explosive)
{
	char name[1024] = "_Z1f1AIiiE";
	size_t len = strlen(name);

	for (int level = 0; level < 60; level++)
		len += (size_t)snprintf(
			name + len, sizeof(name) - len, "S_IS%d_S%d_E", level, level);
	check_name((struct codectl_name){.text = name}, name);
}
