/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is told of misuse: how often, and what last.
 */
#ifndef ADI_TESTS_MISUSE_HEARD_H
#define ADI_TESTS_MISUSE_HEARD_H

#include "device.h"

extern struct misuse_heard {
    volatile int count; /* a touch counts, too, by the handler of its fault */
    enum adi_misuse misuse;
    bool is_event;
    char text[512];
} heard;

/* What a witness is to call, with &heard. */
void hear(void *context, enum adi_misuse misuse, bool is_event, const char *text);
/* This was heard, once; from now on nothing was. */
void expect_heard(enum adi_misuse misuse, bool is_event, const char *words);

#endif /* ADI_TESTS_MISUSE_HEARD_H */
