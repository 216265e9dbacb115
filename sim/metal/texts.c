/* SPDX-License-Identifier: Apache-2.0
 *
 * As much of NSArray, NSString and NSError as Metal hands out.
 */
#include <stdio.h>

#include "metal_classes.h"

void metal_end_list(struct metal_object *list) {
    for (unsigned i = 0; i < list->as_list.n; i++) metal_unuse(list->as_list.items[i]);
}

static unsigned long count(id self, SEL selector) {
    (void)selector;
    return self->as_list.n;
}

static id object_at(id self, SEL selector, unsigned long index) {
    (void)selector;
    return index < self->as_list.n ? self->as_list.items[index] : NULL;
}

const struct metal_method metal_list_methods[] = {
    METHOD("count", count, "L@:"),
    METHOD("objectAtIndex:", object_at, "@@:L"),
    METHODS_END,
};

id metal_text(const char *text) {
    struct metal_object *made = metal_make(METAL_TEXT, NULL);
    if (made == NULL) return NULL;
    snprintf(made->as_text.text, sizeof made->as_text.text, "%s", text);
    return metal_autorelease(made);
}

static const char *utf8(id self, SEL selector) {
    (void)selector;
    return self->as_text.text;
}

static unsigned long length(id self, SEL selector) {
    unsigned long n = 0;
    (void)selector;
    while (self->as_text.text[n] != '\0') n++;
    return n;
}

const struct metal_method metal_text_methods[] = {
    METHOD("UTF8String", utf8, "*@:"),
    METHOD("length", length, "L@:"),
    METHODS_END,
};

static long code_of(id self, SEL selector) {
    (void)selector;
    return (long)self->as_text.code;
}

static id description(id self, SEL selector) {
    (void)selector;
    if (!metal_begin_surely("[NSError localizedDescription]")) return NULL;
    id text = metal_text(self->as_text.text);
    metal_end();
    return text;
}

const struct metal_method metal_error_methods[] = {
    METHOD("code", code_of, "l@:"),
    METHOD("localizedDescription", description, "@@:"),
    METHODS_END,
};
