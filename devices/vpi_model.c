/* SPDX-License-Identifier: Apache-2.0 */
#include "vpi_model.h"

#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/vpi.h"
#include "installed.h"

#define TICKS_AT_FIRST 6 /* enough for a latency that nobody has changed */
#define TICKS_AT_ONCE  1024
#define TICKS_LIMIT    200000 /* a DMA that takes longer is not going to end */
#define LENGTH(array)  (sizeof(array) / sizeof *(array))

/* What is called in the library: FUNCTION(result, name, parameters). */
#define FUNCTIONS(FUNCTION)                                                                        \
    FUNCTION(int, adi_vpi_model_open, (int))                                                       \
    FUNCTION(void, adi_vpi_model_run, (int, uint64_t))                                             \
    FUNCTION(void, adi_vpi_model_watch, (void (*)(int, int, uint64_t, uint64_t)))                  \
    FUNCTION(adi_vpi_handle, vpi_handle_by_name, (char *, adi_vpi_handle))                         \
    FUNCTION(int32_t, vpi_get, (int32_t, adi_vpi_handle))                                          \
    FUNCTION(void, vpi_get_value, (adi_vpi_handle, struct adi_vpi_value *))                        \
    FUNCTION(adi_vpi_handle, vpi_put_value,                                                        \
             (adi_vpi_handle, struct adi_vpi_value *, void *, int32_t))                            \
    FUNCTION(void *, svGetScopeFromName, (const char *))                                           \
    FUNCTION(void *, svSetScope, (void *))                                                         \
    FUNCTION(void, dma_memory_stage, (const uint32_t *))                                           \
    FUNCTION(void, dma_memory_peek, (uint64_t, uint32_t *))                                        \
    FUNCTION(uint8_t, dma_memory_flags, (void))

/* Its registers, and how many bits they have. */
#define REGISTERS(REGISTER)                                                                        \
    REGISTER(map_base, 64)                                                                         \
    REGISTER(map_bytes, 64)                                                                        \
    REGISTER(dma_address, 64)                                                                      \
    REGISTER(dma_bytes, 64)                                                                        \
    REGISTER(dma_latency, 64)                                                                      \
    REGISTER(dma_command, 8)                                                                       \
    REGISTER(dma_start, 1)                                                                         \
    REGISTER(dma_busy, 1)                                                                          \
    REGISTER(dma_done, 1)                                                                          \
    REGISTER(dma_error, 1)                                                                         \
    REGISTER(dma_sum, 64)                                                                          \
    REGISTER(dma_staging, 8 * ADI_VPI_PAGE)                                                        \
    REGISTER(port_address, 64)                                                                     \
    REGISTER(port_command, 8)                                                                      \
    REGISTER(port_request, 1)                                                                      \
    REGISTER(port_view, 8 * ADI_VPI_PAGE)

enum {
#define REGISTER(name, bits) name,
    REGISTERS(REGISTER)
#undef REGISTER
    N_REGISTERS
};

static const struct {
    const char *name;
    int bits;
} registers[] = {
#define REGISTER(name, bits) {#name, bits},
    REGISTERS(REGISTER)
#undef REGISTER
};

