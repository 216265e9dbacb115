/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to sim/metal/: the classes, defined when a device is first asked for, and how a message
 * begins and ends.
 */
#ifndef METAL_CLASSES_H
#define METAL_CLASSES_H

#include "metal.h"

/* The methods of each class beside those that all have; NULL ends them. */
extern const struct metal_method metal_device_methods[], metal_queue_methods[],
    metal_commands_methods[], metal_encoder_methods[], metal_buffer_methods[],
    metal_event_methods[], metal_shared_event_methods[], metal_list_methods[], metal_text_methods[],
    metal_error_methods[];

/* Defines them; false: without libobjc, or with classes of those names that are there already. */
bool metal_define_classes(void);

/* A message, which is one call in the log, with the lock; false: it does nothing (a fault that was
 * asked for, a child of fork). */
bool metal_begin(const char *name);
bool metal_begin_surely(const char *name);
void metal_end(void);
/* What is done from now on counts as done by that party, in a call of the same name. Returns which
 * it was before. */
unsigned metal_act_as(unsigned party);

#define METHOD(name, function, types)                                                              \
    { name, (void (*)(void))(function), types }
#define METHODS_END                                                                                \
    { NULL, NULL, NULL }

#endif /* METAL_CLASSES_H */
