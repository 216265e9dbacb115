/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define TIMES 2 /* a case is written for */

static struct {
    atomic_flag busy;
    const struct adi_interceptor *interceptor;
    char lines[ADI_TRACE_LINES][ADI_TRACE_LINE];
    size_t next, written;
} trace = {.busy = ATOMIC_FLAG_INIT};

/* A signal handler may have come in between: then its line is left out, and nobody waits. */
static bool enter(void) {
    return !atomic_flag_test_and_set_explicit(&trace.busy, memory_order_acquire);
}

static void leave(void) {
    atomic_flag_clear_explicit(&trace.busy, memory_order_release);
}

/* Without the first brace of `object`, and with no newline. */
static void keep(const char *before, const char *object) {
    size_t head = strlen(before), length = strcspn(object, "\n");
    if (head + length >= ADI_TRACE_LINE || !enter()) return;
    char *line = trace.lines[trace.next++ % ADI_TRACE_LINES];
    memcpy(line, before, head);
    memcpy(line + head, object, length);
    line[head + length] = '\0';
    leave();
}

/* Is the line about the order of things? */
static bool is_wanted(const char *line) {
    static const char *const keys[] = {"\"by\":",    "\"records\":",   "\"awaits\":",
                                       "\"knows\":", "\"unordered\":", "\"makes\":\"queue"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strstr(line, keys[i]) != NULL) return true;
    return false;
}

static void on_line(bool implementation, const char *line) {
    if (is_wanted(line)) keep(implementation ? "{\"whose\":1," : "{\"whose\":0,", line + 1);
}

static bool traces(const struct adi_interceptor *interceptor) {
    return interceptor != NULL && ADI_INTERCEPTOR_HAS(interceptor, trace) &&
           ADI_INTERCEPTOR_HAS(interceptor, name_of);
}

void adi_trace_start(const struct adi_interceptor *interceptor) {
    trace.interceptor = traces(interceptor) ? interceptor : NULL;
    if (trace.interceptor != NULL) trace.interceptor->trace(on_line);
    if (!enter()) return;
    trace.next = trace.written = 0;
    leave();
}

/* As JSON has it, without what it would have to escape. */
static void put_plain(char *to, size_t size, const char *text) {
    size_t n = 0;
    for (; n < size - 1 && text[n] != '\0'; n++) {
        unsigned char byte = (unsigned char)text[n];
        to[n] = byte < 0x20 || byte > 0x7e || byte == '"' || byte == '\\' ? '?' : text[n];
    }
    to[n] = '\0';
}

void adi_trace_step(const char *what, const char *text) {
    char line[ADI_TRACE_LINE], plain[2][96];
    put_plain(plain[0], sizeof plain[0], what);
    put_plain(plain[1], sizeof plain[1], text);
    snprintf(line, sizeof line, "\"step\":\"%s\",\"text\":\"%s\"}", plain[0], plain[1]);
    keep("{", line);
}

static void unordered(const char *what, const char *text, const void *buffer, const void *event,
                      const char *use) {
    char line[ADI_TRACE_LINE], names[2][48] = {"", "the host"};
    if (trace.interceptor == NULL) return;
    adi_trace_step(what, text);
    if (!trace.interceptor->name_of(buffer, names[0])) return;
    if (event != NULL && !trace.interceptor->name_of(event, names[1])) return;
    snprintf(line, sizeof line, "\"unordered\":\"%s\",\"not_behind\":\"%s\",\"of\":\"%s\"}",
             names[1], use, names[0]);
    keep("{", line);
}

void adi_trace_handed_out(const void *buffer, const void *event) {
    unordered("hand out", "the array is given to its consumer", buffer, event, "writes");
}

void adi_trace_released(const void *buffer) {
    unordered("release", "the array is given back", buffer, NULL, "uses");
}

void adi_trace_late(const char *place) {
    char line[ADI_TRACE_LINE], plain[96];
    put_plain(plain, sizeof plain, place);
    adi_trace_step("hand out", "the array is given to its consumer");
    snprintf(line, sizeof line,
             "\"whose\":1,\"in\":\"seen later\",\"by\":\"a thread\",\"writes\":\"%s\"}", plain);
    keep("{", line);
    snprintf(line, sizeof line,
             "\"unordered\":\"the host\",\"not_behind\":\"writes\",\"of\":\"%s\"}", plain);
    keep("{", line);
}

/* The others are about an event by itself: no edge is missing. */
static bool is_about_order(const char *rule) {
    static const char *const rules[] = {"sync/data-not-ready", "sync/event-too-early",
                                        "sync/read-before-wait", "sync/released-while-reading",
                                        "sync/work-not-ordered"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i], rule) == 0) return true;
    return false;
}

void adi_trace_write(struct adi_log *log, const char *rule) {
    if (!is_about_order(rule) || !enter()) return;
    size_t n = trace.next < ADI_TRACE_LINES ? trace.next : ADI_TRACE_LINES;
    const size_t cut = trace.next > n && trace.written < TIMES;
    if (cut) adi_log_write(log, ADI_LOG_CALL, 0, ADI_BOTH, 0, "{\"cut\":true}", NULL, NULL, NULL);
    for (size_t i = 0; i < n && trace.written < TIMES; i++)
        adi_log_write(log, ADI_LOG_CALL, (int64_t)(cut + i), ADI_BOTH, 0,
                      trace.lines[(trace.next - n + i) % ADI_TRACE_LINES], NULL, NULL, NULL);
    trace.written++;
    leave();
}
