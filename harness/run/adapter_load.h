/* SPDX-License-Identifier: Apache-2.0
 *
 * Brings an adapter into this process.
 */
#ifndef ADI_ADAPTER_LOAD_H
#define ADI_ADAPTER_LOAD_H

#include "adapter.h"
#include "error.h"

/* Can there be an adapter at `path`? Looks without loading it, so that any process may ask. ENOENT
 * or another errno value of opening it, EINVAL: no shared library of this machine. The sentence
 * names the file. */
int adi_adapter_look(const char *path, struct adi_error *error);

/* From now on no path means this adapter, which is in the process already; NULL: the reference
 * again. Its structure stays the caller's. */
void adi_adapter_stand_in(struct adi_adapter *adapter);

/* Loads it, never to be unloaded, and gives its structure in `*out`: its own one, or, where that is
 * older and shorter than ours, a static copy in which the slots that it does not have are NULL.
 * `path` NULL: the reference. EINVAL: it is no adapter of ours, and the sentence says in which way.
 * ENOMEM, EMFILE: there is no memory, or no descriptor, to load it with.
 * Runs the library's constructors: for workers only. One adapter a process. */
int adi_adapter_load(const char *path, struct adi_adapter **out, struct adi_error *error);

#endif /* ADI_ADAPTER_LOAD_H */
