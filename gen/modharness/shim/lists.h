/* SPDX-License-Identifier: GPL-2.0-only */
/* Linked lists, and what lib/sort.c and bsearch() need. */
#ifndef KSHIM_LISTS_H
#define KSHIM_LISTS_H

typedef int (*cmp_func_t)(const void *a, const void *b);
typedef int (*cmp_r_func_t)(const void *a, const void *b, const void *priv);
typedef void (*swap_func_t)(void *a, void *b, int size);
typedef void (*swap_r_func_t)(void *a, void *b, int size, const void *priv);
#define __attribute_const__ __attribute__((const))

struct list_head { struct list_head *next, *prev; };
#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
static inline void INIT_LIST_HEAD(struct list_head *l) { l->next = l->prev = l; }
static inline int list_empty(const struct list_head *l) { return l->next == l; }
static inline void list_add(struct list_head *entry, struct list_head *head)
{
	entry->next = head->next;
	entry->prev = head;
	head->next->prev = entry;
	head->next = entry;
}
static inline void list_del(struct list_head *entry)
{
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
}
#define list_add_rcu list_add
#define list_del_rcu list_del
#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_for_each_entry(pos, head, member) \
	for (pos = list_entry((head)->next, __typeof__(*pos), member); \
	     &pos->member != (head); \
	     pos = list_entry(pos->member.next, __typeof__(*pos), member))
#define list_for_each_entry_rcu(pos, head, member, ...) \
	for (kshim_list_walk(0, ##__VA_ARGS__), \
	     pos = list_entry((head)->next, __typeof__(*pos), member); \
	     &pos->member != (head); \
	     pos = list_entry(pos->member.next, __typeof__(*pos), member))
#define kshim_list_walk(zero, ...) \
	KSHIM_WARN(!rcu_read_lock_held() && !(zero, ##__VA_ARGS__), "RCU list walked outside a read section")

struct llist_node { struct llist_node *next; };
struct llist_head { struct llist_node *first; };
#define LLIST_HEAD(name) struct llist_head name = { NULL }
static inline bool llist_add(struct llist_node *node, struct llist_head *head)
{
	node->next = head->first;
	head->first = node;
	return !node->next;
}
static inline struct llist_node *llist_del_all(struct llist_head *head)
{
	return xchg(&head->first, NULL);
}
#define llist_for_each_safe(pos, n, node) \
	for (pos = (node); pos && (n = pos->next, true); pos = n)

#endif
