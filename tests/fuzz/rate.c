/* SPDX-License-Identifier: Apache-2.0
 *
 * What the judging costs: plays the programs in some folders again and again, as the fuzzer `life`
 * does, and as somebody would who only has the reference: the legal steps, on plain arrays, without
 * monitor, stage or guard. Prints both rates, in executions a second of processor time.
 *
 *   rate SECONDS FOLDER..
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <time.h>

#include "compare.h"
#include "export.h"
#include "fuzz.h"
#include "import.h"
#include "life_sample.h"
#include "model.h"
#include "move.h"

/* ---- without the monitor ---- */

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

static void play_plainly(const uint8_t *bytes, size_t count) {
    static struct adi_program program;
    struct adi_model model;
    const char *rule;
    adi_program_of_bytes(bytes, count, &program);
    adi_model_init(&model);
    for (size_t i = 0; i < program.n; i++) {
        const struct adi_step *step = &program.steps[i];
        enum adi_model_verdict verdict = adi_model_step(&model, step, &life_type, false, &rule);
        if (verdict == ADI_STEP_ILLEGAL) break;
        if (verdict == ADI_STEP_NOTHING || acts[step->operation] == NULL) continue;
        int code = acts[step->operation](step);
        FUZZ_REQUIRE(code == 0, "step %zu: %s", i + 1, strerror(code));
    }
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++) adi_device_array_release(&places[i].array);
}

/* ---- the programs ---- */

#define PROGRAMS_MOST 20000

static struct {
    uint8_t bytes[ADI_PROGRAM_STEPS];
    size_t n;
} programs[PROGRAMS_MOST];
static size_t n_programs;

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
        n_programs++;
    }
    closedir(entries);
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double play_all(void (*play)(const uint8_t *, size_t)) {
    double begin = seconds_now();
    for (size_t i = 0; i < n_programs; i++) play(programs[i].bytes, programs[i].n);
    return seconds_now() - begin;
}

int main(int argc, char **argv) {
    FUZZ_REQUIRE(argc >= 3, "usage: %s SECONDS FOLDER..", argv[0]);
    for (int i = 2; i < argc; i++) read_folder(argv[i]);
    FUZZ_REQUIRE(n_programs > 0, "there are no programs");
    double judged = 0, plain = 0, seconds = atof(argv[1]), played = 0;
    while (judged + plain < seconds) { /* by turns: the machine may have others to serve */
        judged += play_all(adi_fuzz_life);
        plain += play_all(play_plainly);
        played += (double)n_programs;
    }
    printf("%zu programs: %.0f a second judged, %.0f without the monitor (%.0f %%)\n", n_programs,
           played / judged, played / plain, 100 * plain / judged);
    return 0;
}
