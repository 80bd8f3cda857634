/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "sampler/thin.h"

#include <string.h>
#include <ucontext.h>

/*
 * Prologues push the registers that they save, six at most, right below the
 * return address; two more words are for those that make room first.
 */
#define SAVE_AREA_WORDS 8

/*
 * The kernel's frame of a signal: the return address, which leads to the
 * trampoline, and a ucontext_t, whose general registers come after five words.
 * Its beginning is ABI (include/uapi/asm/sigcontext.h of the kernel).
 */
#define SIGNAL_REGISTERS 6
#define SIGNAL_SEGMENTS	 (SIGNAL_REGISTERS + REG_CSGSFS)

struct thinning {
	const struct codectl_thin_rule *rule;
	const uint64_t *words;
	size_t word_count;
	struct codectl_range examined;
	struct codectl_range code_span; /* From the first executable range to the last. */
	uint64_t *map;
	uint64_t *code;	  /* Bit i: word i points to code; with one more map word, of 0. */
	uint64_t *upward; /* Bit i: word i may be a frame address above its own. */
};

bool codectl_thin_find(const struct codectl_range *ranges, size_t count, uint64_t address)
{
	size_t low = 0;

	/* After the loop `low` is the number of ranges that start at or below the address. */
	while (count > 0) {
		size_t half = count / 2;

		if (ranges[low + half].start <= address) {
			low += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return low > 0 && address < ranges[low - 1].end;
}

static void set_bit(uint64_t *map, size_t index)
{
	map[index / 64] |= UINT64_C(1) << index % 64;
}

static bool has_bit(const uint64_t *map, size_t index)
{
	return map[index / 64] >> index % 64 & 1;
}

static bool is_in_stack(const struct thinning *thinning, uint64_t word)
{
	return codectl_range_has(&thinning->examined, word) ||
	       codectl_range_has(&thinning->rule->stack, word);
}

static bool is_code(const struct thinning *thinning, uint64_t word)
{
	return codectl_range_has(&thinning->code_span, word) &&
	       codectl_thin_find(
		       thinning->rule->executable, thinning->rule->executable_count, word);
}

/* The index of the word that @address is in; not below the number of words if it is in none. */
static size_t index_of(const struct thinning *thinning, uint64_t address)
{
	return (address - thinning->examined.start) / 8;
}

/* Sorts the words out. Most are small numbers or addresses of data. */
static void classify(const struct thinning *thinning)
{
	size_t map_count = codectl_thin_map_count(thinning->word_count);

	memset(thinning->code, 0, (map_count + 1) * sizeof(*thinning->code));
	memset(thinning->upward, 0, map_count * sizeof(*thinning->upward));
	for (size_t i = 0; i < thinning->word_count; i++) {
		uint64_t word = thinning->words[i];

		if (is_in_stack(thinning, word)) {
			if (word > thinning->examined.start + i * 8 && word % 8 == 0)
				set_bit(thinning->upward, i);
		} else if (is_code(thinning, word)) {
			set_bit(thinning->code, i);
		}
	}
}

/* Which of the 64 words from 64 * @index on have a word that points to code close above. */
static uint64_t find_near_code(const struct thinning *thinning, size_t index)
{
	uint64_t low = thinning->code[index], high = thinning->code[index + 1];
	uint64_t near = 0;

	for (unsigned int i = 1; i <= SAVE_AREA_WORDS; i++)
		near |= low >> i | high << (64 - i);
	return near;
}

/*
 * Whether @address, which points into the stack, is one that somebody who is
 * about to move the stack pointer puts away: of the return address or the word
 * above, or of what is pushed below.
 */
static bool is_frame_address(const struct thinning *thinning, uint64_t address)
{
	size_t index = index_of(thinning, address);
	size_t end = index + SAVE_AREA_WORDS + 1;

	if (index >= thinning->word_count)
		return false;
	if (end > thinning->word_count)
		end = thinning->word_count;
	for (size_t i = index > 0 ? index - 1 : 0; i < end; i++) {
		if (has_bit(thinning->code, i))
			return true;
	}
	return false;
}

/* Keeps the 0 that @frame_pointer points to, if it can be the last saved frame pointer. */
static void keep_chain_end(const struct thinning *thinning, uint64_t frame_pointer)
{
	size_t index = index_of(thinning, frame_pointer);

	if (frame_pointer % 8 == 0 && index < thinning->word_count && !thinning->words[index] &&
		has_bit(thinning->code, index + 1))
		set_bit(thinning->map, index);
}

static void keep_frame_addresses(const struct thinning *thinning, size_t map_index)
{
	uint64_t near = find_near_code(thinning, map_index);

	for (uint64_t left = thinning->upward[map_index]; left; left &= left - 1) {
		size_t i = map_index * 64 + (size_t)__builtin_ctzll(left);

		if (!(near >> i % 64 & 1) && !is_frame_address(thinning, thinning->words[i]))
			continue;
		set_bit(thinning->map, i);
		if (has_bit(thinning->code, i + 1))
			keep_chain_end(thinning, thinning->words[i]);
	}
}

/* The registers that a signal interrupted: any of them may be needed, anywhere they point to. */
static void keep_signal_registers(const struct thinning *thinning, size_t first)
{
	for (size_t i = first; i <= first + REG_RIP; i++) {
		if (is_in_stack(thinning, thinning->words[i]) ||
			is_code(thinning, thinning->words[i]))
			set_bit(thinning->map, i);
	}
}

static void keep_return_addresses(const struct thinning *thinning, size_t map_index)
{
	thinning->map[map_index] |= thinning->code[map_index];
	if (!thinning->rule->segments)
		return;
	for (uint64_t left = thinning->code[map_index]; left; left &= left - 1) {
		size_t i = map_index * 64 + (size_t)__builtin_ctzll(left);

		if (i + SIGNAL_SEGMENTS < thinning->word_count &&
			thinning->words[i + SIGNAL_SEGMENTS] == thinning->rule->segments)
			keep_signal_registers(thinning, i + SIGNAL_REGISTERS);
	}
}

static void keep_all(const struct thinning *thinning)
{
	for (size_t i = 0; i < thinning->word_count; i++)
		set_bit(thinning->map, i);
}

static void keep_needed(const struct thinning *thinning)
{
	classify(thinning);
	for (size_t i = 0; i < codectl_thin_map_count(thinning->word_count); i++) {
		keep_return_addresses(thinning, i);
		keep_frame_addresses(thinning, i);
	}
	keep_chain_end(thinning, thinning->rule->frame_pointer);
}

size_t codectl_thin(const struct codectl_thin_rule *rule, struct codectl_thin_scratch *scratch,
	const uint64_t *words, size_t word_count, uint64_t start, uint64_t *map, uint64_t *kept)
{
	struct thinning thinning = {
		.rule = rule,
		.words = words,
		.word_count = word_count,
		.examined = {start, start + word_count * 8},
		.map = map,
		.code = scratch->code,
		.upward = scratch->upward,
	};
	size_t map_count = codectl_thin_map_count(word_count);
	size_t kept_count = 0;

	if (rule->executable_count > 0) {
		thinning.code_span.start = rule->executable[0].start;
		thinning.code_span.end = rule->executable[rule->executable_count - 1].end;
	}
	memset(map, 0, map_count * sizeof(*map));
	if (rule->is_full)
		keep_all(&thinning);
	else
		keep_needed(&thinning);
	for (size_t i = 0; i < map_count; i++) {
		for (uint64_t left = map[i]; left; left &= left - 1)
			kept[kept_count++] = words[i * 64 + (size_t)__builtin_ctzll(left)];
	}
	return kept_count;
}
