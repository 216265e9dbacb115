/* SPDX-License-Identifier: Apache-2.0 */
#include "interceptor.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

typedef void misuse_listener(void *context, enum adi_misuse misuse, bool is_event,
                             const char *text);
typedef void line_listener(bool implementation, const char *line);

static _Thread_local bool is_harness;

static struct {
    misuse_listener *heard;
    void *context;
} listener;

static _Atomic(line_listener *) tracer;

int adi_caller_party(void) {
    return !is_harness;
}

bool adi_caller_enter(bool implementation) {
    bool before = !is_harness;
    is_harness = !implementation;
    return before;
}

/* ---- misuse ---- */

void adi_misuse_listen(misuse_listener *heard, void *context) {
    listener.heard = heard;
    listener.context = context;
}

void adi_misuse_tell(enum adi_misuse misuse, bool is_event, const char *format, ...) {
    char text[512];
    va_list arguments;
    if (listener.heard == NULL) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    listener.heard(listener.context, misuse, is_event, text);
}

/* ---- lines ---- */

void adi_line_listen(line_listener *heard) {
    tracer = heard;
}

bool adi_line_is_heard(void) {
    return tracer != NULL;
}

void adi_line_pass(bool implementation, const char *line) {
    line_listener *heard = tracer;
    if (heard != NULL) heard(implementation, line);
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
