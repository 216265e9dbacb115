/* SPDX-License-Identifier: Apache-2.0
 *
 * What the judging costs: plays the programs in some folders again and again, as the fuzzer `life`
 * does; without the monitor, in the same memory; and as somebody would who only has the reference,
 * on plain arrays; programs with streams are left out. So is what is illegal where nobody would see
 * it. Prints the rates, in executions a second of processor time.
 *
 *   rate SECONDS FOLDER..
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <time.h>

#include "compare.h"
#include "execution.h"
#include "export.h"
#include "fuzz.h"
#include "import.h"
#include "life_sample.h"
#include "model.h"
#include "monitor.h"
#include "move.h"

/* ---- without the monitor: the linker puts these around its functions (--wrap) ---- */

static bool blind;

#define REAL(type, name, ...)                                                                      \
    type __real_adi_monitor_##name(__VA_ARGS__);                                                   \
    type __wrap_adi_monitor_##name(__VA_ARGS__);                                                   \
    type __wrap_adi_monitor_##name(__VA_ARGS__)

REAL(bool, judge, struct adi_monitor *monitor, enum adi_life_operation operation,
     const void *place) {
    return blind || __real_adi_monitor_judge(monitor, operation, place);
}

REAL(void, pending, struct adi_monitor *monitor, size_t first) {
    if (!blind) __real_adi_monitor_pending(monitor, first);
}

REAL(void, moved, struct adi_monitor *monitor, const void *from, void *to) {
    if (!blind) __real_adi_monitor_moved(monitor, from, to);
}

REAL(void, waited, struct adi_monitor *monitor, const void *place) {
    if (!blind) __real_adi_monitor_waited(monitor, place);
}

REAL(bool, enter, struct adi_monitor *monitor, long index, void *self) {
    return blind || __real_adi_monitor_enter(monitor, index, self);
}

REAL(void, leave, struct adi_monitor *monitor, long index, void *self) {
    if (!blind) __real_adi_monitor_leave(monitor, index, self);
}

REAL(void, finish, struct adi_monitor *monitor) {
    if (!blind) __real_adi_monitor_finish(monitor);
}

/* ---- on plain arrays ---- */

struct place {
    struct ArrowDeviceArray array;
    const struct ArrowSchema *schema;
    const struct ArrowArray *wanted;
};

static struct place places[ADI_PROGRAM_SLOTS];

static int produce(const struct adi_step *step) {
    struct ArrowArray host;
    struct place *to = &places[step->slot];
    ADI_TRY(adi_export(&life_array, (struct adi_owner){0}, &host, NULL));
    to->schema = &life_type;
    to->wanted = &life_array;
    return adi_produce(life_device(), &life_type, &host, &to->array, NULL);
}

static int move(const struct adi_step *step) {
    struct place *from = &places[step->slot], *to = &places[step->to];
    to->schema = from->schema;
    to->wanted = from->wanted;
    adi_device_array_move(&from->array, &to->array);
    return 0;
}

static int relay(const struct adi_step *step) {
    struct place *from = &places[step->slot], *to = &places[step->to];
    to->schema = from->schema;
    to->wanted = from->wanted;
    return adi_import(life_device(), from->schema, &from->array, &to->array, NULL);
}

static int part(const struct adi_step *step) {
    struct place *from = &places[step->slot], *to = &places[step->to];
    struct ArrowArray *parent = &from->array.array;
    bool dictionary = step->operation == ADI_DO_move_dictionary;
    to->array = from->array;
    to->schema = dictionary ? from->schema->dictionary : from->schema->children[step->child];
    to->wanted = dictionary ? from->wanted->dictionary : from->wanted->children[step->child];
    adi_array_move(dictionary ? parent->dictionary : parent->children[step->child],
                   &to->array.array);
    return 0;
}

static int await(const struct adi_step *step) {
    return life_device()->ops->wait(life_device(), places[step->slot].array.sync_event, NULL);
}

static int look(const struct adi_step *step) {
    const struct place *at = &places[step->slot];
    struct ArrowArray copy;
    ADI_TRY(adi_copy_to_host(life_device(), at->schema, &at->array, &copy, NULL));
    int code = adi_array_compare(at->schema, &copy, at->schema, at->wanted, NULL);
    adi_array_release(&copy);
    return code;
}

static int release(const struct adi_step *step) {
    adi_device_array_release(&places[step->slot].array);
    return 0;
}

static int consume(const struct adi_step *step) {
    ADI_TRY(await(step));
    ADI_TRY(look(step));
    return release(step);
}

