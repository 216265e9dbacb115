/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs every predicate of the rules over every node of a tree.
 */
#ifndef ADI_CHECK_H
#define ADI_CHECK_H

#include "abi.h"
#include "device.h"
#include "finding.h"

/* Looks at a schema. Returns whether it is sound: safe to walk by trusting code. Never crashes,
 * whatever the pointers are. */
bool adi_check_schema(const struct ArrowSchema *schema, struct adi_sink *sink);

/* Looks at an exported device array of that schema, about which it says nothing: adi_check_schema
 * does, and an array is best looked at only if its schema is sound. `device`, the one that the
 * array was asked for, reads the buffers after it has waited on the event (NULL: only the structure
 * is looked at). Returns whether the structure is sound, so that ref/import.h may be used on it,
 * and the data is such that ref/compare.h may. */
bool adi_check_array(const struct ArrowSchema *schema, const struct ArrowDeviceArray *array,
                     struct adi_device *device, struct adi_sink *sink);

/* Does a copy of both, by adi_tree_copy, break no rule at all? The two above say which it breaks;
 * this copies nothing. */
struct adi_node;
bool adi_check_is_clean(const struct adi_node *root);

/* Does a violation of the rule leave structure and values such that they can be walked and
 * compared?
 */
bool adi_violation_is_harmless(const struct adi_rule *rule);

#endif /* ADI_CHECK_H */
