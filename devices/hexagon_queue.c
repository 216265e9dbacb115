/* SPDX-License-Identifier: Apache-2.0
 *
 * A queue of the host runs when somebody waits for it: what was not waited for has not happened,
 * every time.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hexagon_dsp.h"
#include "hexagon_memory.h"

#define QUEUE_BYTES                                                                                \
    (UINT64_C(1) << 20) /* a queue that is not paused keeps no more than this back */

static struct adi_hexagon_queue *queues;
static int numbers;

static uint32_t piece(uint64_t bytes) {
    return bytes < ADI_DSP_WINDOW ? (uint32_t)bytes : ADI_DSP_WINDOW;
}

static int ask(int id, enum adi_dsp_command command, uint32_t address, uint32_t bytes, uint32_t at,
               uint64_t *sum, struct adi_error *error) {
    const struct adi_dsp_request request = {command, address, bytes, at};
    struct adi_dsp_reply reply = {0};
    struct adi_error lost = {""};
    int code = adi_hexagon_ask(id, &request, &reply, &lost);
    if (sum != NULL) *sum += reply.sum;
    if (code == 0 || lost.text[0] != '\0')
        return code == 0 ? 0 : adi_error_set(error, code, "%s", lost.text);
    return adi_error_set(error, code,
                         "hexagon:%d refuses command %d for %" PRIu32 " bytes at 0x%" PRIx32, id,
                         (int)command, bytes, address);
}

/* ---- at once ---- */

static int put(int id, uint32_t to, const uint8_t *from, uint64_t bytes, struct adi_error *error) {
    for (uint32_t n; bytes > 0; to += n, from += n, bytes -= n) {
        n = piece(bytes);
        if (!adi_hexagon_runs(id)) return ask(id, ADI_DSP_IN, to, n, 0, NULL, error);
        memcpy(adi_hexagon_window(id), from, n);
        ADI_TRY(ask(id, ADI_DSP_IN, to, n, 0, NULL, error));
    }
    return 0;
}

int adi_hexagon_fetch(int id, void *to, uint32_t from, uint64_t bytes, struct adi_error *error) {
    uint8_t *out = to;
    for (uint32_t n; bytes > 0; out += n, from += n, bytes -= n) {
        n = piece(bytes);
        ADI_TRY(ask(id, ADI_DSP_OUT, from, n, 0, NULL, error));
        memcpy(out, adi_hexagon_window(id), n);
    }
    return 0;
}

int adi_hexagon_add_up(int id, uint32_t from, uint64_t bytes, uint64_t *sum,
                       struct adi_error *error) {
    *sum = 0;
    for (uint32_t n; bytes > 0; from += n, bytes -= n) {
        n = piece(bytes);
        ADI_TRY(ask(id, ADI_DSP_SUM, from, n, 0, sum, error));
    }
    return 0;
}

/* ---- jobs ---- */

static int run_job(int id, const struct adi_hexagon_job *job, struct adi_error *error) {
    uint32_t done = 0;
    switch (job->kind) {
    case ADI_HEXAGON_IN:
        return put(id, job->to, job->data, job->bytes, error);
    case ADI_HEXAGON_OUT:
        return adi_hexagon_fetch(id, job->host, job->from, job->bytes, error);
    case ADI_HEXAGON_COPY:
        for (uint32_t n; done < job->bytes; done += n) {
            n = piece(job->bytes - done);
            ADI_TRY(ask(id, ADI_DSP_COPY, job->to + done, n, job->from + done, NULL, error));
        }
    }
    return 0;
}

/* The job that `*at` points to. */
static void take_out(struct adi_hexagon_queue *queue, struct adi_hexagon_job **at) {
    struct adi_hexagon_job *job = *at;
    *at = job->next;
    if (queue->last == &job->next) queue->last = at;
    queue->queued -= job->bytes;
    free(job);
}

