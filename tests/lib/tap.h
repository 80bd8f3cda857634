/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * tests/lib/tap.h: unit tests in C. Each TEST(name) is one TAP point: it runs
 * in a process of its own, fails if a CHECK fails, if it dies, or if it leaves
 * a file descriptor open. `./test-x NAME` runs one of them without a fork, for
 * gdb. The plan is printed at the end.
 */
#ifndef CODECTL_TESTS_TAP_H
#define CODECTL_TESTS_TAP_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Defined in a build with AddressSanitizer, of either compiler. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TAP_HAS_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TAP_HAS_ADDRESS_SANITIZER
#endif

struct tap_test {
	const char *name;
	void (*run)(void);
	struct tap_test *next;
};

void tap_register(struct tap_test *test);

#define TEST(test_name)                                                    \
	static void test_##test_name(void);                                \
	static struct tap_test tap_entry_##test_name = {                   \
		.name = #test_name, .run = test_##test_name};              \
	__attribute__((constructor)) static void tap_add_##test_name(void) \
	{                                                                  \
		tap_register(&tap_entry_##test_name);                      \
	}                                                                  \
	static void test_##test_name(void)

/* Ends the running test as skipped, with a reason. */
__attribute__((noreturn, format(printf, 1, 2))) void tap_skip(const char *format, ...);

/* Ends the running test as failed, with a reason. */
__attribute__((noreturn, format(printf, 3, 4))) void tap_fail(
	const char *file, int line, const char *format, ...);

#define CHECK(condition)                                                \
	do {                                                            \
		if (!(condition))                                       \
			tap_fail(__FILE__, __LINE__, "%s", #condition); \
	} while (0)

#define CHECK_INT(actual, expected)                                                             \
	do {                                                                                    \
		intmax_t tap_actual = (intmax_t)(actual), tap_expected = (intmax_t)(expected);  \
		if (tap_actual != tap_expected)                                                 \
			tap_fail(__FILE__, __LINE__, "%s is %jd, not %jd", #actual, tap_actual, \
				tap_expected);                                                  \
	} while (0)

#define CHECK_HEX(actual, expected)                                                               \
	do {                                                                                      \
		uintmax_t tap_actual = (uintmax_t)(actual), tap_expected = (uintmax_t)(expected); \
		if (tap_actual != tap_expected)                                                   \
			tap_fail(__FILE__, __LINE__, "%s is 0x%jx, not 0x%jx", #actual,           \
				tap_actual, tap_expected);                                        \
	} while (0)

#define CHECK_STR(actual, expected)                                                       \
	do {                                                                              \
		const char *tap_actual = (actual), *tap_expected = (expected);            \
		if (!tap_actual || strcmp(tap_actual, tap_expected) != 0)                 \
			tap_fail(__FILE__, __LINE__, "%s is \"%s\", not \"%s\"", #actual, \
				tap_actual ? tap_actual : "(null)", tap_expected);        \
	} while (0)

#endif /* CODECTL_TESTS_TAP_H */
