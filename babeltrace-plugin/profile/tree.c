/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 */
#include "profile/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct name_key {
	const char *func;
	size_t func_len;
	const char *bin;
	size_t bin_len;
};

struct node_key {
	uint32_t parent;
	uint32_t name;
};

uint64_t codectl_saturating_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static bool is_text(const char *string, const char *bytes, size_t len)
{
	return strncmp(string, bytes, len) == 0 && string[len] == '\0';
}

static bool name_is_equal(const void *user, uint32_t position, const void *key)
{
	const struct codectl_tree *tree = user;
	const struct codectl_tree_name *name = &tree->names[position];
	const struct name_key *wanted = key;

	return is_text(name->func, wanted->func, wanted->func_len) &&
	       is_text(name->bin, wanted->bin, wanted->bin_len);
}

static bool node_is_equal(const void *user, uint32_t position, const void *key)
{
	const struct codectl_tree *tree = user;
	const struct codectl_tree_node *node = &tree->nodes[position];
	const struct node_key *wanted = key;

	return node->parent == wanted->parent && node->name == wanted->name;
}

static int append_node(struct codectl_tree *tree, uint32_t parent, uint32_t name)
{
	struct codectl_tree_node *nodes;

	if (tree->node_count >= CODECTL_TREE_NONE)
		return -EOVERFLOW;
	nodes = codectl_array_reserve(
		tree->nodes, &tree->node_capacity, tree->node_count, sizeof(*nodes));
	if (!nodes)
		return -ENOMEM;
	tree->nodes = nodes;
	tree->nodes[tree->node_count++] = (struct codectl_tree_node){
		.parent = parent,
		.name = name,
		.first_child = CODECTL_TREE_NONE,
		.next_sibling = CODECTL_TREE_NONE,
	};
	return 0;
}

struct codectl_tree *codectl_tree_create(void)
{
	struct codectl_tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return NULL;
	if (append_node(tree, CODECTL_TREE_NONE, CODECTL_TREE_NONE) < 0) {
		free(tree);
		return NULL;
	}
	return tree;
}

void codectl_tree_destroy(struct codectl_tree *tree)
{
	if (!tree)
		return;
	for (size_t i = 0; i < tree->name_count; i++) {
		free(tree->names[i].func);
		free(tree->names[i].bin);
	}
	free(tree->names);
	free(tree->nodes);
	codectl_index_fini(&tree->name_index);
	codectl_index_fini(&tree->node_index);
	free(tree);
}

static int append_name(struct codectl_tree *tree, const struct name_key *key, uint64_t hash)
{
	struct codectl_tree_name name = {0};
	struct codectl_tree_name *names;
	int ret;

	if (tree->name_count >= CODECTL_TREE_NONE)
		return -EOVERFLOW;
	names = codectl_array_reserve(
		tree->names, &tree->name_capacity, tree->name_count, sizeof(*names));
	if (!names)
		return -ENOMEM;
	tree->names = names;
	name.func = strndup(key->func, key->func_len);
	name.bin = strndup(key->bin, key->bin_len);
	if (!name.func || !name.bin) {
		ret = -ENOMEM;
		goto end;
	}
	ret = codectl_index_add(&tree->name_index, hash, (uint32_t)tree->name_count);
	if (ret < 0)
		goto end;
	tree->names[tree->name_count++] = name;
	name = (struct codectl_tree_name){0};
end:
	free(name.func);
	free(name.bin);
	return ret;
}

int codectl_tree_intern(struct codectl_tree *tree, const char *func, size_t func_len,
	const char *bin, size_t bin_len, uint32_t *name)
{
	/* A terminator inside would make the copy unequal to the key for ever. */
	const struct name_key key = {
		.func = func,
		.func_len = strnlen(func, func_len),
		.bin = bin,
		.bin_len = strnlen(bin, bin_len),
	};
	uint64_t hash = codectl_index_hash_bytes(CODECTL_INDEX_HASH_INIT, func, key.func_len);
	int ret;

	hash = codectl_index_hash_u64(hash, key.func_len);
	hash = codectl_index_hash_bytes(hash, bin, key.bin_len);
	*name = codectl_index_find(&tree->name_index, hash, name_is_equal, tree, &key);
	if (*name != CODECTL_INDEX_NONE)
		return 0;
	ret = append_name(tree, &key, hash);
	if (ret == 0)
		*name = (uint32_t)(tree->name_count - 1);
	return ret;
}

