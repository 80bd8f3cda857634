/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/repair.h: makes a trace readable whose writer was stopped in the middle
 * of a packet, by a full disk or by its end: no reader takes a trace with half a
 * packet. Whole packets are kept, also those behind half a one. One thread.
 */
#ifndef CODECTL_CLI_REPAIR_H
#define CODECTL_CLI_REPAIR_H

#include <stdint.h>

/*
 * Repairs the traces below @directory, which nobody writes to any more: files
 * of LTTng with half a packet lose it, and their index, which readers can do
 * without; and streams which the metadata does not describe are emptied if they
 * hold no event. All others stay as they are. *@cut becomes the number of bytes
 * of half packets taken out. Returns 0 or a negative errno.
 */
int codectl_repair_traces(const char *directory, uint64_t *cut);

#endif /* CODECTL_CLI_REPAIR_H */
