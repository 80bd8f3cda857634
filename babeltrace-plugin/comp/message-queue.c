/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "comp/message-queue.h"

#include <errno.h>
#include <stdlib.h>

void codectl_message_queue_fini(struct codectl_message_queue *queue)
{
	codectl_message_queue_clear(queue);
	free(queue->slots);
	*queue = (struct codectl_message_queue){0};
}

static int grow(struct codectl_message_queue *queue)
{
	size_t capacity = queue->capacity ? 2 * queue->capacity : 64;
	struct codectl_queued_message *slots = calloc(capacity, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < queue->count; i++)
		slots[i] = queue->slots[(queue->first + i) & (queue->capacity - 1)];
	free(queue->slots);
	queue->slots = slots;
	queue->capacity = capacity;
	queue->first = 0;
	return 0;
}

int codectl_message_queue_push(
	struct codectl_message_queue *queue, const bt_message *message, uint64_t position)
{
	if (queue->count == queue->capacity && grow(queue) < 0)
		return -ENOMEM;
	queue->slots[(queue->first + queue->count++) & (queue->capacity - 1)] =
		(struct codectl_queued_message){.message = message, .position = position};
	return 0;
}

void codectl_message_queue_pop(struct codectl_message_queue *queue)
{
	bt_message_put_ref(queue->slots[queue->first].message);
	queue->first = (queue->first + 1) & (queue->capacity - 1);
	queue->count--;
}

void codectl_message_queue_clear(struct codectl_message_queue *queue)
{
	while (queue->count > 0)
		codectl_message_queue_pop(queue);
}
