/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/hexagon*.c: what is allocated on the DSPs and whose it is, and the queues. All
 * is called with adi_hexagon_lock held.
 */
#ifndef ADI_HEXAGON_MEMORY_H
#define ADI_HEXAGON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "hexagon_driver.h"

/* ---- hexagon_memory.c: allocations ---- */

struct adi_hexagon_allocation {
    int64_t bytes;
    uint32_t address;
    bool is_live, by_implementation;
    uint64_t number; /* among all, from 1 */
};

/* On the DSP, which runs. ENOMEM: it has not so much in a row. */
int adi_hexagon_allocate(int id, int64_t bytes, bool by_implementation, uint32_t *address,
                         struct adi_error *error);
/* Of an allocation that is live. */
void adi_hexagon_release(int id, struct adi_hexagon_allocation *allocation);
/* Forgets everything: the DSP is started anew. */
void adi_hexagon_forget(int id);

/* On which DSP the address is; -1: on none. */
int adi_hexagon_id_of(uint64_t address);
/* What the address is in, or was in last; NULL: nothing has ever been there. */
struct adi_hexagon_allocation *adi_hexagon_find_at(uint64_t address);
/* 0 if `bytes` (>= 0) from `address` + `offset` on lie in one live allocation of the DSP. EFAULT:
 * they do not, and the sentence says where they lie. */
int adi_hexagon_check(int id, uint64_t address, int64_t offset, int64_t bytes,
                      struct adi_error *error);
/* How many the implementation has, and the newest of them; NULL: none. */
size_t adi_hexagon_allocations(const struct adi_hexagon_allocation **newest);

/* ---- hexagon_queue.c ---- */

enum adi_hexagon_kind {
    ADI_HEXAGON_IN,
    ADI_HEXAGON_OUT,
    ADI_HEXAGON_COPY
};

struct adi_hexagon_job {
    struct adi_hexagon_job *next;
    enum adi_hexagon_kind kind;
    bool by_implementation;
    uint32_t to, from; /* on the DSP; 0: on the host */
    void *host;        /* of OUT: where it goes */
    uint32_t bytes;
    uint8_t data[]; /* of IN */
};

struct adi_hexagon_queue {
    struct adi_hexagon_queue *next;
    int id;     /* of the DSP */
    int number; /* among all queues, from 1 */
    bool by_implementation;
    struct adi_hexagon_job *first, **last;
    uint64_t queued; /* bytes */
    bool is_paused;
};

/* Takes it up, empty, among those that are there; and the other way round: what is left in it is
 * dropped. */
void adi_hexagon_queue_open(struct adi_hexagon_queue *queue, int id, bool by_implementation);
void adi_hexagon_queue_close(struct adi_hexagon_queue *queue);

/* Queues a copy of the job, with a copy of `from` for IN. The older ones run where there is too
 * much.
 */
int adi_hexagon_enqueue(struct adi_hexagon_queue *queue, const struct adi_hexagon_job *job,
                        const void *from, struct adi_error *error);
/* Runs all. What comes behind a job that failed is dropped with it. */
int adi_hexagon_run(struct adi_hexagon_queue *queue, struct adi_error *error);
/* Copies from the DSP at once. */
int adi_hexagon_fetch(int id, void *to, uint32_t from, uint64_t bytes, struct adi_error *error);
int adi_hexagon_add_up(int id, uint32_t from, uint64_t bytes, uint64_t *sum,
                       struct adi_error *error);

/* The first job of the implementation that uses one of these bytes (that writes one), in any queue
 * but that one; NULL: none. */
const struct adi_hexagon_job *adi_hexagon_find_job(uint32_t address, uint64_t bytes, bool writes,
                                                   const struct adi_hexagon_queue *but);
/* Drops what uses one of these bytes. */
void adi_hexagon_drop(uint32_t address, uint64_t bytes);
/* How many queues the implementation has opened. */
size_t adi_hexagon_queues(void);

#endif /* ADI_HEXAGON_MEMORY_H */
