/* SPDX-License-Identifier: Apache-2.0
 *
 * Which program is a DSP, and where it runs. What stands in for one is the same heap, compiled for
 * the host, in memory that lies elsewhere than its addresses say.
 */
#include "hexagon_dsp.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "environment.h"
#include "installed.h"

#define MACHINE "qemu-hexagon"
#define PROGRAM "hexagon_dsp"

enum way {
    UNKNOWN,
    UNDER_QEMU,
    BY_ITSELF,
    WITHIN
};

static struct {
    enum way way;
    char machine[PATH_MAX], program[PATH_MAX];
    struct adi_error remark;
} found;

static struct dsp {
    bool runs;
    pid_t owner;           /* which process has started it */
    struct adi_error lost; /* how it has ended; "": it has not */
    struct adi_hexagon_process process;
    struct adi_dsp_heap *heap; /* of what stands in for one */
    uint32_t asked, last;      /* requests, as ADI_DSP_START counts them */
} dsps[ADI_HEXAGON_DSPS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void adi_hexagon_lock(void) {
    pthread_mutex_lock(&lock);
}

void adi_hexagon_unlock(void) {
    pthread_mutex_unlock(&lock);
}

/* ---- which program ---- */

/* As a shell finds it. */
static bool find_machine(char out[PATH_MAX]) {
    const char *path = getenv("PATH");
    if (path == NULL) path = "/usr/local/bin:/usr/bin:/bin";
    while (*path != '\0') {
        int length = (int)strcspn(path, ":");
        snprintf(out, PATH_MAX, "%.*s/" MACHINE, length, path);
        if (length > 0 && access(out, X_OK) == 0) return true;
        path += length + (path[length] == ':');
    }
    return false;
}

static int need_machine(struct adi_error *error) {
    if (find_machine(found.machine)) return 0;
    return adi_error_set(error, ENODEV, "there is no " MACHINE "; type: make deps");
}

static bool is_for_hexagon(const char *path) {
    Elf32_Ehdr header = {0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    size_t n = fread(&header, sizeof header, 1, file);
    fclose(file);
    return n == 1 && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
           header.e_ident[EI_CLASS] == ELFCLASS32 && le16toh(header.e_machine) == EM_QDSP6;
}

/* The program that comes with this one. */
static int find_ours(struct adi_error *error) {
    if (!adi_find_installed_file(PROGRAM, found.program))
        return adi_error_set(error, ENODEV,
                             "its program was not built, for want of clang or lld; type: make "
                             "deps all");
    ADI_TRY(need_machine(error));
    found.way = UNDER_QEMU;
    return 0;
}

static int find_program(const char *path, struct adi_error *error) {
    if (realpath(path, found.program) == NULL || access(found.program, X_OK) != 0)
        return adi_error_set(
            error, ENODEV, "ADI_HEXAGON=%.200s: %s%s", path, strerror(errno),
            strchr(path, '/') != NULL ? "" : "; it may be real, sim, off or the path of a program");
    if (is_for_hexagon(found.program)) {
        ADI_TRY(need_machine(error));
        found.way = UNDER_QEMU;
    } else
        found.way = BY_ITSELF;
    return 0;
}

/* A DSP that starts here and now. */
static int try_one(struct adi_error *error) {
    if (adi_hexagon_runs(0)) return 0;
    ADI_TRY(adi_hexagon_start(0, error));
    adi_hexagon_end(0);
    return 0;
}

static void stand_in(const struct adi_error *why) {
    found.way = WITHIN;
    adi_error_set(&found.remark, 0, "the host's own instructions stand in for a DSP: %.300s",
                  why->text);
}

static int find(struct adi_error *error) {
    const char *setting = getenv("ADI_HEXAGON");
    struct adi_error why;
    if (BYTE_ORDER != LITTLE_ENDIAN)
        return adi_error_set(error, ENODEV, "a DSP is little-endian, and this machine is not");
    if (setting == NULL || *setting == '\0') {
        int code = find_ours(&why);
        if (code == 0) code = try_one(&why);
        if (code != 0) stand_in(&why);
        return 0;
    }
    if (strcmp(setting, "off") == 0) return adi_error_set(error, ECANCELED, "ADI_HEXAGON is off");
    if (strcmp(setting, "sim") == 0) {
        found.way = WITHIN;
        return 0;
    }
    ADI_TRY(strcmp(setting, "real") == 0 ? find_ours(error) : find_program(setting, error));
    int code = try_one(error);
    if (code != 0) found.way = UNKNOWN;
    return code;
}

int adi_hexagon_find(const char **runtime, struct adi_error *remark, struct adi_error *error) {
    static const char *const names[] = {
        [UNDER_QEMU] = MACHINE, [BY_ITSELF] = "a program", [WITHIN] = "simulated"};
    if (found.way == UNKNOWN) ADI_TRY(find(error));
    if (runtime != NULL) *runtime = names[found.way];
    if (remark != NULL) *remark = found.remark;
    return 0;
}

/* ---- what stands in for a DSP ---- */

static unsigned char own_window[ADI_HEXAGON_DSPS][ADI_DSP_WINDOW];
static int asked_now; /* of which DSP `in` and `out` are called */

static int window_in(void *to, uint32_t at, uint32_t bytes) {
    memcpy(to, own_window[asked_now] + at, bytes);
    return 0;
}

static int window_out(const void *from, uint32_t at, uint32_t bytes) {
    memcpy(own_window[asked_now] + at, from, bytes);
    return 0;
}

static int start_within(int id, struct adi_error *error) {
    struct dsp *dsp = &dsps[id];
    size_t bytes = sizeof *dsp->heap + ADI_HEXAGON_BYTES;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return adi_error_set(error, ENOMEM, "no memory for a DSP");
    dsp->heap = (void *)((char *)memory + ADI_HEXAGON_BYTES);
    dsp->heap->memory = memory;
    dsp->heap->base = ADI_HEXAGON_BASE(id);
    dsp->heap->in = window_in;
    dsp->heap->out = window_out;
    return 0;
}

static int serve_within(int id, const struct adi_dsp_request *request, struct adi_dsp_reply *reply,
                        struct adi_error *error) {
    if (dsps[id].asked == dsps[id].last) return adi_error_set(error, EIO, "it has ended");
    asked_now = id;
    adi_dsp_serve(dsps[id].heap, request, reply);
    return 0;
}

/* ---- one that runs ---- */

static int patience(void) {
    return (int)adi_setting_wait_ms(ADI_HEXAGON_MS);
}

bool adi_hexagon_runs(int id) {
    return dsps[id].runs && dsps[id].owner == getpid();
}

pid_t adi_hexagon_process(int id) {
    return adi_hexagon_runs(id) ? dsps[id].process.pid : 0;
}

unsigned char *adi_hexagon_window(int id) {
    return dsps[id].heap != NULL ? own_window[id] : dsps[id].process.window;
}

void adi_hexagon_end(int id) {
    struct dsp *dsp = &dsps[id];
    if (dsp->process.window != NULL) adi_hexagon_reap(&dsp->process);
    if (dsp->heap != NULL) munmap(dsp->heap->memory, sizeof *dsp->heap + ADI_HEXAGON_BYTES);
    *dsp = (struct dsp){0};
}

int adi_hexagon_say_lost(int id, struct adi_error *error) {
    const char *how = dsps[id].lost.text;
    return adi_error_set(error, EIO, "the DSP of hexagon:%d is lost: %.300s", id,
                         how[0] != '\0' ? how : "another process has started it");
}

static bool is_code(int32_t code) {
    return code == 0 || code == EIO || code == ENOMEM || code == EFAULT || code == EINVAL;
}

int adi_hexagon_ask(int id, const struct adi_dsp_request *request, struct adi_dsp_reply *reply,
                    struct adi_error *error) {
    struct dsp *dsp = &dsps[id];
    struct adi_error why = {""};
    if (!adi_hexagon_runs(id)) return adi_hexagon_say_lost(id, error);
    dsp->asked++;
    int code = dsp->heap != NULL
                   ? serve_within(id, request, reply, &why)
                   : adi_hexagon_exchange(&dsp->process, request, reply, patience(), &why);
    if (code == 0 && is_code(reply->code)) return reply->code;
    if (code == 0) code = adi_error_set(&why, EIO, "its reply has code %" PRId32, reply->code);
    adi_hexagon_end(id);
    dsp->lost = why;
    adi_hexagon_say_lost(id, error);
    return code;
}

/* Sees to it that no process of ours is left when this one ends in order. */
static void end_all(void) {
    for (int id = 0; id < ADI_HEXAGON_DSPS; id++) adi_hexagon_kill(adi_hexagon_process(id));
}

static int introduce(int id, uint32_t last, struct adi_error *error) {
    struct adi_dsp_request request = {ADI_DSP_START, ADI_HEXAGON_BASE(id), ADI_HEXAGON_BYTES, last};
    struct adi_dsp_reply reply = {0};
    int code = adi_hexagon_ask(id, &request, &reply, error);
    if (code == 0 && reply.sum == ADI_DSP_VERSION) return 0;
    if (!adi_hexagon_runs(id)) return code;
    adi_hexagon_end(id);
    return adi_error_set(error, ENODEV, "%s is no program of a DSP, or of another version",
                         found.program);
}

int adi_hexagon_start(int id, struct adi_error *error) {
    static bool is_noted;
    struct dsp *dsp = &dsps[id];
    if (adi_hexagon_runs(id)) return 0;
    if (dsp->runs) adi_hexagon_end(id);
    const char *machine = found.way == UNDER_QEMU ? found.machine : NULL;
    ADI_TRY(found.way == WITHIN ? start_within(id, error)
                                : adi_hexagon_spawn(machine, found.program, &dsp->process, error));
    if (!is_noted) atexit(end_all);
    is_noted = true;
    dsp->runs = true;
    dsp->owner = getpid();
    dsp->last = adi_setting_number("ADI_HEXAGON_LOSE");
    if (found.way != WITHIN) return introduce(id, dsp->last, error);
    dsp->asked = 1; /* where there is nobody to introduce oneself to */
    return 0;
}
