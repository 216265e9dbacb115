/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules and libraries, from PTX: the kernels that it names. What a kernel does is not looked at.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver_kernels.h"

enum {
    EAGER_LOADING = 1, /* CU_MODULE_EAGER_LOADING */
    LOADED = 1,        /* CU_FUNCTION_LOADING_STATE_LOADED */
};

driver_code driver_kernels_served(void) {
    if (adi_sim_kernels_are_opaque()) return DRIVER_SUCCESS;
    driver_remark(driver_facade.kernels);
    return DRIVER_NOT_SUPPORTED;
}

/* ---- the text ---- */

static size_t length_of(const char *text, size_t most) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), n = 0;
    while (n < most) {
        size_t left = page - (uintptr_t)(text + n) % page;
        if (left > most - n) left = most - n;
        if (!adi_sim_readable(text + n, 1)) return SIZE_MAX;
        size_t part = strnlen(text + n, left);
        n += part;
        if (part < left) break;
    }
    return n;
}

char *driver_text_of(const void *text, size_t most) {
    size_t n = text == NULL ? SIZE_MAX : length_of(text, most);
    char *copy = n == SIZE_MAX ? NULL : malloc(n + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

/* ELF, a fat binary, and what the compiler wraps one in. */
static bool is_binary(const char *text) {
    static const char *const marks[] = {"\177ELF", "\x50\xed\x55\xba", "\xb1\x43\x62\x46"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(text, marks[i], 4) == 0) return true;
    return false;
}

/* ---- loading ---- */

static void end_kernel(struct driver_kernel_of *kernel) {
    free(kernel->name);
    free(kernel->parameters);
    kernel->name = NULL;
    kernel->parameters = NULL;
    driver_object_end(kernel);
}

static void end_module(struct driver_module_of *module) {
    for (size_t i = 0; i < module->n; i++) end_kernel(module->kernels[i]);
    free(module->kernels);
    driver_object_end(module);
}

static struct driver_kernel_of *kernel_of(const struct driver_module_of *module, const char *name,
                                          size_t n) {
    for (size_t i = 0; i < module->n; i++)
        if (strlen(module->kernels[i]->name) == n && memcmp(module->kernels[i]->name, name, n) == 0)
            return module->kernels[i];
    return NULL;
}

/* The text may declare a kernel before it defines it. */
static bool add(void *context, const struct ptx_entry *entry) {
    struct driver_module_of *module = context;
    if (kernel_of(module, entry->name, entry->name_length) != NULL) return true;
    size_t bytes = (module->n + 1) * sizeof *module->kernels;
    struct driver_kernel_of **grown = realloc(module->kernels, bytes);
    if (grown == NULL) return false;
    module->kernels = grown;
    struct driver_kernel_of *made = driver_object_new(DRIVER_KERNEL, sizeof *made);
    if (made == NULL) return false;
    module->kernels[module->n++] = made;
    made->module = module;
    made->dynamic_shared = 49152;
    made->carveout = -1;
    made->n = entry->n;
    made->name = strndup(entry->name, entry->name_length);
    made->parameters = malloc((entry->n + 1) * sizeof *made->parameters);
    if (made->parameters != NULL)
        memcpy(made->parameters, entry->parameters, entry->n * sizeof *made->parameters);
    return made->name != NULL && made->parameters != NULL;
}

static driver_code read_into(struct driver_module_of *module, const void *image) {
    char *text = driver_text_of(image, SIZE_MAX);
    if (text == NULL) return DRIVER_INVALID_VALUE;
    bool binary = is_binary(text), read = !binary && ptx_read(text, add, module);
    bool starts = *text == '.' || *text == '/' || *text == '\n' || *text == ' ';
    free(text);
    if (binary) {
        driver_remark("of modules PTX is read, and no binary: CUDA_ERROR_NOT_SUPPORTED");
        return DRIVER_NOT_SUPPORTED;
    }
    return read ? DRIVER_SUCCESS : starts ? DRIVER_INVALID_PTX : DRIVER_INVALID_IMAGE;
}

static driver_code load(driver_module *out, const void *image, adi_sim_context context) {
    struct driver_module_of *made;
    if (out == NULL || image == NULL) return DRIVER_INVALID_VALUE;
    made = driver_object_new(DRIVER_MODULE, sizeof *made);
    if (made == NULL) return DRIVER_OUT_OF_MEMORY;
    made->object.context = context;
    driver_code code = read_into(made, image);
    if (code == DRIVER_SUCCESS)
        *out = DRIVER_HANDLE(made);
    else
        end_module(made);
    return code;
}

driver_code driver_module_load(driver_module *module, const void *image) {
    struct driver_scope scope;
    SIM_TRY(driver_kernels_served());
    SIM_TRY(driver_current(&scope));
    return load(module, image, scope.context);
}

driver_code driver_library_load(driver_module *library, const void *image) {
    SIM_TRY(driver_kernels_served());
    return load(library, image, NULL);
}

static driver_code find_module(driver_module handle, struct driver_module_of **out) {
    SIM_TRY(driver_kernels_served());
    *out = driver_object_find(DRIVER_MODULE, handle);
    return *out == NULL ? DRIVER_INVALID_HANDLE : DRIVER_SUCCESS;
}

driver_code driver_module_unload(driver_module handle) {
    SIM_TRY(driver_kernels_served());
    struct driver_module_of *module = driver_object_find_to_end(DRIVER_MODULE, handle);
    if (module == NULL) return DRIVER_INVALID_HANDLE;
    end_module(module);
    return DRIVER_SUCCESS;
}

driver_code driver_module_kernel(driver_kernel *kernel, driver_module handle, const char *name) {
    struct driver_module_of *module;
    SIM_TRY(find_module(handle, &module));
    if (kernel == NULL || name == NULL) return DRIVER_INVALID_VALUE;
    struct driver_kernel_of *found = kernel_of(module, name, strlen(name));
    if (found == NULL) return DRIVER_NOT_FOUND;
    *kernel = DRIVER_HANDLE(found);
    return DRIVER_SUCCESS;
}

driver_code driver_module_count(unsigned *count, driver_module handle) {
    struct driver_module_of *module;
    SIM_TRY(find_module(handle, &module));
    if (count == NULL) return DRIVER_INVALID_VALUE;
    *count = (unsigned)module->n;
    return DRIVER_SUCCESS;
}

driver_code driver_module_kernels(driver_kernel *kernels, unsigned n, driver_module handle) {
    struct driver_module_of *module;
    SIM_TRY(find_module(handle, &module));
    if (kernels == NULL) return DRIVER_INVALID_VALUE;
    for (size_t i = 0; i < n && i < module->n; i++) kernels[i] = DRIVER_HANDLE(module->kernels[i]);
    return DRIVER_SUCCESS;
}

driver_code driver_module_same(driver_module *out, driver_module handle) {
    struct driver_module_of *module;
    SIM_TRY(find_module(handle, &module));
    if (out == NULL) return DRIVER_INVALID_VALUE;
    *out = DRIVER_HANDLE(module);
    return DRIVER_SUCCESS;
}

driver_code driver_module_mode(int *mode) {
    SIM_TRY(driver_kernels_served());
    if (mode == NULL) return DRIVER_INVALID_VALUE;
    *mode = EAGER_LOADING;
    return DRIVER_SUCCESS;
}

/* ---- kernels ---- */

static driver_code find(driver_kernel handle, const void *out, struct driver_kernel_of **kernel) {
    SIM_TRY(driver_kernels_served());
    *kernel = driver_object_find(DRIVER_KERNEL, handle);
    if (*kernel == NULL) return DRIVER_INVALID_HANDLE;
    return out == NULL ? DRIVER_INVALID_VALUE : DRIVER_SUCCESS;
}

driver_code driver_kernel_same(driver_kernel *out, driver_kernel handle) {
    struct driver_kernel_of *kernel;
    SIM_TRY(find(handle, out, &kernel));
    *out = DRIVER_HANDLE(kernel);
    return DRIVER_SUCCESS;
}

driver_code driver_kernel_module(driver_module *module, driver_kernel handle) {
    struct driver_kernel_of *kernel;
    SIM_TRY(find(handle, module, &kernel));
    *module = DRIVER_HANDLE(kernel->module);
    return DRIVER_SUCCESS;
}

driver_code driver_kernel_name(const char **name, driver_kernel handle) {
    struct driver_kernel_of *kernel;
    SIM_TRY(find(handle, name, &kernel));
    *name = kernel->name;
    return DRIVER_SUCCESS;
}

driver_code driver_kernel_parameter(driver_kernel handle, size_t index, size_t *offset,
                                    size_t *bytes) {
    struct driver_kernel_of *kernel;
    SIM_TRY(find(handle, offset, &kernel));
    if (index >= kernel->n) return DRIVER_INVALID_VALUE;
    *offset = kernel->parameters[index].offset;
    if (bytes != NULL) *bytes = kernel->parameters[index].bytes;
    return DRIVER_SUCCESS;
}

driver_code driver_kernel_parameters(driver_kernel handle, size_t *count) {
    struct driver_kernel_of *kernel;
    SIM_TRY(find(handle, count, &kernel));
    *count = kernel->n;
    return DRIVER_SUCCESS;
}

/* What a kernel needs nobody has worked out: as one that needs little. */
driver_code driver_kernel_attribute(int *value, int attribute, driver_kernel handle) {
    static const int values[] = {
        [DRIVER_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = 1024,
        [DRIVER_FUNC_ATTRIBUTE_NUM_REGS] = 32,
        [DRIVER_FUNC_ATTRIBUTE_PTX_VERSION] = 90,
        [DRIVER_FUNC_ATTRIBUTE_BINARY_VERSION] = 90,
        [DRIVER_FUNC_ATTRIBUTE_MAX - 1] = 0,
    };
    struct driver_kernel_of *kernel;
    SIM_TRY(find(handle, value, &kernel));
    if (attribute < 0 || attribute >= DRIVER_FUNC_ATTRIBUTE_MAX) return DRIVER_INVALID_VALUE;
    *value =
        attribute == DRIVER_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ? kernel->dynamic_shared
        : attribute == DRIVER_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT ? kernel->carveout
                                                                              : values[attribute];
    return DRIVER_SUCCESS;
}

driver_code driver_kernel_set_attribute(driver_kernel handle, int attribute, int value) {
    struct driver_kernel_of *kernel;
    SIM_TRY(find(handle, &kernel, &kernel));
    if (attribute < DRIVER_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
        attribute >= DRIVER_FUNC_ATTRIBUTE_MAX)
        return DRIVER_INVALID_VALUE;
    if (attribute == DRIVER_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        kernel->dynamic_shared = value;
    else if (attribute == DRIVER_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
        kernel->carveout = value;
    return DRIVER_SUCCESS;
}

driver_code driver_kernel_is_loaded(int *state, driver_kernel handle) {
    struct driver_kernel_of *kernel;
    SIM_TRY(find(handle, state, &kernel));
    *state = LOADED;
    return DRIVER_SUCCESS;
}

driver_code driver_kernel_touch(driver_kernel handle) {
    struct driver_kernel_of *kernel;
    return find(handle, &kernel, &kernel);
}
