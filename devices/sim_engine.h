/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: the engine of the simulation, loaded as a stranger would, and the
 * interceptor over whatever lies upon it.
 */
#ifndef ADI_SIM_ENGINE_H
#define ADI_SIM_ENGINE_H

#include "device.h"
#include "sim.h"

#define ADI_SIM_FUNCTIONS(USE)                                                                     \
    USE(context_open)                                                                              \
    USE(context_close)                                                                             \
    USE(alloc)                                                                                     \
    USE(free)                                                                                      \
    USE(free_on)                                                                                   \
    USE(find)                                                                                      \
    USE(queue_create)                                                                              \
    USE(queue_destroy)                                                                             \
    USE(queue_hold)                                                                                \
    USE(copy)                                                                                      \
    USE(launch)                                                                                    \
    USE(event_create)                                                                              \
    USE(event_destroy)                                                                             \
    USE(event_record)                                                                              \
    USE(event_wait)                                                                                \
    USE(event_sync)                                                                                \
    USE(log_error)                                                                                 \
    USE(phase)                                                                                     \
    USE(party)                                                                                     \
    USE(listen)                                                                                    \
    USE(tap)                                                                                       \
    USE(name_of)                                                                                   \
    USE(live)                                                                                      \
    USE(newest)                                                                                    \
    USE(hold)                                                                                      \
    USE(written)                                                                                   \
    USE(written_in)                                                                                \
    USE(used)                                                                                      \
    USE(used_in)

struct adi_sim {
#define MEMBER(name) __typeof__(&adi_sim_##name) name;
    ADI_SIM_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* libadisim.so: $ADI_SIM, else from where the program, or the library that this is in, lies, else
 * LIBDIR/adicheck. It stays. NULL: there is none, ENODEV in words. Any thread. */
const struct adi_sim *adi_sim_load(struct adi_error *error);
/* The engine that a library lies upon, from a handle of dlopen. Any thread. */
const struct adi_sim *adi_sim_beneath(void *library, struct adi_error *error);

/* The one that was found; NULL: none yet. */
const struct adi_sim *adi_sim_loaded(void);

/* Its interceptor; NULL while no engine is loaded. A command that is queued counts as paused until
 * somebody has waited for it, whether it has run or not. */
const struct adi_interceptor *adi_sim_interceptor(void);
/* What it is told by the engine, as adi_sim_listen has it. */
void adi_sim_interceptor_on_report(void *unused, const struct adi_sim_report *report);

#endif /* ADI_SIM_ENGINE_H */