int codectl_tree_child(struct codectl_tree *tree, uint32_t parent, uint32_t name, uint32_t *node)
{
	const struct node_key key = {.parent = parent, .name = name};
	const uint64_t hash = codectl_index_hash_u64(
		CODECTL_INDEX_HASH_INIT, (uint64_t)parent << 32 | name);
	struct codectl_tree_node *mother;
	int ret;

	*node = codectl_index_find(&tree->node_index, hash, node_is_equal, tree, &key);
	if (*node != CODECTL_INDEX_NONE)
		return 0;
	ret = append_node(tree, parent, name);
	if (ret < 0)
		return ret;
	*node = (uint32_t)(tree->node_count - 1);
	ret = codectl_index_add(&tree->node_index, hash, *node);
	if (ret < 0) {
		tree->node_count--;
		return ret;
	}
	mother = &tree->nodes[parent];
	tree->nodes[*node].next_sibling = mother->first_child;
	mother->first_child = *node;
	return 0;
}

void codectl_tree_add_weight(struct codectl_tree *tree, uint32_t node, uint64_t weight)
{
	tree->nodes[node].self = codectl_saturating_add(tree->nodes[node].self, weight);
}

static int compare_names(const void *a, const void *b, void *user)
{
	const struct codectl_tree *tree = user;
	const struct codectl_tree_name *left = &tree->names[*(const uint32_t *)a];
	const struct codectl_tree_name *right = &tree->names[*(const uint32_t *)b];
	int order = strcmp(left->func, right->func);

	return order ? order : strcmp(left->bin, right->bin);
}

struct node_order {
	const struct codectl_tree *tree;
	const uint32_t *rank; /* By name. */
};

/* By parent, and among siblings by name. */
static int compare_nodes(const void *a, const void *b, void *user)
{
	const struct node_order *order = user;
	const struct codectl_tree_node *left = &order->tree->nodes[*(const uint32_t *)a];
	const struct codectl_tree_node *right = &order->tree->nodes[*(const uint32_t *)b];
	const uint32_t left_rank = order->rank[left->name], right_rank = order->rank[right->name];

	if (left->parent != right->parent)
		return left->parent < right->parent ? -1 : 1;
	return (left_rank > right_rank) - (left_rank < right_rank);
}

static void link_siblings(struct codectl_tree *tree, const uint32_t *sorted, size_t count)
{
	/* From behind, so that each one can be put in front of its siblings. */
	for (size_t i = count; i-- > 0;) {
		struct codectl_tree_node *node = &tree->nodes[sorted[i]];
		struct codectl_tree_node *mother = &tree->nodes[node->parent];
		const bool is_last = i + 1 == count ||
				     tree->nodes[sorted[i + 1]].parent != node->parent;

		node->next_sibling = is_last ? CODECTL_TREE_NONE : sorted[i + 1];
		mother->first_child = sorted[i];
	}
}

static int sort_siblings(struct codectl_tree *tree)
{
	const size_t count = tree->node_count - 1;
	uint32_t *by_name = calloc(tree->name_count + 1, sizeof(*by_name));
	uint32_t *rank = calloc(tree->name_count + 1, sizeof(*rank));
	uint32_t *sorted = calloc(count + 1, sizeof(*sorted));
	int ret = -ENOMEM;

	if (!by_name || !rank || !sorted)
		goto end;
	for (size_t i = 0; i < tree->name_count; i++)
		by_name[i] = (uint32_t)i;
	qsort_r(by_name, tree->name_count, sizeof(*by_name), compare_names, tree);
	for (size_t i = 0; i < tree->name_count; i++)
		rank[by_name[i]] = (uint32_t)i;
	for (size_t i = 0; i < count; i++)
		sorted[i] = (uint32_t)(i + 1);
	qsort_r(sorted, count, sizeof(*sorted), compare_nodes,
		&(struct node_order){.tree = tree, .rank = rank});
	link_siblings(tree, sorted, count);
	ret = 0;
end:
	free(by_name);
	free(rank);
	free(sorted);
	return ret;
}

int codectl_tree_finish(struct codectl_tree *tree)
{
	for (size_t i = 0; i < tree->node_count; i++)
		tree->nodes[i].total = tree->nodes[i].self;
	/* Children come after their parents. */
	for (size_t i = tree->node_count; i-- > 1;) {
		struct codectl_tree_node *mother = &tree->nodes[tree->nodes[i].parent];

		mother->total = codectl_saturating_add(mother->total, tree->nodes[i].total);
	}
	return sort_siblings(tree);
}

uint32_t codectl_tree_next(
	const struct codectl_tree *tree, uint32_t top, uint32_t node, uint32_t *depth)
{
	if (tree->nodes[node].first_child != CODECTL_TREE_NONE) {
		(*depth)++;
		return tree->nodes[node].first_child;
	}
	while (node != top) {
		if (tree->nodes[node].next_sibling != CODECTL_TREE_NONE)
			return tree->nodes[node].next_sibling;
		node = tree->nodes[node].parent;
		(*depth)--;
	}
	return CODECTL_TREE_NONE;
}
