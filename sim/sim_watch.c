/* SPDX-License-Identifier: Apache-2.0
 *
 * What a watcher in the program's own process asks. Its questions are answered by the order of
 * things alone, so the answers are the same under every policy.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "public.h"

int sim_hold(unsigned whose, bool held) {
    if (whose >= ADI_SIM_PARTIES) return EINVAL;
    sim.paused[whose] = held;
    sim_run_policy();
    return 0;
}

/* ---- what is under way ---- */

static bool is_behind(const struct sim_record *record, const struct sim_access *access) {
    if (record->component == access->component) return access->seq <= record->seq;
    return sim_clock_before(access->component, access->seq, record->component, &record->clock);
}

struct question {
    const struct sim_record *record; /* NULL: the host */
    const struct sim_context *context;
    bool found;
};

static void ask_written(void *question_at, const struct sim_access *access, bool writes) {
    struct question *question = question_at;
    if (!writes || sim_clock_before(access->component, access->seq, SIM_HOST, NULL)) return;
    if (question->record == NULL || !is_behind(question->record, access)) question->found = true;
}

/* A runtime's own are everybody's. */
static bool is_watchers(const struct sim_queue *queue) {
    return queue->party != 0 && !(queue->flags & (ADI_SIM_DEFAULT_QUEUE | ADI_SIM_OWN_QUEUE));
}

/* Nobody but a party 1 frees it, in the order of a queue of its own. */
static void ask_used(void *question_at, const struct sim_access *access, bool writes) {
    struct question *question = question_at;
    (void)writes;
    if (access->site.party != 0) return;
    bool before = sim_clock_before(access->component, access->seq, SIM_HOST, NULL);
    for (const struct sim_queue *queue = question->context->queues; queue != NULL && !before;
         queue = queue->next)
        before = is_watchers(queue) &&
                 sim_clock_before(access->component, access->seq, queue->component, &queue->clock);
    if (!before) question->found = true;
}

/* `bytes` 0: of the whole allocation. */
static int ask(const void *pointer, size_t bytes, struct question *question,
               void (*about)(void *, const struct sim_access *, bool)) {
    const struct sim_allocation *allocation = sim_allocation_around(pointer);
    if (allocation == NULL) return EFAULT;
    size_t start = (size_t)((const char *)pointer - sim_view(allocation));
    if (bytes > allocation->bytes - start) return EFAULT;
    size_t from = bytes == 0 ? 0 : start, end = bytes == 0 ? allocation->bytes : start + bytes;
    question->context = allocation->context;
    sim_ranges_accesses(&allocation->ranges, from, end, about, question);
    return question->found ? EAGAIN : 0;
}

static int ask_whether_written(const void *pointer, size_t bytes, adi_sim_event event) {
    struct question question = {0};
    int code = event == NULL ? 0 : sim_event_look(event, &question.record);
    return code == 0 ? ask(pointer, bytes, &question, ask_written) : code;
}

int sim_written(const void *pointer, adi_sim_event event) {
    return ask_whether_written(pointer, 0, event);
}

int sim_written_in(const void *pointer, size_t bytes, adi_sim_event event) {
    return bytes == 0 ? EINVAL : ask_whether_written(pointer, bytes, event);
}

int sim_name_of(const void *object, char out[ADI_SIM_LABEL]) {
    uint64_t event = sim_event_ordinal(object);
    const struct sim_allocation *allocation = event == 0 ? sim_allocation_around(object) : NULL;
    if (event != 0)
        snprintf(out, ADI_SIM_LABEL, "event %" PRIu64, event);
    else if (allocation != NULL)
        snprintf(out, ADI_SIM_LABEL, "allocation %" PRIu64, allocation->ordinal);
    return event == 0 && allocation == NULL ? EFAULT : 0;
}

int sim_has_run(adi_sim_event event) {
    const struct sim_record *record = NULL;
    int code = sim_event_look(event, &record);
    return code == 0 && record != NULL && !record->done ? EAGAIN : code;
}

int sim_used(const void *pointer) {
    struct question question = {0};
    return ask(pointer, 0, &question, ask_used);
}

int sim_used_in(const void *pointer, size_t bytes) {
    struct question question = {0};
    return bytes == 0 ? EINVAL : ask(pointer, bytes, &question, ask_used);
}
