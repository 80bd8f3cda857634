/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * cli/message.h: what the command says to its user, on stderr. One thread.
 */
#ifndef CODECTL_CLI_MESSAGE_H
#define CODECTL_CLI_MESSAGE_H

/* `codectl: TEXT` and a newline. */
__attribute__((format(printf, 1, 2))) void codectl_cli_say(const char *format, ...);

/* `codectl: error: TEXT` and a newline. */
__attribute__((format(printf, 1, 2))) void codectl_cli_error(const char *format, ...);

#endif /* CODECTL_CLI_MESSAGE_H */
