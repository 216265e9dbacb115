/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_word.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static struct ending {
    int number;
    const char *name;
    struct sigaction before;
    bool is_taken; /* once: who takes it over may stand in front of us, and hand it on */
} endings[] = {
    {.number = SIGSEGV, .name = "SIGSEGV"}, {.number = SIGBUS, .name = "SIGBUS"},
    {.number = SIGABRT, .name = "SIGABRT"}, {.number = SIGFPE, .name = "SIGFPE"},
    {.number = SIGILL, .name = "SIGILL"},
};

static void (*volatile word)(int number);
static pid_t speaker; /* what it forks says nothing */

/* A handler may be the first to touch it on its thread: hence no lazy allocation. */
static _Thread_local volatile sig_atomic_t passes __attribute__((tls_model("initial-exec")));

static struct ending *ending_of(int number) {
    size_t i = 0;
    while (i + 1 < sizeof endings / sizeof *endings && endings[i].number != number) i++;
    return &endings[i];
}

const char *adi_crash_word_name(int number) {
    const struct ending *ending = ending_of(number);
    return ending->number == number ? ending->name : "a signal";
}

void adi_crash_word_write(const char *const texts[]) {
    for (; *texts != NULL; texts++) {
        ssize_t written = write(STDERR_FILENO, *texts, strlen(*texts));
        (void)written; /* there is nobody to tell it to */
    }
}

bool adi_crash_word_pass(const struct sigaction *before, int number, siginfo_t *info,
                         void *context) {
    void (*say)(int) = word;
    word = NULL;
    if (say != NULL && getpid() == speaker) say(number);
    bool has_info = (before->sa_flags & SA_SIGINFO) != 0;
    if (passes > 2 ||
        (!has_info && (before->sa_handler == SIG_DFL || before->sa_handler == SIG_IGN)))
        return false;
    passes++;
    if (has_info)
        before->sa_sigaction(number, info, context);
    else
        before->sa_handler(number);
    passes--;
    return true;
}

const struct sigaction *adi_crash_word_left(const struct sigaction *before) {
    static const struct sigaction none = {.sa_handler = SIG_DFL};
    return !(before->sa_flags & SA_SIGINFO) && before->sa_handler == SIG_IGN ? before : &none;
}

static void on_signal(int number, siginfo_t *info, void *context) {
    const struct sigaction *before = &ending_of(number)->before;
    if (adi_crash_word_pass(before, number, info, context)) return;
    /* By raise(3) or kill(2); else the instruction faults again. */
    if (sigaction(number, adi_crash_word_left(before), NULL) == 0 && info->si_code <= 0)
        raise(number);
}

static int take(struct ending *ending) {
    struct sigaction ours = {.sa_sigaction = on_signal,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&ours.sa_mask);
    if (ending->is_taken) return 0;
    if (sigaction(ending->number, &ours, &ending->before) != 0) return errno;
    ending->is_taken = true;
    return 0;
}

/* Puts back who was there, where nobody stands in front of us. */
static void give_back(struct ending *ending) {
    struct sigaction now;
    if (!ending->is_taken || sigaction(ending->number, NULL, &now) != 0 ||
        !(now.sa_flags & SA_SIGINFO) || now.sa_sigaction != on_signal)
        return;
    ending->is_taken = sigaction(ending->number, &ending->before, NULL) != 0;
}

int adi_crash_word_by(void (*say)(int number)) {
    int code = 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        int failed = 0;
        if (say == NULL)
            give_back(&endings[i]);
        else
            failed = take(&endings[i]);
        if (code == 0) code = failed;
    }
    speaker = getpid();
    word = say;
    return code;
}
