/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is told of misuse: how often, and what last.
 */
#ifndef ADI_TESTS_MISUSE_OBSERVED_H
#define ADI_TESTS_MISUSE_OBSERVED_H

#include "device.h"

extern struct misuse_heard {
    volatile int count; /* a touch counts, too, by the handler of its fault */
    enum adi_misuse misuse;
    bool is_event;
    char text[512];
} observed;

/* What an interceptor is to call, with &observed. */
void on_misuse(void *context, enum adi_misuse misuse, bool is_event, const char *text);
/* This was told, once; from now on nothing was. */
void expect_observed(enum adi_misuse misuse, bool is_event, const char *words);

#endif /* ADI_TESTS_MISUSE_OBSERVED_H */
