/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/advice.h: tells the user of `codectl record` what a recording lacks, and
 * why. One thread.
 */
#ifndef CODECTL_CLI_ADVICE_H
#define CODECTL_CLI_ADVICE_H

#include "cli/summary.h"

#include <stdint.h>

/* Before the program runs: whether the kernel allows what @clock needs (NULL: the default). */
void codectl_advice_on_clock(const char *clock);

/* Nothing was recorded of @command, which is looked for as execvp() does. */
void codectl_advice_on_silence(const char *command);

/* Threads of which there are far fewer samples than they used CPU time, at @frequency. */
void codectl_advice_on_threads(const struct codectl_summary *summary, uint32_t frequency);

#endif /* CODECTL_CLI_ADVICE_H */