struct adi_vpi_model {
    int id;
    void *scope; /* NULL: not open yet */
    bool ours;   /* the engine was idle under this lock: nobody else can have given it a command */
    adi_vpi_handle handles[N_REGISTERS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool is_locked; /* by this thread */
static struct adi_vpi_model models[ADI_VPI_MODELS];
static struct {
    char path[PATH_MAX];
    void *handle;
    bool by_vpi_only;
#define FUNCTION(result, name, parameters) result(*name) parameters;
    FUNCTIONS(FUNCTION)
#undef FUNCTION
} library;

void adi_vpi_lock(void) {
    pthread_mutex_lock(&lock);
    is_locked = true;
    for (int i = 0; i < ADI_VPI_MODELS; i++) models[i].ours = false;
}

bool adi_vpi_is_locked(void) {
    return is_locked;
}

void adi_vpi_unlock(void) {
    is_locked = false;
    pthread_mutex_unlock(&lock);
}

bool adi_vpi_is_ours(int id) {
    return models[id].ours;
}

const char *adi_vpi_library(void) {
    return library.path;
}

/* ---- finding and loading ---- */

/* Leaves the path in library.path: a build has it there, seen from its command, or from the tests
 * or a variant. */
static bool find(const char *name) {
    static const char *const folders[] = {"sim/vpi/", "../sim/vpi/", ""};
    char file[64];
    bool found = false;
    for (size_t i = 0; i < LENGTH(folders) && !found; i++) {
        snprintf(file, sizeof file, "%s%s", folders[i], name);
        found = adi_find_installed_file(file, library.path);
    }
    return found;
}

static int find_library(struct adi_error *error) {
    const char *setting = getenv("ADI_VPI_MODEL");
    if (setting != NULL && *setting != '\0') {
        snprintf(library.path, sizeof library.path, "%s", setting);
        return 0;
    }
    if (find("libadivpi.so")) return 0;
    if (find("libadivpi.log"))
        return adi_error_set(error, ENOENT, "its model did not build; %.400s says why",
                             library.path);
    return adi_error_set(error, ENOENT,
                         "its model was not built, for want of Verilator; type: make deps all");
}

static int read_setting(struct adi_error *error) {
    const char *setting = getenv("ADI_VPI");
    if (setting == NULL || *setting == '\0' || strcmp(setting, "dpi") == 0) return 0;
    library.by_vpi_only = strcmp(setting, "vpi") == 0;
    if (library.by_vpi_only) return 0;
    if (strcmp(setting, "off") == 0) return adi_error_set(error, ECANCELED, "ADI_VPI=off");
    return adi_error_set(error, EINVAL, "ADI_VPI=%.100s; it may be dpi, vpi or off", setting);
}

static int find_functions(void *handle, struct adi_error *error) {
#define FUNCTION(result, name, parameters)                                                         \
    *(void **)(void *)&library.name = dlsym(handle, #name);                                        \
    if (library.name == NULL)                                                                      \
        return adi_error_set(error, EPROTO, "%.300s has no %s; it is no model of ours",            \
                             library.path, #name);
    FUNCTIONS(FUNCTION)
#undef FUNCTION
    return 0;
}

int adi_vpi_load(struct adi_error *error) {
    if (library.handle != NULL) return 0;
    ADI_TRY(read_setting(error));
    ADI_TRY(find_library(error));
    void *handle = dlopen(library.path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return adi_error_set(error, ENOENT, "%s", dlerror());
    int code = find_functions(handle, error);
    if (code == 0)
        library.handle = handle;
    else
        dlclose(handle);
    return code;
}

/* ---- registers ---- */

static void put(struct adi_vpi_model *model, int at, uint64_t value) {
    struct adi_vpi_word words[2] = {{(uint32_t)value, 0}, {(uint32_t)(value >> 32), 0}};
    struct adi_vpi_value to = {ADI_VPI_VECTOR_VAL, {.vector = words}};
    library.vpi_put_value(model->handles[at], &to, NULL, ADI_VPI_NO_DELAY);
}

static const struct adi_vpi_word *get_words(struct adi_vpi_model *model, int at) {
    struct adi_vpi_value from = {.format = ADI_VPI_VECTOR_VAL};
    library.vpi_get_value(model->handles[at], &from);
    return from.value.vector;
}

static uint64_t get(struct adi_vpi_model *model, int at) {
    const struct adi_vpi_word *words = get_words(model, at);
    return registers[at].bits <= 32 ? words[0].aval : (uint64_t)words[1].aval << 32 | words[0].aval;
}

void adi_vpi_model_tell(void (*seen)(int id, int what, uint64_t address, uint64_t bytes)) {
    library.adi_vpi_model_watch(seen);
}

int adi_vpi_model(int64_t id, struct adi_vpi_model **out, struct adi_error *error) {
    ADI_TRY(adi_vpi_load(error));
    if (id < 0 || id >= ADI_VPI_MODELS || library.adi_vpi_model_open((int)id) != 0)
        return adi_error_set(error, ENODEV, "there is no vpi:%" PRId64 "; there are 0 to %d", id,
                             ADI_VPI_MODELS - 1);
    struct adi_vpi_model *model = *out = &models[id];
    if (model->scope != NULL) return 0;

    char scope[32], name[64];
    snprintf(scope, sizeof scope, ADI_VPI_SCOPE, (int)id);
    for (int i = 0; i < N_REGISTERS; i++) {
        snprintf(name, sizeof name, "%s.%s", scope, registers[i].name);
        if (model->handles[i] == NULL) model->handles[i] = library.vpi_handle_by_name(name, NULL);
        if (model->handles[i] == NULL ||
            library.vpi_get(ADI_VPI_SIZE, model->handles[i]) != registers[i].bits)
            return adi_error_set(error, EPROTO, "%.300s has no %s of %d bits; build it again",
                                 library.path, name, registers[i].bits);
    }
    if (get(model, map_base) != ADI_VPI_BASE || get(model, map_bytes) != ADI_VPI_BYTES)
        return adi_error_set(error, EPROTO, "%.300s has another memory map; build it again",
                             library.path);
    model->id = (int)id;
    model->scope = library.svGetScopeFromName(scope);
    return 0;
}

/* ---- the engine and the port ---- */

/* A set of adi_vpi_flags. */
static unsigned flags(struct adi_vpi_model *model) {
    static const struct {
        int at;
        unsigned flag;
    } rows[] = {{dma_start, ADI_VPI_STARTED},
                {dma_busy, ADI_VPI_BUSY},
                {dma_done, ADI_VPI_DONE},
                {dma_error, ADI_VPI_ERROR}};
    if (!library.by_vpi_only) {
        library.svSetScope(model->scope);
        return library.dma_memory_flags();
    }
    unsigned set = 0;
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (get(model, rows[i].at) != 0) set |= rows[i].flag;
    return set;
}

static bool is_idle(struct adi_vpi_model *model) {
    return (flags(model) & (ADI_VPI_STARTED | ADI_VPI_BUSY)) == 0;
}

bool adi_vpi_in_flight(struct adi_vpi_model *model, enum adi_vpi_dma_command *command,
                       uint64_t *address, uint64_t *bytes) {
    if (is_idle(model)) return false;
    *command = (enum adi_vpi_dma_command)get(model, dma_command);
    *address = get(model, dma_address);
    *bytes = get(model, dma_bytes);
    return true;
}

bool adi_vpi_is_only_started(struct adi_vpi_model *model) {
    return (flags(model) & ADI_VPI_STARTED) != 0;
}

/* Lets ticks pass until the engine is done with the command that it was given, whoever did. */
static int until_done(struct adi_vpi_model *model, struct adi_error *error) {
    uint64_t ticks = 0, step = TICKS_AT_FIRST;
    do {
        if (ticks == TICKS_LIMIT)
            return adi_error_set(error, ETIMEDOUT,
                                 "the DMA engine of vpi:%d has not raised dma_done after %" PRIu64
                                 " ticks, for %" PRIu64 " bytes at 0x%" PRIx64
                                 "; see dma_stuck and dma_latency of the model",
                                 model->id, ticks, get(model, dma_bytes), get(model, dma_address));
        library.adi_vpi_model_run(model->id, step);
        ticks += step;
        step = step < TICKS_AT_ONCE ? 2 * step : TICKS_AT_ONCE;
        if (step > TICKS_LIMIT - ticks) step = TICKS_LIMIT - ticks;
    } while ((flags(model) & ADI_VPI_DONE) == 0);
    return 0;
}

/* Nobody else's command is left, neither under way nor started behind that one: it would take our
 * bytes and our address. */
static int take(struct adi_vpi_model *model, struct adi_error *error) {
    while (!model->ours && !is_idle(model)) ADI_TRY(until_done(model, error));
    model->ours = true;
    return 0;
}

int adi_vpi_stage(struct adi_vpi_model *model, uint64_t address, const void *from, uint64_t bytes,
                  struct adi_error *error) {
    static uint32_t words[ADI_VPI_PAGE_WORDS]; /* what is beside the piece does not matter */
    ADI_TRY(take(model, error));
    memcpy((char *)words + address % ADI_VPI_PAGE, from, bytes);
    for (int i = 0; i < ADI_VPI_PAGE_WORDS; i++) words[i] = le32toh(words[i]);
    if (library.by_vpi_only) {
        struct adi_vpi_word vector[ADI_VPI_PAGE_WORDS];
        for (int i = 0; i < ADI_VPI_PAGE_WORDS; i++) vector[i] = (struct adi_vpi_word){words[i], 0};
        struct adi_vpi_value to = {ADI_VPI_VECTOR_VAL, {.vector = vector}};
        library.vpi_put_value(model->handles[dma_staging], &to, NULL, ADI_VPI_NO_DELAY);
    } else {
        library.svSetScope(model->scope);
        library.dma_memory_stage(words);
    }
    return 0;
}

int adi_vpi_dma(struct adi_vpi_model *model, enum adi_vpi_dma_command command, uint64_t address,
                uint64_t bytes, struct adi_error *error) {
    ADI_TRY(take(model, error));
    put(model, dma_address, address);
    put(model, dma_bytes, bytes);
    put(model, dma_command, command);
    put(model, dma_start, 1);
    ADI_TRY(until_done(model, error));
    if ((flags(model) & ADI_VPI_ERROR) == 0) return 0;
    return adi_error_set(error, EIO,
                         "the DMA engine of vpi:%d refuses command %d for %" PRIu64
                         " bytes at 0x%" PRIx64,
                         model->id, (int)command, bytes, address);
}

uint64_t adi_vpi_sum(struct adi_vpi_model *model) {
    return get(model, dma_sum);
}

static void ask_port(struct adi_vpi_model *model, enum adi_vpi_port_command command,
                     uint64_t address) {
    put(model, port_address, address);
    put(model, port_command, command);
    put(model, port_request, get(model, port_request) ^ 1);
    library.adi_vpi_model_run(model->id, 0);
}

void adi_vpi_peek(struct adi_vpi_model *model, uint64_t address, void *to, uint64_t bytes) {
    uint32_t words[ADI_VPI_PAGE_WORDS];
    if (library.by_vpi_only) {
        ask_port(model, ADI_VPI_PORT_PEEK, address);
        const struct adi_vpi_word *vector = get_words(model, port_view);
        for (int i = 0; i < ADI_VPI_PAGE_WORDS; i++) words[i] = vector[i].aval;
    } else {
        library.svSetScope(model->scope);
        library.dma_memory_peek(address, words);
    }
    for (int i = 0; i < ADI_VPI_PAGE_WORDS; i++) words[i] = htole32(words[i]);
    memcpy(to, (const char *)words + address % ADI_VPI_PAGE, bytes);
}

void adi_vpi_forget(struct adi_vpi_model *model, uint64_t address) {
    ask_port(model, ADI_VPI_PORT_FORGET, address);
}
