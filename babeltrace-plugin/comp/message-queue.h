/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * comp/message-queue.h: messages that wait, with their positions in the
 * sequence. One thread.
 */
#ifndef CODECTL_COMP_MESSAGE_QUEUE_H
#define CODECTL_COMP_MESSAGE_QUEUE_H

#include <babeltrace2/babeltrace.h>

#include <stddef.h>
#include <stdint.h>

struct codectl_queued_message {
	const bt_message *message; /* Owned reference. */
	uint64_t position;
};

/* All zero: empty. */
struct codectl_message_queue {
	struct codectl_queued_message *slots; /* Owned. */
	size_t capacity;		      /* 0 or a power of two. */
	size_t first;
	size_t count;
};

void codectl_message_queue_fini(struct codectl_message_queue *queue);

/* Appends @message, whose reference it takes. Returns 0, or -ENOMEM and it stays the caller's. */
int codectl_message_queue_push(
	struct codectl_message_queue *queue, const bt_message *message, uint64_t position);

/* The first one of a queue that is not empty. Weak. */
static inline const struct codectl_queued_message *codectl_message_queue_front(
	const struct codectl_message_queue *queue)
{
	return &queue->slots[queue->first];
}

/* Drops it. */
void codectl_message_queue_pop(struct codectl_message_queue *queue);

/* Drops all. */
void codectl_message_queue_clear(struct codectl_message_queue *queue);

#endif /* CODECTL_COMP_MESSAGE_QUEUE_H */
