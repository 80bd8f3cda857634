/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "lib/tap.h"

#include "symbolize/answers.h"

TEST(empty)
{
	struct codectl_answers answers = {0};
	const struct codectl_symbol *chain;
	size_t count;

	CHECK(!codectl_answers_find(&answers, 0, &chain, &count));
	codectl_answers_forget(&answers);
	codectl_answers_fini(&answers);
}

/* Fills in what the chain of @vaddr is here. Returns its length, which may be 0. */
static size_t make_chain(uint64_t vaddr, struct codectl_symbol chain[static 12])
{
	size_t count = vaddr % 13 % 5 * 3;

	for (size_t i = 0; i < count; i++)
		chain[i] = (struct codectl_symbol){
			.function = "f", .offset = (int64_t)(~vaddr + i), .source_path = ""};
	return count;
}

/* Whether @vaddr is known; if it is, its chain must be its own. */
static bool is_known(const struct codectl_answers *answers, uint64_t vaddr)
{
	struct codectl_symbol expected[12];
	size_t expected_count = make_chain(vaddr, expected), count;
	const struct codectl_symbol *chain;

	if (!codectl_answers_find(answers, vaddr, &chain, &count))
		return false;
	CHECK_INT(count, expected_count);
	for (size_t i = 0; i < count; i++)
		CHECK_HEX(chain[i].offset, expected[i].offset);
	return true;
}

/* Few addresses are all kept, many in part; none is ever mistaken for another. */
TEST(bounded_and_right)
{
	struct codectl_answers answers = {0};
	struct codectl_symbol chain[12];
	size_t kept = 0;

	for (uint64_t vaddr = 0; vaddr < 100000; vaddr++) {
		codectl_answers_add(&answers, vaddr, chain, make_chain(vaddr, chain));
		CHECK(is_known(&answers, vaddr));
		CHECK(answers.symbol_capacity <= 1 << 17);
		if (vaddr == 3000)
			for (uint64_t old = 0; old < vaddr; old++)
				kept += is_known(&answers, old);
	}
	CHECK(kept > 2000);
	kept = 0;
	for (uint64_t vaddr = 0; vaddr < 100000; vaddr++)
		kept += is_known(&answers, vaddr);
	CHECK(kept > 1000);
	CHECK(kept < 40000);
	CHECK(!is_known(&answers, 100001));
	codectl_answers_forget(&answers);
	for (uint64_t vaddr = 0; vaddr < 100000; vaddr++)
		CHECK(!is_known(&answers, vaddr));
	codectl_answers_fini(&answers);
}
