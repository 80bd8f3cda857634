/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "symbolize/answers.h"

TEST(empty)
{
	struct codectl_answers answers = {0};
	struct codectl_symbol symbol;

	CHECK(!codectl_answers_find(&answers, 0, &symbol));
	codectl_answers_fini(&answers);
}

/* Few addresses are all kept, many in part; none is ever mistaken for another. */
TEST(bounded_and_right)
{
	struct codectl_answers answers = {0};
	struct codectl_symbol symbol = {.function = "f", .source_path = ""};
	size_t kept = 0;

	for (uint64_t vaddr = 0; vaddr < 100000; vaddr++) {
		symbol.offset = ~vaddr;
		codectl_answers_add(&answers, vaddr, &symbol);
		CHECK(codectl_answers_find(&answers, vaddr, &symbol));
		CHECK_HEX(symbol.offset, ~vaddr);
	}
	for (uint64_t vaddr = 0; vaddr < 100000; vaddr++) {
		if (!codectl_answers_find(&answers, vaddr, &symbol))
			continue;
		CHECK_HEX(symbol.offset, ~vaddr);
		kept++;
	}
	CHECK(kept > 10000);
	CHECK(kept < 40000);
	CHECK(!codectl_answers_find(&answers, 100001, &symbol));
	codectl_answers_fini(&answers);
}
