/* SPDX-License-Identifier: Apache-2.0
 *
 * The fuzzers over their committed seeds, and that the seeds are what they are meant to be: few,
 * small, and for `shape` enough to plant each malformation.
 */
#include <check.h>
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <string.h>

#include "fuzz.h"
#include "life_sample.h"
#include "life_seeds.h"
#include "program.h"
#include "rule.h"
#include "shape_malformations.h"

Suite *fuzz_corpus_suite(void);

#define CORPUS     "tests/fuzz/corpus"
#define SEEDS_MOST 400
#define BYTES_MOST 63
#define PROGRAMS   "tests/fuzz/life.seeds"

struct seed {
    uint8_t bytes[BYTES_MOST + 1];
    size_t count;
};

static struct seed *read_seed(const char *name, const char *file) {
    static struct seed seed;
    char path[PATH_MAX];
    snprintf(path, sizeof path, CORPUS "/%s/%s", name, file);
    FILE *from = fopen(path, "rbe");
    ck_assert_msg(from != NULL, "%s cannot be read", path);
    seed.count = fread(seed.bytes, 1, sizeof seed.bytes, from);
    fclose(from);
    ck_assert_msg(seed.count <= BYTES_MOST, "%s is too large", path);
    return &seed;
}

/* Calls the fuzzer with bytes of their own, so that a read past the end is seen. */
static void call_with(const uint8_t *seed, size_t count, void (*call)(const uint8_t *, size_t)) {
    uint8_t *bytes = malloc(count + 1);
    uint8_t *end = bytes + 1;
    memcpy(end, seed, count);
    call(end, count);
    free(bytes);
}

static int for_each_program(void (*call)(const uint8_t *, size_t)) {
    uint8_t bytes[ADI_PROGRAM_BYTES];
    size_t steps;
    int count = 0;
    FILE *from = fopen(PROGRAMS, "re");
    ck_assert_msg(from != NULL, "there is no %s", PROGRAMS);
    for (; life_seed_next(from, bytes, &steps); count++) {
        ck_assert_msg(steps <= BYTES_MOST, "program %d of %s is too long", count, PROGRAMS);
        call_with(bytes, steps, call);
    }
    fclose(from);
    return count;
}

/* Calls the fuzzer with every seed; how many there are. */
static int for_each_seed(const char *name, void (*call)(const uint8_t *, size_t)) {
    char path[PATH_MAX];
    int count = 0;
    if (strcmp(name, "life") == 0) return for_each_program(call);
    snprintf(path, sizeof path, CORPUS "/%s", name);
    DIR *folder = opendir(path);
    ck_assert_msg(folder != NULL, "there is no %s", path);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        const struct seed *seed = read_seed(name, entry->d_name);
        call_with(seed->bytes, seed->count, call);
        count++;
    }
    closedir(folder);
    return count;
}

static bool planted[256];

static void note_malformation(const uint8_t *bytes, size_t count) {
    static struct shape s;
    struct fuzz_input input = {bytes, count};
    int what = fuzz_byte(&input), node = fuzz_byte(&input), k = fuzz_byte(&input);
    shape_grow(&input, &s);
    if (shape_plant_from(what, &s, node, k) != NULL) planted[what] = true;
}

static void do_nothing(const uint8_t *bytes, size_t count) {
    (void)bytes;
    (void)count;
}

static const struct {
    const char *name;
    void (*call)(const uint8_t *, size_t);
} fuzzers[] = {
#define FUZZER(name) {#name, adi_fuzz_##name},
#include "fuzzers.def"
#undef FUZZER
};

#define FUZZERS ((int)(sizeof fuzzers / sizeof *fuzzers))

START_TEST(every_seed_is_judged_rightly)
{ ck_assert_int_gt(for_each_seed(fuzzers[_i].name, fuzzers[_i].call), 0); }
END_TEST

START_TEST(every_program_is_judged_alike_in_guarded_memory)
{
    life_in_guarded_memory();
    ck_assert_int_gt(for_each_seed("life", adi_fuzz_life), 0);
}
END_TEST

/* The first byte of each buffer is another. */
static int read_wrongly(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                        int64_t bytes, struct adi_error *error) {
    (void)device, (void)error;
    memcpy(to, (const char *)buffer + offset, (size_t)bytes);
    *(char *)to ^= 1;
    return 0;
}

START_TEST(a_finding_ends_the_fuzzer)
{
    struct adi_program program;
    uint8_t bytes[ADI_PROGRAM_BYTES];
    ck_assert_int_eq(adi_program_parse("e0 r0 x0", &program, NULL), 0);
    size_t count = adi_program_bytes(&program, bytes);
    adi_fuzz_life(bytes, count);
    struct adi_device *device = life_device();
    struct adi_device_ops ops = *device->ops;
    ops.read = read_wrongly;
    device->ops = &ops;
    adi_fuzz_life(bytes, count);
}
END_TEST

START_TEST(the_corpus_is_small)
{
    int count = 0;
    for (int i = 0; i < FUZZERS; i++) count += for_each_seed(fuzzers[i].name, do_nothing);
    ck_assert_int_le(count, SEEDS_MOST);
}
END_TEST

START_TEST(every_malformation_has_a_seed)
{
    for_each_seed("shape", note_malformation);
    for (int i = 0; shape_malformation(i) != NULL; i++)
        ck_assert_msg(planted[i], "no seed plants flaw %d: %s", i, shape_malformation(i)->what);
}
END_TEST

/* The host reaches every buffer of its own and has no events; tests/harness/defects.def has these.
 */
static bool is_elsewhere(const char *rule) {
    static const char *const rules[] = {"device/buffer-not-accessible", "sync/event-invalid",
                                        "sync/event-never-completes"};
    bool found = false;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        found = found || strcmp(rules[i], rule) == 0;
    return found;
}

START_TEST(every_predicate_has_a_malformation)
{
    const struct adi_rule *rule;
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++) {
        bool has = rule->finder != ADI_BY_CHECK || is_elsewhere(rule->id);
        for (int at = 0; shape_malformation(at) != NULL; at++)
            has = has || strcmp(shape_malformation(at)->rule, rule->id) == 0;
        ck_assert_msg(has, "no row of shape_malformations.def breaks %s", rule->id);
    }
}
END_TEST

/* The same on every machine: trees of random bytes, each malformation in many of them. */
START_TEST(random_bytes_are_judged_rightly)
{
    uint8_t bytes[96];
    uint32_t state = 1;
    for (int round = 0; round < 100; round++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            state = state * 1664525u + 1013904223u;
            bytes[i] = (uint8_t)(state >> 24);
        }
        for (int i = 0; i < 256; i++) {
            bytes[0] = (uint8_t)i;
            adi_fuzz_shape(bytes, sizeof bytes);
        }
    }
}
END_TEST

Suite *fuzz_corpus_suite(void) {
    Suite *suite = suite_create("fuzz_corpus");
    TCase *seeds = tcase_create("seeds");
    tcase_set_timeout(seeds, 60);
    tcase_add_loop_test(seeds, every_seed_is_judged_rightly, 0, FUZZERS);
    tcase_add_test(seeds, every_program_is_judged_alike_in_guarded_memory);
    tcase_add_test_raise_signal(seeds, a_finding_ends_the_fuzzer, SIGABRT);
    tcase_add_test(seeds, the_corpus_is_small);
    tcase_add_test(seeds, every_malformation_has_a_seed);
    tcase_add_test(seeds, every_predicate_has_a_malformation);
    tcase_add_test(seeds, random_bytes_are_judged_rightly);
    suite_add_tcase(suite, seeds);
    return suite;
}
