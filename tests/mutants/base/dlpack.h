/* SPDX-License-Identifier: Apache-2.0
 *
 * The correct implementation's tensors of DLPack, on the CPU: an array holds a compact copy, which
 * its tensors share; with copy True each has its own. It is asked for both layouts, and asks for
 * the one of version 1. A mutant puts its own functions in front of these.
 */
#ifndef BASE_DLPACK_H
#define BASE_DLPACK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "dlpack_abi.h"
#include "implementation.h"

#define BASE_DIMS 8

/* Elements that several tensors may stand on. */
struct base_memory {
    atomic_int users;
    size_t bytes;
    void *data; /* aligned as dlpack.h asks; NULL: there is no element */
};

/* What is behind private_data of an array. */
struct base_array {
    struct base_memory *memory;
    DLTensor tensor;
    int64_t numbers[2 * BASE_DIMS];
};

/* What is behind manager_ctx of a tensor, which is its first member. */
struct base_tensor {
    union {
        struct DLManagedTensor legacy;
        struct DLManagedTensorVersioned versioned;
    } managed;
    bool is_versioned;
    struct base_memory *memory;
    int64_t numbers[2 * BASE_DIMS];
};

struct base_dlpack {
    /* The producer's half. */
    int (*ask)(struct adi_dlpack_array *, const struct adi_dlpack_request *,
               struct adi_dlpack_tensor *out);
    void (*release)(struct adi_dlpack_array *);
    void (*delete_tensor)(struct base_tensor *); /* what both deleters do */
    struct base_memory *(*memory_new)(const void *from, size_t bytes);
    void (*memory_let)(struct base_memory *);
    /* (optional) A last touch to what is handed out. */
    void (*handed_out)(const struct adi_dlpack_request *, struct adi_dlpack_tensor *out);
    void (*shown)(struct adi_dlpack_array *out);
    /* The consumer's half. */
    struct adi_dlpack_request request; /* what it asks with */
    /* Copies the elements to `to`, row-major. */
    int (*read)(const DLTensor *tensor, char *to);
    /* May it be read? 0, or what it is refused with. */
    int (*look)(const struct adi_dlpack_tensor *tensor, const struct adi_dlpack_array *in);
    void (*end)(const struct adi_dlpack_tensor *tensor); /* calls the deleter */
    /* (optional) between the reading and `end`, and behind it. */
    void (*was_read)(const struct adi_dlpack_tensor *tensor);
    void (*was_ended)(const struct adi_dlpack_tensor *tensor);
    bool overlooks_error, keeps_array;
};
extern struct base_dlpack base_dlpack;

/* For `mutate`: ADI_PRODUCES_DLPACK, ADI_CONSUMES_DLPACK, or both, and nothing else. */
void base_plays_tensors(unsigned roles);

/* What the members above hold unless a mutant replaces them. */
int base_tensor_ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
                    struct adi_dlpack_tensor *out);
void base_tensors_release(struct adi_dlpack_array *self);
void base_tensor_delete(struct base_tensor *tensor);
struct base_memory *base_memory_new(const void *from, size_t bytes);
void base_memory_let(struct base_memory *memory);
int base_tensor_read(const DLTensor *tensor, char *to);
int base_tensor_look(const struct adi_dlpack_tensor *tensor, const struct adi_dlpack_array *in);
void base_tensor_end(const struct adi_dlpack_tensor *tensor);

/* What is within: of a tensor that was looked at. */
const DLTensor *base_within(const struct adi_dlpack_tensor *tensor);
DLTensor *base_within_out(struct adi_dlpack_tensor *tensor);
size_t base_tensor_bytes(const DLTensor *tensor);

#endif /* BASE_DLPACK_H */