/* The oldest, until no more than `most` bytes are left. */
static int run_until(struct adi_hexagon_queue *queue, uint64_t most, struct adi_error *error) {
    int code = 0;
    while (queue->first != NULL && (queue->queued > most || most == 0 || code != 0)) {
        if (code == 0) code = run_job(queue->id, queue->first, error);
        take_out(queue, &queue->first);
    }
    return code;
}

int adi_hexagon_run(struct adi_hexagon_queue *queue, struct adi_error *error) {
    return run_until(queue, 0, error);
}

/* What does not fit into the queue is run from where it lies, up to `*done`. */
static int make_room(struct adi_hexagon_queue *queue, const struct adi_hexagon_job *job,
                     const uint8_t *from, uint32_t *done, struct adi_error *error) {
    uint64_t kept = piece(job->bytes);
    if (queue->is_paused || queue->queued + job->bytes <= QUEUE_BYTES) return 0;
    ADI_TRY(run_until(queue, QUEUE_BYTES - kept, error));
    if (job->kind != ADI_HEXAGON_IN) return 0;
    ADI_TRY(put(queue->id, job->to, from, job->bytes - kept, error));
    *done = (uint32_t)(job->bytes - kept);
    return 0;
}

int adi_hexagon_enqueue(struct adi_hexagon_queue *queue, const struct adi_hexagon_job *job,
                        const void *from, struct adi_error *error) {
    uint32_t done = 0;
    ADI_TRY(make_room(queue, job, from, &done, error));
    size_t data = job->kind == ADI_HEXAGON_IN ? job->bytes - done : 0;
    struct adi_hexagon_job *made = malloc(sizeof *made + data);
    if (made == NULL) return adi_error_set(error, ENOMEM, "no memory to queue %zu bytes", data);
    *made = *job;
    made->next = NULL;
    made->bytes -= done;
    if (done > 0) made->to += done;
    if (data > 0) memcpy(made->data, (const uint8_t *)from + done, data);
    *queue->last = made;
    queue->last = &made->next;
    queue->queued += made->bytes;
    return 0;
}

/* ---- all queues ---- */

void adi_hexagon_queue_open(struct adi_hexagon_queue *queue, int id, bool by_implementation) {
    *queue = (struct adi_hexagon_queue){.next = queues,
                                        .id = id,
                                        .number = ++numbers,
                                        .by_implementation = by_implementation,
                                        .last = &queue->first};
    queues = queue;
}

void adi_hexagon_queue_close(struct adi_hexagon_queue *queue) {
    struct adi_hexagon_queue **at = &queues;
    while (queue->first != NULL) take_out(queue, &queue->first);
    while (*at != queue) at = &(*at)->next;
    *at = queue->next;
}

static bool is_in(uint32_t at, uint32_t n, uint32_t address, uint64_t bytes) {
    return at != 0 && at < address + bytes && address < (uint64_t)at + n;
}

static bool uses(const struct adi_hexagon_job *job, uint32_t address, uint64_t bytes, bool writes) {
    return is_in(job->to, job->bytes, address, bytes) ||
           (!writes && is_in(job->from, job->bytes, address, bytes));
}

const struct adi_hexagon_job *adi_hexagon_find_job(uint32_t address, uint64_t bytes, bool writes,
                                                   const struct adi_hexagon_queue *but) {
    for (const struct adi_hexagon_queue *queue = queues; queue != NULL; queue = queue->next)
        for (const struct adi_hexagon_job *job = queue->first; job != NULL && queue != but;
             job = job->next)
            if (job->by_implementation && uses(job, address, bytes, writes)) return job;
    return NULL;
}

void adi_hexagon_drop(uint32_t address, uint64_t bytes) {
    for (struct adi_hexagon_queue *queue = queues; queue != NULL; queue = queue->next)
        for (struct adi_hexagon_job **at = &queue->first; *at != NULL;)
            if (uses(*at, address, bytes, false))
                take_out(queue, at);
            else
                at = &(*at)->next;
}

size_t adi_hexagon_queues(void) {
    size_t n = 0;
    for (const struct adi_hexagon_queue *queue = queues; queue != NULL; queue = queue->next)
        n += queue->by_implementation;
    return n;
}
