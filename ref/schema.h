/* SPDX-License-Identifier: Apache-2.0
 *
 * Exporting schemas: a whole tree in one allocation. C data interface, "The ArrowSchema structure".
 */
#ifndef ADI_SCHEMA_H
#define ADI_SCHEMA_H

#include "abi.h"
#include "error.h"

/* Exports a deep copy of the tree `from` into `*out`, which the caller owns until it releases it:
 * one allocation for structures, strings and metadata, freed when the last structure of the tree is
 * released, on any thread and wherever the structures were moved. `from` stays as it is; it is
 * trusted to be well-formed. ENOMEM. */
int adi_schema_export(const struct ArrowSchema *from, struct ArrowSchema *out,
                      struct adi_error *error);

/* Are two well-formed schemas the same type with the same names, flags and metadata? 0, or EILSEQ
 * and a sentence that names the place ("children[2].flags: 2, wanted 0"). A NULL name equals "". */
int adi_schema_compare(const struct ArrowSchema *seen, const struct ArrowSchema *wanted,
                       struct adi_error *difference);
/* The same for the type alone: formats, children, dictionaries. */
int adi_schema_compare_type(const struct ArrowSchema *seen, const struct ArrowSchema *wanted,
                            struct adi_error *difference);

#endif /* ADI_SCHEMA_H */
