/* SPDX-License-Identifier: Apache-2.0
 *
 * The library: the checks of adicheck for a test suite of one's own. C99 and C++11.
 *
 *     struct adi_findings *findings = adi_findings_new();
 *     adi_check_device_array(&schema, &array, findings);
 *     for (size_t i = 0; i < adi_findings_count(findings); i++)
 *         puts(adi_findings_get(findings, i)->message);
 *     adi_findings_free(findings);
 */
#ifndef ADI_ADICHECK_H
#define ADI_ADICHECK_H

#include <stddef.h>

#include "abi.h"

#if defined(__GNUC__)
#define ADI_PUBLIC __attribute__((visibility("default")))
#else
#define ADI_PUBLIC
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A rule that was broken. Static text or the list's; never NULL. */
struct adi_finding {
    const char *rule;     /* "array/reserved-not-zero": `adicheck explain RULE` says more */
    const char *level;    /* "MUST", "SHOULD", "MAY" */
    const char *basis;    /* "text", "implied", "decision", "practice" */
    const char *party;    /* who is to mend it: "producer" or "consumer" */
    const char *document; /* "C data interface" */
    const char *section;
    const char *message; /* what is wrong, beginning with the place */
    const char *seen, *wanted;
    const char *mend;
    int breaks_conformance; /* 1: a MUST that a document says or implies; else 0 */
};

/* A list of findings, in the order in which they were made. It has room for 256; what comes later
 * is dropped. */
struct adi_findings;

/* An empty list, which the caller owns; NULL: out of memory. */
ADI_PUBLIC struct adi_findings *adi_findings_new(void);
ADI_PUBLIC void adi_findings_free(struct adi_findings *findings);
ADI_PUBLIC size_t adi_findings_count(const struct adi_findings *findings);
/* The list's, until it is freed; NULL from `index` on past the end. */
ADI_PUBLIC const struct adi_finding *adi_findings_get(const struct adi_findings *findings,
                                                      size_t index);

/* Looks at a schema and an array that a producer has handed out, without taking them over, and
 * appends what is wrong. Nothing is trusted: any pointer may be garbage. Buffers are read where the
 * device type is CPU; of other types only the structures are looked at. An array is judged by a
 * schema that is sound only; `array` may be NULL: the schema alone. Returns 0 whatever was found;
 * ENOMEM: out of memory, or there are too many structures to look at (100,000). Any thread. */
ADI_PUBLIC int adi_check_device_array(const struct ArrowSchema *schema,
                                      const struct ArrowDeviceArray *array,
                                      struct adi_findings *findings);

/* Watches how an array is used from here on: puts callbacks of its own in place of the array's,
 * which call these. Sees what is released, how often, from where and with which members, but not
 * what is written to a buffer: how long that is only a type can say. The array stays the caller's
 * and can be handed to a consumer. NULL: out of memory, or the array is released. */
struct adi_watch;
ADI_PUBLIC struct adi_watch *adi_watch_device_array(struct ArrowDeviceArray *array);
/* The same of an array of that schema, which is read and not kept; both are sound
 * (adi_check_device_array). Where the device type is CPU it copies the buffers as well, and
 * compares them when the structure is released that they belong to: a consumer that wrote to one is
 * seen. */
ADI_PUBLIC struct adi_watch *adi_watch_device_array_of(const struct ArrowSchema *schema,
                                                       struct ArrowDeviceArray *array);
/* Ends the watch when the consumer is done with the array, and appends what it did wrong. Frees
 * `watch`; NULL: nothing was watched. */
ADI_PUBLIC void adi_watch_finish(struct adi_watch *watch, struct adi_findings *findings);

#ifdef __cplusplus
}
#endif

#endif /* ADI_ADICHECK_H */
