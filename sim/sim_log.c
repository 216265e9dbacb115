/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "public.h"

#define LINE 2048 /* twice what the longest takes: texts are cut at half of it */

static const char *const policy_names[] = {
    [SIM_LAZY] = "lazy", [SIM_EAGER] = "eager", [SIM_RANDOM] = "random"};
static int file = -1;
static int file_error; /* with which it could not be written */

static struct {
    void (*on_line)(void *context, unsigned party, const char *line);
    void *context;
} tap;

bool sim_logs(void) {
    return file >= 0 || tap.on_line != NULL;
}

int sim_tap(void (*on_line)(void *context, unsigned party, const char *line), void *context) {
    tap.on_line = on_line;
    tap.context = context;
    return 0;
}

int sim_log_error(void) {
    return file_error;
}

/* Called from the signal handler too: no stdio, no allocation. */
static int put(int to, const char *text, size_t length) {
    while (length > 0) {
        ssize_t n = write(to, text, length);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? errno : EIO;
        text += n;
        length -= (size_t)n;
    }
    return 0;
}

static size_t length_of(int written, size_t room) {
    return written < 0 ? 0 : (size_t)written < room ? (size_t)written : room - 1;
}

void sim_say(const char *format, ...) {
    char line[LINE] = "adisim: ";
    const size_t before = strlen(line);
    va_list arguments;
    if (file >= 0) return;
    va_start(arguments, format);
    int n = vsnprintf(line + before, sizeof line - before, format, arguments);
    va_end(arguments);
    put(STDERR_FILENO, line, before + length_of(n, sizeof line - before));
}

/* Once: from now on it is as if there were none, and violations go to standard error. */
static void end_log(int error) {
    const char *text = strerrordesc_np(error);
    file_error = error;
    close(file);
    file = -1;
    sim_say("the log %.1024s: %s: it is not whole; what is wrong from here on is said on standard "
            "error\n",
            sim.settings.log, text == NULL ? "an error" : text);
}

/* ---- a line: a run writes a million, and a signal handler must not call printf ---- */

struct text {
    char *next, *end;
};

static void add(struct text *text, const char *what, size_t length) {
    size_t room = (size_t)(text->end - text->next);
    if (length > room) length = room;
    memcpy(text->next, what, length);
    text->next += length;
}

static void add_number(struct text *text, uint64_t number) {
    char digits[20], *first = digits + sizeof digits;
    do *--first = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    add(text, first, (size_t)(digits + sizeof digits - first));
}

static void add_signed(struct text *text, int number) {
    if (number < 0) add(text, "-", 1);
    add_number(text, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

static void fill(struct text *text, const char *format, va_list arguments) {
    for (const char *at; *(at = strchrnul(format, '%')) != '\0';) {
        add(text, format, (size_t)(at - format));
        format = at + (at[1] == 'l' || at[1] == 'z' ? 3 : 2);
        if (at[1] == 's') {
            const char *what = va_arg(arguments, const char *);
            add(text, what, strlen(what));
        } else if (at[1] == 'd') {
            add_signed(text, va_arg(arguments, int));
        } else if (at[1] == 'z') {
            add_number(text, va_arg(arguments, size_t));
        } else if (at[1] == 'l') {
            add_number(text, va_arg(arguments, uint64_t));
        } else {
            add_number(text, va_arg(arguments, uint32_t));
        }
    }
    add(text, format, strlen(format));
}

void sim_log(const char *format, ...) {
    char line[LINE];
    va_list arguments;
    if (!sim_logs()) return;
    int before = errno;
    struct text text = {line + 1, line + LINE - 4};
    line[0] = '{';
    va_start(arguments, format);
    fill(&text, format, arguments);
    va_end(arguments);
    size_t n = (size_t)(text.next - line);
    memcpy(line + n, "}\n", 3);
    int error = file >= 0 ? put(file, line, n + 2) : 0;
    if (error != 0) end_log(error);
    line[n + 1] = '\0';
    if (tap.on_line != NULL) tap.on_line(tap.context, sim.site.party, line);
    errno = before;
}

int sim_log_open(void) {
    const char *path = sim.settings.log;
    if (*path == '\0') return 0;
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) {
        fprintf(stderr, "adisim: the log %s: %s\n", path, strerror(errno));
        return errno;
    }
    sim_log("\"log\":1,\"policy\":\"%s\",\"seed\":%" PRIu64 "%s", policy_names[sim.settings.policy],
            sim.settings.seed, sim.settings.opaque ? ",\"kernels\":\"opaque\"" : "");
    return 0;
}

/* Has this topic been said already? Beyond so many all have. */
static bool was_said(const char *topic) {
    static char said[2048][64];
    static size_t n;
    for (size_t i = 0; i < n; i++)
        if (strncmp(said[i], topic, sizeof said[i] - 1) == 0) return true;
    if (n == sizeof said / sizeof *said) return true;
    strncpy(said[n++], topic, sizeof said[0] - 1);
    return false;
}

void sim_remark(const char *topic, const char *text) {
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"remark\":\"%s\",\"text\":\"%s\"", sim.site.call,
            sim.site.name, topic, text);
    if (file < 0 && !was_said(topic)) sim_say("%s: %s\n", topic, text);
}
