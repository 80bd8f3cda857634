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
