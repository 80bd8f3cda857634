/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * profile/tree.h: stacks merged into a tree. A node is a function of a binary
 * called from its parent; names are kept once. The tree owns everything in it;
 * nodes and names are positions, valid as long as the tree. A node's position
 * is always greater than its parent's. One thread at a time.
 */
#ifndef CODECTL_PROFILE_TREE_H
#define CODECTL_PROFILE_TREE_H

#include "profile/index.h"

#define CODECTL_TREE_ROOT 0
#define CODECTL_TREE_NONE CODECTL_INDEX_NONE

struct codectl_tree_name {
	char *func; /* Owned; "" if unknown. */
	char *bin;  /* Owned; "" if unknown. */
};

struct codectl_tree_node {
	uint32_t parent;
	uint32_t name; /* Of the root: CODECTL_TREE_NONE. */
	uint32_t first_child;
	uint32_t next_sibling;
	uint64_t self;	/* Weight of the stacks that end here. */
	uint64_t total; /* self and that of all below; see codectl_tree_finish(). */
};

struct codectl_tree {
	struct codectl_tree_name *names; /* Owned. */
	size_t name_count;
	size_t name_capacity;
	struct codectl_index name_index;
	struct codectl_tree_node *nodes; /* Owned; the root is there from the start. */
	size_t node_count;
	size_t node_capacity;
	struct codectl_index node_index;
};

/* An empty tree with its root, owned by the caller; NULL without memory. */
struct codectl_tree *codectl_tree_create(void);
void codectl_tree_destroy(struct codectl_tree *tree);

/*
 * Finds or adds a name; the strings need no terminator and are copied. Returns
 * 0, -ENOMEM, or -EOVERFLOW if there are too many.
 */
int codectl_tree_intern(struct codectl_tree *tree, const char *func, size_t func_len,
	const char *bin, size_t bin_len, uint32_t *name);

/*
 * Finds or adds the child of @parent called @name. Returns 0, -ENOMEM, or
 * -EOVERFLOW if there are too many nodes.
 */
int codectl_tree_child(struct codectl_tree *tree, uint32_t parent, uint32_t name, uint32_t *node);

/* Adds to the weight of the stacks that end at @node; stops at the largest number. */
void codectl_tree_add_weight(struct codectl_tree *tree, uint32_t node, uint64_t weight);

/*
 * Computes `total` of all nodes and sorts siblings by name. To be called when
 * the tree is complete. Returns 0 or -ENOMEM.
 */
int codectl_tree_finish(struct codectl_tree *tree);

/*
 * The node after @node in preorder, or CODECTL_TREE_NONE after the last below
 * @top. @depth, that of @node, becomes that of the answer.
 */
uint32_t codectl_tree_next(
	const struct codectl_tree *tree, uint32_t top, uint32_t node, uint32_t *depth);

/* Sums that stop at the largest number instead of wrapping. */
uint64_t codectl_saturating_add(uint64_t a, uint64_t b);

#endif /* CODECTL_PROFILE_TREE_H */
