/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * Functions inlined into one another, with a label in each so that a test finds
 * its code, and with line numbers which are known. C and C++.
 */
#define INLINED __attribute__((always_inline)) inline

/* Of code that is there once: what is inlined twice would have two of that name. */
#define LABEL(name) __asm__ volatile(".globl " #name "\n" #name ": nop")

#ifdef __cplusplus
namespace ns
{
struct holder {
#endif

	static INLINED void innermost(void)
	{
#line 100
		LABEL(in_innermost);
	}

	static INLINED void middle(void)
	{
#line 200
		LABEL(in_middle);
		{
			volatile int block = 1;

			(void)block;
#line 201
			innermost();
		}
	}

#ifdef __cplusplus
};
}
#define middle ns::holder::middle
extern "C" {
#endif

void outer(void);

__attribute__((noinline)) void outer(void)
{
#line 300
	middle();
#line 400
	LABEL(in_outer);
}

#ifdef __cplusplus
}
#endif

int main(void)
{
	outer();
	return 0;
}
