/* SPDX-License-Identifier: Apache-2.0
 *
 * The watch as the library offers it: it keeps what it is told until its owner asks.
 */
#include "adicheck.h"
#include "devices.h"
#include "findings.h"
#include "watch.h"

struct adi_watch *adi_watch_device_array(struct ArrowDeviceArray *array) {
    struct adi_findings *observed = array->array.release == NULL ? NULL : adi_findings_new();
    struct adi_watch *watch = observed == NULL
                                  ? NULL
                                  : adi_watch_open(&adi_kind_array, &array->array,
                                                   adi_findings_sink(observed), true, true);
    if (watch == NULL) adi_findings_free(observed);
    return watch;
}

struct adi_watch *adi_watch_device_array_of(const struct ArrowSchema *schema,
                                            struct ArrowDeviceArray *array) {
    struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
    if (array->array.release == NULL) return NULL;
    struct adi_node *before = adi_tree_copy(schema, array, &cpu);
    struct adi_watch *watch = before == NULL ? NULL : adi_watch_device_array(array);
    if (watch != NULL)
        adi_watch_compare(watch, before);
    else
        adi_tree_free(before);
    return watch;
}

void adi_watch_finish(struct adi_watch *watch, struct adi_findings *findings) {
    if (watch == NULL) return;
    struct adi_findings *observed = adi_findings_of(adi_watch_sink(watch));
    adi_watch_close(watch);
    adi_findings_append(findings, observed);
    adi_findings_free(observed);
}
