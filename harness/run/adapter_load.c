/* SPDX-License-Identifier: Apache-2.0 */
#include "adapter_load.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "../devices/devices.h"
#include "elf.h"
#include "reference.h"
#include "shortage.h"

/* What version 1 began with: the slots that were added since count as NULL in older adapters. */
#define FIRST_SIZE (offsetof(struct adi_adapter, device) + sizeof(void (*)(void)))

int adi_adapter_look(const char *path, struct adi_error *error) {
    struct adi_elf_facts facts;
    struct stat there;
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
        return adi_error_set(error, EINVAL, "'%s' is a directory, and no adapter", path);
    int code = adi_elf_read(path, &facts);
    if (code != 0)
        return adi_error_set(error, code, "cannot read the adapter '%s': %s", path, strerror(code));
    if (!facts.is_elf)
        return adi_error_set(error, EINVAL, "'%s' is not a shared library of this machine", path);
    return 0;
}

/* The loader's sentence without the path, which ours has already. */
static const char *loader_sentence(const char *path) {
    const char *text = dlerror();
    if (text == NULL) return "the loader does not say why";
    size_t length = strlen(path);
    if (strncmp(text, path, length) != 0) return text;
    text += length;
    return text + strspn(text, ": ");
}

static int check(const char *path, const struct adi_adapter *found, struct adi_error *error) {
    if (found == NULL)
        return adi_error_set(error, EINVAL, "adi_adapter of '%s' returned NULL", path);
    if (found->version != ADI_ADAPTER_VERSION)
        return adi_error_set(error, EINVAL, "'%s' is an adapter of version %u; this is version %d",
                             path, found->version, ADI_ADAPTER_VERSION);
    if (found->size < FIRST_SIZE)
        return adi_error_set(error, EINVAL,
                             "the adapter of '%s' is smaller (%u bytes) than version %d's (%zu)",
                             path, found->size, ADI_ADAPTER_VERSION, FIRST_SIZE);
    return 0;
}

/* The adapter's own structure is what its functions expect: they may have more behind it. */
static struct adi_adapter *complete(struct adi_adapter *found) {
    static struct adi_adapter copy;
    if (found->size >= sizeof copy) return found;
    copy = (struct adi_adapter){0};
    memcpy(&copy, found, found->size);
    return &copy;
}

static void load_stand_ins(void) {
    const struct adi_device_ops *ops;
    for (size_t i = 0; (ops = adi_device_at(i)) != NULL; i++)
        if (ADI_DEVICE_HAS(ops, stand_in)) ops->stand_in();
}

static struct adi_adapter *stand_in;

void adi_adapter_stand_in(struct adi_adapter *adapter) {
    stand_in = adapter;
}

int adi_adapter_load(const char *path, struct adi_adapter **out, struct adi_error *error) {
    struct adi_adapter *found;
    int code;
    if (path == NULL) {
        found = stand_in != NULL ? stand_in : adi_reference_adapter();
    } else {
        ADI_TRY(adi_adapter_look(path, error));
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) {
            load_stand_ins();
            library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        }
        if (library == NULL && (code = adi_shortage()) != 0)
            return adi_error_set(error, code, "cannot load '%s': %s", path, strerror(code));
        if (library == NULL)
            return adi_error_set(error, EINVAL, "cannot load '%s': %s", path,
                                 loader_sentence(path));
        struct adi_adapter *(*get)(void);
        *(void **)&get = dlsym(library, "adi_adapter");
        if (get == NULL)
            return adi_error_set(error, EINVAL, "'%s' does not export adi_adapter", path);
        found = get();
    }
    ADI_TRY(check(path == NULL ? "the reference" : path, found, error));
    *out = complete(found);
    return 0;
}
