/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * The library of edge-lazy: functions so short that looking them up takes the time.
 */
void lazy_one(void);
void lazy_two(void);
int lazy_arguments(int a, int b, int c, int d, int e, int f, int g, int h);

static volatile int count;

void lazy_one(void)
{
	count++;
}

void lazy_two(void)
{
	count--;
}

int lazy_arguments(int a, int b, int c, int d, int e, int f, int g, int h)
{
	return a + b + c + d + e + f + g + h;
}
