/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the runtime of Objective-C that classes are defined with, found when it is needed:
 * what is built here needs neither its compiler nor its headers.
 */
#ifndef METAL_OBJC_H
#define METAL_OBJC_H

#include <stdbool.h>
#include <stddef.h>

typedef struct objc_class *Class;
typedef const struct objc_selector *SEL;
typedef struct metal_object *id; /* whatever an object is: here it is one of ours */

struct metal_method {
    const char *name;
    void (*function)(void);
    const char *types;
};

/* Finds libobjc.so.4 (ADI_METAL_OBJC names another). false: it is not there, or is none. Once in a
 * process. */
bool objc_find(void);
/* A class of that name with these methods, to a NULL name. NULL: there is one already. */
Class objc_define(const char *name, const struct metal_method *methods);
bool objc_responds(Class class, SEL selector);
const char *objc_name_of(SEL selector);

#endif /* METAL_OBJC_H */
