/* SPDX-License-Identifier: Apache-2.0
 *
 * What the public functions have the engine do: sim_NAME does what sim.h says of adi_sim_NAME,
 * within a call that has begun, with the lock. What is handed out is not NULL.
 */
#ifndef SIM_PUBLIC_H
#define SIM_PUBLIC_H

#include "queue.h"

#define CALL(name, begin, parameters, ...)                         int sim_##name parameters;
#define GIVE(name, begin, parameters, type, out, ...)              int sim_##name parameters;
#define GIVE_TWO(name, parameters, one, first, other, second, ...) int sim_##name parameters;
#include "public.def"

int sim_context_open(const char *family, int index, adi_sim_context *out);
int sim_callback(adi_sim_queue queue, void (*function)(const uintptr_t *data, int code),
                 const uintptr_t *data);
int sim_launch(adi_sim_queue queue, adi_sim_kernel kernel, void *state,
               const struct adi_sim_operand *operands, size_t n);
int sim_foreign(const void *pointer, const char *what);
/* Without a call. */
bool sim_readable(const void *pointer, size_t bytes);
bool sim_writable(const void *pointer, size_t bytes);
unsigned sim_set_party(unsigned whose);

#endif /* SIM_PUBLIC_H */
