/* SPDX-License-Identifier: Apache-2.0 */
#include "helper.h"

#include <sys/stat.h>

static size_t helpers; /* that run; only the thread that plays starts and ends them */

static void *help(void *helper_at) {
    struct adi_helper *helper = helper_at;
    for (;;) {
        sem_wait(&helper->begin);
        if (helper->code == NULL) return NULL;
        helper->code(helper->context);
        sem_post(&helper->end);
    }
}

static bool is_there(struct adi_helper *helper) {
    if (helper->runs) return true;
    sem_init(&helper->begin, 0, 0);
    sem_init(&helper->end, 0, 0);
    helper->runs = pthread_create(&helper->thread, NULL, help, helper) == 0;
    helpers += helper->runs;
    return helper->runs;
}

bool adi_helper_call(struct adi_helper *helper, void (*code)(void *context), void *context) {
    if (!is_there(helper)) return false;
    helper->code = code;
    helper->context = context;
    sem_post(&helper->begin);
    while (sem_wait(&helper->end) != 0) continue;
    return true;
}

void adi_helper_dismiss(struct adi_helper *helper) {
    if (!helper->runs) return;
    helper->code = NULL;
    sem_post(&helper->begin);
    pthread_join(helper->thread, NULL);
    sem_destroy(&helper->begin);
    sem_destroy(&helper->end);
    helper->runs = false;
    helpers--;
}

size_t adi_other_threads(void) {
    struct stat tasks;
    if (stat("/proc/self/task", &tasks) != 0) return 1;
    /* A directory has two links of its own. */
    const size_t all = (size_t)tasks.st_nlink - 2, ours = 1 + helpers;
    return all > ours ? all - ours : 0;
}
