/* SPDX-License-Identifier: Apache-2.0 */
#include "interceptor.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

typedef void misuse_observer(void *context, enum adi_misuse misuse, bool is_event,
                             const char *text);
typedef void line_observer(bool implementation, const char *line);

static _Thread_local bool is_harness;

static struct {
    misuse_observer *on_misuse;
    void *context;
} subscriber;

static _Atomic(line_observer *) tracer;

int adi_caller_party(void) {
    return !is_harness;
}

bool adi_caller_enter(bool implementation) {
    bool before = !is_harness;
    is_harness = !implementation;
    return before;
}

/* ---- misuse ---- */

void adi_misuse_subscribe(misuse_observer *on_misuse, void *context) {
    subscriber.on_misuse = on_misuse;
    subscriber.context = context;
}

void adi_misuse_tell(enum adi_misuse misuse, bool is_event, const char *format, ...) {
    char text[512];
    va_list arguments;
    if (subscriber.on_misuse == NULL) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    subscriber.on_misuse(subscriber.context, misuse, is_event, text);
}

/* ---- lines ---- */

void adi_line_subscribe(line_observer *on_line) {
    tracer = on_line;
}

bool adi_line_is_observed(void) {
    return tracer != NULL;
}

void adi_line_pass(bool implementation, const char *line) {
    line_observer *on_line = tracer;
    if (on_line != NULL) on_line(implementation, line);
}

void adi_line_tell(bool implementation, const char *format, ...) {
    char line[256];
    va_list arguments;
    if (tracer == NULL) return;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < sizeof line) adi_line_pass(implementation, line);
}
