/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/export.h: marks what a library exports; all else is hidden
 * (-fvisibility=hidden).
 */
#ifndef CODECTL_PROVIDER_EXPORT_H
#define CODECTL_PROVIDER_EXPORT_H

#define CODECTL_EXPORT __attribute__((visibility("default")))

#endif /* CODECTL_PROVIDER_EXPORT_H */
