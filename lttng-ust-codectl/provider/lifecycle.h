/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * provider/lifecycle.h: how the provider begins, forks and ends.
 */
#ifndef CODECTL_PROVIDER_LIFECYCLE_H
#define CODECTL_PROVIDER_LIFECYCLE_H

/*
 * The running process is the child of a fork: whatever the parent's threads
 * held or were doing is gone. Events stay off until LTTng-UST brings a session,
 * the helper thread starts with it. On the child's only thread.
 */
void codectl_lifecycle_enter_child(void);

#endif /* CODECTL_PROVIDER_LIFECYCLE_H */
