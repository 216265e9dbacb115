/* SPDX-License-Identifier: Apache-2.0 */
#include "objc.h"

#include <dlfcn.h>
#include <stdlib.h>

typedef id (*implementation)(id, SEL, ...);

static struct {
    Class (*allocateClassPair)(Class, const char *, size_t);
    void (*registerClassPair)(Class);
    unsigned char (*addMethod)(Class, SEL, implementation, const char *);
    unsigned char (*respondsToSelector)(Class, SEL);
    SEL (*registerName)(const char *);
    const char *(*getName)(SEL);
} objc;

static const struct {
    const char *name;
    void *at;
} functions[] = {{"objc_allocateClassPair", &objc.allocateClassPair},
                 {"objc_registerClassPair", &objc.registerClassPair},
                 {"class_addMethod", &objc.addMethod},
                 {"class_respondsToSelector", &objc.respondsToSelector},
                 {"sel_registerName", &objc.registerName},
                 {"sel_getName", &objc.getName}};

bool objc_find(void) {
    const char *named = getenv("ADI_METAL_OBJC");
    bool is_set = named != NULL && *named != '\0';
    void *library = dlopen(is_set ? named : "libobjc.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(library, functions[i].name);
        if (found == NULL) return false;
        *(void **)functions[i].at = found;
    }
    return true;
}

Class objc_define(const char *name, const struct metal_method *methods) {
    Class made = objc.allocateClassPair(NULL, name, 0);
    if (made == NULL) return NULL;
    for (; methods->name != NULL; methods++)
        objc.addMethod(made, objc.registerName(methods->name), (implementation)methods->function,
                       methods->types);
    objc.registerClassPair(made);
    return made;
}

bool objc_responds(Class class, SEL selector) {
    return objc.respondsToSelector(class, selector) != 0;
}

const char *objc_name_of(SEL selector) {
    return objc.getName(selector);
}
