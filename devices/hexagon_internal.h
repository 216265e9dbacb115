/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/hexagon*.c: queues as they are handed out, and what is seen of an
 * implementation.
 */
#ifndef ADI_HEXAGON_INTERNAL_H
#define ADI_HEXAGON_INTERNAL_H

#include "hexagon_memory.h"
#include "interceptor.h"

struct adi_hexagon_handle {
    struct adi_hexagon_driver driver; /* first: it is what is handed out */
    struct adi_hexagon_queue queue;
};

/* A queue, with the functions of the driver. The DSP runs while there is one of it, and what is
 * allocated on it ends with the last. */
int adi_hexagon_handle_open(struct adi_hexagon_handle *handle, int64_t id, bool by_implementation,
                            struct adi_error *error);
void adi_hexagon_handle_close(struct adi_hexagon_handle *handle);

/* ---- hexagon_interceptor.c ---- */

extern const struct adi_interceptor adi_hexagon_interceptor;

struct adi_hexagon_misuse {
    const char *what; /* NULL: nothing is wrong */
    enum adi_misuse misuse;
};

/* What is wrong with a command on the queue that uses (writes) these bytes, or with freeing what
 * begins there. With adi_hexagon_lock held. */
struct adi_hexagon_misuse adi_hexagon_judge(const struct adi_hexagon_queue *queue, uint32_t address,
                                            int64_t bytes, bool writes);
struct adi_hexagon_misuse adi_hexagon_judge_free(int id, uint32_t address);
/* Tells it, if it is the implementation's doing. Without the lock. */
void adi_hexagon_tell(const struct adi_hexagon_queue *queue, struct adi_hexagon_misuse misuse,
                      const char *call, uint32_t address, int64_t bytes);

/* Lines of a trace: a command was queued, a queue was waited for. With the lock. */
void adi_hexagon_say_command(const struct adi_hexagon_queue *queue, const char *call,
                             uint32_t address, bool writes);
void adi_hexagon_say_wait(const struct adi_hexagon_queue *queue);

#endif /* ADI_HEXAGON_INTERNAL_H */
