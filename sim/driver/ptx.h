/* SPDX-License-Identifier: Apache-2.0
 *
 * What a text of PTX says of its kernels: their names, and how large their parameters are. Nothing
 * else of it is looked at.
 */
#ifndef SIM_DRIVER_PTX_H
#define SIM_DRIVER_PTX_H

#include <stdbool.h>
#include <stddef.h>

struct ptx_parameter {
    size_t offset, bytes;
};

struct ptx_entry {
    const char *name; /* within the text */
    size_t name_length;
    struct ptx_parameter *parameters; /* lent */
    size_t n;
};

/* Calls `found` for each kernel, also one that is declared alone; until it returns false. false: it
 * is no PTX, or `found` said so. */
bool ptx_read(const char *text, bool (*found)(void *context, const struct ptx_entry *entry),
              void *context);

#endif /* SIM_DRIVER_PTX_H */
