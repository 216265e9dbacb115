/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/: what the predicates share. A predicate looks at one node of a copied tree
 * (tree.h); it answers true, or ends in adi_see() with the place and the values, or in
 * adi_not_applicable() where the rule has nothing to say about the node or what it rests on is
 * broken already.
 */
#ifndef ADI_NODE_H
#define ADI_NODE_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

#include "device_types.h"
#include "finding.h"
#include "tree.h"

/* A piece of a sentence, by value, so that it can be written where it is used. */
struct adi_words {
    char text[192];
};
struct adi_words adi_words(const char *format, ...) ADI_PRINTF(1, 2);
/* An address; "NULL", if it is that. */
struct adi_words adi_pointer(const void *pointer);
/* The way from the root to the node and on to a member: "children[1].buffers[2]". What is too long
 * loses its beginning. */
struct adi_words adi_at(const struct adi_node *node, const char *member, ...) ADI_PRINTF(2, 3);
/* Why something was not copied, behind its place: "is NULL". Static text. */
const char *adi_unreadable_text(enum adi_unreadable unreadable);

/* Nothing to judge here: true, and neither satisfied nor violated. */
bool adi_not_applicable(struct adi_found *finding);

/* Is it unreadable through a fault of the producer? */
bool adi_unreadable_by_fault(enum adi_unreadable unreadable);
/* Does every byte hold the pattern from before the call? */
bool adi_poisoned(const void *member, size_t bytes);
/* Position of the first byte that is not UTF-8, or -1. */
int64_t adi_utf8_error(const void *text, int64_t bytes);

/* What can be said of a child or dictionary; NULL: it is unreadable or released, or its length is
 * negative, which is found at itself. */
const struct ArrowArray *adi_array_of(const struct adi_node *child);

/* The node's type is known, it has the buffers of its layout, and length and offset are a range. */
bool adi_buffers_counted(const struct adi_node *node);
/* Length + offset; only where adi_buffers_counted. */
int64_t adi_end(const struct adi_node *node);
/* The layout has a validity bitmap of its own. */
bool adi_has_bitmap(const struct adi_node *node);
/* Slot `i`, counted from the start of the buffers, is not null as far as the bitmap was read. */
bool adi_value_is_valid(const struct adi_node *node, int64_t i);
/* Buffer `index` was read, or needs no bytes; the data that a predicate rests on. */
bool adi_buffer_read(const struct adi_node *node, int64_t index);
/* The bits of one value in a buffer of this role; 0: values are not of one size. */
int64_t adi_bits_of_role(const struct adi_type *type, enum adi_buffer_role role);
/* Where in buffer `index` the array's own values begin: what is before belongs to values that its
 * offset leaves out. 0 where that cannot be told; up to `size` they end. */
int64_t adi_buffer_begin(const struct adi_node *node, int64_t index);
/* Does any buffer of the node, or below it, hold a byte as far as can be told? `node` may be NULL.
 */
bool adi_holds_bytes(const struct adi_node *node);
/* The first buffer of the node, or below it, that fits; NULL: none does. `node` may be NULL. */
typedef bool adi_buffer_fits(const struct adi_node *node, const struct adi_bytes *bytes,
                             void *context);
const struct adi_bytes *adi_buffer_find(const struct adi_node *node, adi_buffer_fits *fits,
                                        void *context);
/* Signed integer `i` of `bits` bits in a buffer that was read. */
int64_t adi_integer(const struct adi_bytes *bytes, int64_t bits, int64_t i);

/* Computes the sizes of all buffers of a copied tree and reads them (tree_buffers.c). */
void adi_tree_read(struct adi_node *root);

#endif /* ADI_NODE_H */
