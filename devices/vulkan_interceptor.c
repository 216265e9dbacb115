/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "installed.h"
#include "vulkan_layer.h"

static const struct adi_vulkan_layer *found;

/* Puts `value` in a list of the environment, unless it is there. */
static void add(const char *name, const char *value) {
    char list[3 * PATH_MAX];
    const char *others = getenv(name);
    if (others != NULL && strstr(others, value) != NULL) return;
    bool alone = others == NULL || *others == '\0';
    snprintf(list, sizeof list, "%s%s%s", value, alone ? "" : ":", alone ? "" : others);
    setenv(name, list, 1);
}

/* The loader takes it in with every instance of the process. It stays loaded. */
static const struct adi_vulkan_layer *load(void) {
    char path[PATH_MAX];
    adi_vulkan_layer_fn *table = NULL;
    if (!adi_find_beside_program(ADI_VULKAN_LAYER, path)) return NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    void *symbol = library == NULL ? NULL : dlsym(library, ADI_VULKAN_LAYER_SYMBOL);
    if (symbol == NULL) return NULL;
    memcpy(&table, &symbol, sizeof symbol);
    *(strrchr(path, '/')) = '\0';
    add("VK_ADD_LAYER_PATH", path);
    add("VK_INSTANCE_LAYERS", ADI_VULKAN_LAYER_NAME);
    const struct adi_vulkan_layer *layer = table();
    return layer->size == sizeof *layer ? layer : NULL; /* of this build */
}

const struct adi_vulkan_layer *adi_vulkan_layer(void) {
    static bool asked;
    if (!asked) found = load();
    asked = true;
    return found;
}

bool adi_vulkan_own_begin(void) {
    return found != NULL && found->interceptor.enter(false);
}

void adi_vulkan_own_end(bool before) {
    if (found != NULL) found->interceptor.enter(before);
}
