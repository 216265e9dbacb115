/* SPDX-License-Identifier: Apache-2.0
 *
 * What the simulation takes of the machine: device memory only the pages that were used, and of
 * what is made and destroyed nothing that grows.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/played.h"

Suite *sim_resident_suite(void);

#define LARGE ((size_t)4 << 30)

/* Pages that are shared, which is what simulated memory is made of. */
static size_t resident(void) {
    size_t kilobytes = 0;
    char line[128];
    FILE *status = fopen("/proc/self/status", "r");
    SIM_WANT(status != NULL);
    while (fgets(line, sizeof line, status) != NULL) sscanf(line, "RssShmem: %zu", &kilobytes);
    fclose(status);
    return kilobytes * 1024;
}

static bool is_all(const char *bytes, size_t n, char value) {
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != value) return false;
    return true;
}

static void use_a_few_pages(void) {
    size_t page = sim_page_bytes();
    char *host = malloc(page);
    void *large, *on_queue;
    SIM_WANT(host != NULL);
    sim_scene_begin();
    size_t before = resident();
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, LARGE, &large) == 0);
    SIM_WANT(adi_sim_alloc_on(scene.q, LARGE, &on_queue) == 0);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(resident() - before < 64 * page);
    char *middle = (char *)large + LARGE / 2 / page * page;
    SIM_WANT(adi_sim_fill(scene.q, middle + 100, 7, 1, 8) == 0);
    SIM_WANT(adi_sim_copy(scene.q, host, middle, page, ADI_SIM_WAIT) == 0);
    SIM_WANT(is_all(host, 100, '\xde') && is_all(host + 100, 8, 7));
    SIM_WANT(is_all(host + 108, page - 108, '\xde'));
    SIM_WANT(adi_sim_copy(scene.q, host, (char *)large + LARGE - 64, 64, ADI_SIM_WAIT) == 0);
    SIM_WANT(is_all(host, 64, '\xde'));
    SIM_WANT(resident() - before < 64 * page);
    SIM_WANT(adi_sim_free(large) == 0);
    SIM_WANT(adi_sim_free(on_queue) == 0);
    sim_scene_end();
    free(host);
}

START_TEST(of_device_memory_only_what_is_used_is_resident)
{ sim_goes_well(use_a_few_pages, sim_ways()); }
END_TEST

/* What a block holds that is used again is nobody's to read. */
static void use_blocks_again(void) {
    static const size_t sizes[] = {64, 1000, 5000, 70000, 300000};
    static char host[300000];
    sim_scene_begin();
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        for (size_t round = 0; round < 4200; round++) {
            size_t bytes = sizes[size];
            void *made;
            SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, bytes, &made) == 0);
            if (round % 100 == 99) {
                SIM_WANT(adi_sim_copy(scene.q, host, made, bytes, ADI_SIM_WAIT) == 0);
                SIM_WANT(is_all(host, bytes, '\xde'));
            }
            SIM_WANT(adi_sim_fill(scene.q, made, 1, 1, bytes) == 0);
            SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
            SIM_WANT(adi_sim_free(made) == 0);
        }
    }
    sim_scene_end();
}

START_TEST(a_block_that_is_used_again_holds_poison)
{ free(sim_play(use_blocks_again, (struct sim_way){"eager", 1}, 0)); }
END_TEST

/* A kernel is handed all of its operands; and a page that a touch opens has poison, of its
 * neighbours, too, that nobody has used. */
static bool found;

static void look(const struct adi_sim_operand *operands, void *state) {
    (void)state;
    found = is_all(operands[0].pointer, operands[0].bytes, '\xde');
}

static void look_at_all(void) {
    void *large, *small[4];
    sim_scene_begin();
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, 3 << 20, &large) == 0);
    struct adi_sim_operand all = {large, 3 << 20, false};
    SIM_WANT(adi_sim_launch(scene.q, look, NULL, &all, 1) == 0);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(found);
    SIM_WANT(adi_sim_free(large) == 0);
    for (size_t i = 0; i < 4; i++)
        SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, 64, &small[i]) == 0);
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, 3 << 20, &large) == 0);
    for (size_t i = 0; i < 4; i++) SIM_WANT(*at(small[i], i) == '\xde');
    SIM_WANT(*at(large, 1 << 20) == '\xde' && *at(large, (3 << 20) - 1) == '\xde');
    for (size_t i = 0; i < 4; i++) SIM_WANT(adi_sim_free(small[i]) == 0);
    SIM_WANT(adi_sim_free(large) == 0);
    sim_scene_end();
}

START_TEST(kernels_and_touches_meet_poison_where_nobody_has_written)
{ sim_is_named(look_at_all, "device-memory-touched", SIM_AT_LEAST_ONCE); }
END_TEST

Suite *sim_resident_suite(void) {
    Suite *suite = suite_create("sim_resident");
    TCase *tests = tcase_create("resident");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, of_device_memory_only_what_is_used_is_resident);
    tcase_add_test(tests, a_block_that_is_used_again_holds_poison);
    tcase_add_test(tests, kernels_and_touches_meet_poison_where_nobody_has_written);
    suite_add_tcase(suite, tests);
    return suite;
}
