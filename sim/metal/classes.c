/* SPDX-License-Identifier: Apache-2.0
 *
 * What every object answers, and what is left of one that has ended: a class that has all messages
 * of all kinds, and names who sends one.
 */
#include <string.h>

#include "metal_classes.h"

/* ---- NSObject ---- */

static id retain(id self, SEL selector) {
    (void)selector;
    metal_lock();
    metal_hold(self);
    metal_unlock();
    return self;
}

static void release(id self, SEL selector) {
    (void)selector;
    if (!metal_begin_surely("release")) return;
    metal_drop(self, metal_party());
    metal_end();
}

static id autorelease(id self, SEL selector) {
    (void)selector;
    return metal_autorelease(self);
}

static unsigned long retain_count(id self, SEL selector) {
    (void)selector;
    return (unsigned long)self->held[0] + self->held[1];
}

static bool responds_to_selector(id self, SEL selector, SEL asked) {
    (void)selector;
    return asked != NULL && objc_responds(self->isa, asked);
}

static id device_of(id self, SEL selector) {
    (void)selector;
    return self->device;
}

static const struct metal_method for_all[] = {
    METHOD("retain", retain, "@@:"),
    METHOD("release", release, "v@:"),
    METHOD("autorelease", autorelease, "@@:"),
    METHOD("retainCount", retain_count, "L@:"),
    METHOD("respondsToSelector:", responds_to_selector, "C@::"),
    METHOD("device", device_of, "@@:"),
    METHODS_END,
};

static id sent_to_dead(id self, SEL selector) {
    char name[48];
    if (!metal_begin_surely(objc_name_of(selector))) return NULL;
    bool again = strcmp(objc_name_of(selector), "release") == 0;
    if (self->dead)
        metal_violate(again ? "double-destroy" : "use-after-destroy", self,
                      "%s has ended, and is sent %s", metal_text_of(self, name),
                      objc_name_of(selector));
    metal_end();
    return NULL;
}

/* ---- the classes ---- */

static const struct {
    const char *name;
    const struct metal_method *methods;
    void (*end)(struct metal_object *object);
} own[METAL_KINDS] = {
    [METAL_DEVICE] = {"ADISimulatedMTLDevice", metal_device_methods, NULL},
    [METAL_QUEUE] = {"ADISimulatedMTLCommandQueue", metal_queue_methods, metal_end_queue},
    [METAL_COMMANDS] = {"ADISimulatedMTLCommandBuffer", metal_commands_methods, metal_end_commands},
    [METAL_ENCODER] = {"ADISimulatedMTLBlitCommandEncoder", metal_encoder_methods,
                       metal_end_encoder},
    [METAL_BUFFER] = {"ADISimulatedMTLBuffer", metal_buffer_methods, metal_end_buffer},
    [METAL_EVENT] = {"ADISimulatedMTLEvent", metal_event_methods, metal_end_event},
    [METAL_SHARED_EVENT] = {"ADISimulatedMTLSharedEvent", metal_shared_event_methods,
                            metal_end_event},
    [METAL_LIST] = {"ADISimulatedNSArray", metal_list_methods, metal_end_list},
    [METAL_TEXT] = {"ADISimulatedNSString", metal_text_methods, NULL},
    [METAL_ERROR] = {"ADISimulatedNSError", metal_error_methods, NULL},
};

#define MOST 128 /* methods of all classes together */

static void add(struct metal_method *to, size_t *n, const struct metal_method *methods) {
    for (; methods->name != NULL && *n < MOST; methods++) to[(*n)++] = *methods;
}

static Class define(const char *name, const struct metal_method *first,
                    const struct metal_method *second) {
    struct metal_method all[MOST + 1] = {METHODS_END};
    size_t n = 0;
    add(all, &n, first);
    add(all, &n, second);
    return objc_define(name, all);
}

/* Methods of that name are there more than once; the first counts, and they are all one. */
static Class define_dead(void) {
    struct metal_method all[MOST + 1] = {METHODS_END};
    size_t n = 0;
    add(all, &n, for_all);
    for (int kind = 0; kind < METAL_KINDS; kind++) add(all, &n, own[kind].methods);
    for (size_t i = 0; i < n; i++) all[i].function = (void (*)(void))sent_to_dead;
    return objc_define("ADISimulatedDeadObject", all);
}

bool metal_define_classes(void) {
    if (!objc_find()) return false;
    Class dead = define_dead();
    bool all = dead != NULL;
    for (int kind = 0; kind < METAL_KINDS && all; kind++) {
        Class made = define(own[kind].name, own[kind].methods, for_all);
        all = made != NULL;
        metal_set_kind((enum metal_kind)kind, made, dead, own[kind].end);
    }
    return all;
}