static int (*const acts[ADI_LIFE_OPERATIONS])(const struct adi_step *) = {
    [ADI_DO_export] = produce,
    [ADI_DO_export_pending] = produce,
    [ADI_DO_move] = move,
    [ADI_DO_move_child] = part,
    [ADI_DO_move_dictionary] = part,
    [ADI_DO_wait] = await,
    [ADI_DO_read] = look,
    [ADI_DO_relay] = relay,
    [ADI_DO_consume] = consume,
    [ADI_DO_release] = release,
};

static int step_plainly(const struct adi_step *step) {
    return acts[step->operation] == NULL ? 0 : acts[step->operation](step);
}

static int step_blindly(const struct adi_step *step) {
    if (step->operation == ADI_DO_release_elsewhere) return 0;
    return adi_execution_step(life_execution(), step);
}

/* The legal steps. */
static void play(const uint8_t *bytes, size_t count, int (*act)(const struct adi_step *)) {
    static struct adi_program program;
    struct adi_model model;
    const char *rule;
    adi_program_of_bytes(bytes, count, &program);
    adi_model_init(&model);
    for (size_t i = 0; i < program.n; i++) {
        const struct adi_step *step = &program.steps[i];
        enum adi_model_verdict verdict = adi_model_step(&model, step, &life_type, false, &rule);
        if (verdict == ADI_STEP_ILLEGAL) break;
        int code = verdict == ADI_STEP_NOTHING ? 0 : act(step);
        FUZZ_REQUIRE(code == 0, "step %zu: %s", i + 1, strerror(code));
    }
}

static void play_plainly(const uint8_t *bytes, size_t count) {
    play(bytes, count, step_plainly);
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++) adi_device_array_release(&places[i].array);
}

static void play_blindly(const uint8_t *bytes, size_t count) {
    blind = true;
    play(bytes, count, step_blindly);
    int code = adi_execution_restart(life_execution());
    FUZZ_REQUIRE(code == 0, "%s", strerror(code));
    blind = false;
}

/* ---- the programs ---- */

#define PROGRAMS_MOST 20000

static struct {
    uint8_t bytes[ADI_PROGRAM_BYTES];
    size_t n;
} programs[PROGRAMS_MOST];
static size_t n_programs;

/* What is played on plain arrays, too. */
static bool is_of_arrays(const uint8_t *bytes, size_t count) {
    static struct adi_program program;
    adi_program_of_bytes(bytes, count, &program);
    for (size_t i = 0; i < program.n; i++) {
        enum adi_life_kind kind = adi_life_kind_of_operation(program.steps[i].operation);
        if (kind != ADI_LIFE_array && kind != ADI_LIFE_place) return false;
    }
    return true;
}

static void read_folder(const char *folder) {
    char path[PATH_MAX];
    DIR *entries = opendir(folder);
    FUZZ_REQUIRE(entries != NULL, "%s: %s", folder, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        if (entry->d_name[0] == '.' || n_programs == PROGRAMS_MOST) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "rbe");
        FUZZ_REQUIRE(file != NULL, "%s: %s", path, strerror(errno));
        programs[n_programs].n =
            fread(programs[n_programs].bytes, 1, sizeof programs[n_programs].bytes, file);
        fclose(file);
        n_programs += is_of_arrays(programs[n_programs].bytes, programs[n_programs].n);
    }
    closedir(entries);
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double play_all(void (*way)(const uint8_t *, size_t)) {
    double begin = seconds_now();
    for (size_t i = 0; i < n_programs; i++) way(programs[i].bytes, programs[i].n);
    return seconds_now() - begin;
}

int main(int argc, char **argv) {
    FUZZ_REQUIRE(argc >= 3, "usage: %s SECONDS FOLDER..", argv[0]);
    for (int i = 2; i < argc; i++) read_folder(argv[i]);
    FUZZ_REQUIRE(n_programs > 0, "there are no programs");
    double judged = 0, unseen = 0, plain = 0, played = 0;
    while (judged + unseen + plain < atof(argv[1])) { /* by turns: the machine may serve others */
        judged += play_all(adi_fuzz_life);
        unseen += play_all(play_blindly);
        plain += play_all(play_plainly);
        played += (double)n_programs;
    }
    printf("%zu programs a second of a core: %.0f judged, %.0f without the monitor (%.0f %%), "
           "%.0f on plain arrays (%.0f %%)\n",
           n_programs, played / judged, played / unseen, 100 * unseen / judged, played / plain,
           100 * plain / judged);
    return 0;
}
