/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine's own memory: it comes to a rest, and is not the program's.
 */
#include <check.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "sim/played.h"
#include "sim_heap.h"

Suite *sim_memory_suite(void);

#define BYTES SCENE_BYTES

START_TEST(pieces_are_whole_and_come_back)
{
    static unsigned char *pieces[400];
    size_t before = sim_heap_bytes();
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < 400; i++) {
            size_t bytes = i < 200 ? i : i * i;
            pieces[i] = sim_heap_new(bytes);
            ck_assert_ptr_nonnull(pieces[i]);
            ck_assert_uint_eq((uintptr_t)pieces[i] % 16, 0);
            memset(pieces[i], (int)i, bytes);
            pieces[i] = sim_heap_grow(pieces[i], bytes + 100);
            memset(pieces[i] + bytes, (int)i, 100);
        }
        for (size_t i = 0; i < 400; i++) {
            size_t bytes = (i < 200 ? i : i * i) + 100;
            size_t wrong = 0;
            for (size_t k = 0; k < bytes; k++) wrong += pieces[i][k] != (unsigned char)i;
            ck_assert_uint_eq(wrong, 0);
            sim_heap_free(pieces[i]);
        }
        ck_assert_uint_eq(sim_heap_bytes(), before);
    }
    ck_assert_ptr_null(sim_heap_new(SIZE_MAX));
    unsigned char *zeroed = sim_heap_zeroed(64);
    for (size_t i = 0; i < 64; i++) ck_assert_uint_eq(zeroed[i], 0);
    sim_heap_free(zeroed);
    sim_heap_free(NULL);
}
END_TEST

static void nothing(void *unused) {
    (void)unused;
}

/* All there is but the making of handles, of which every one is remembered. */
static void use_all(void) {
    void *memory;
    char out[64];
    SIM_WANT(adi_sim_alloc_on(scene.q, BYTES, &memory) == 0);
    SIM_WANT(adi_sim_fill(scene.q, memory, 1, 2, BYTES / 2) == 0);
    SIM_WANT(adi_sim_event_record(scene.e, scene.q) == 0);
    SIM_WANT(adi_sim_event_wait(scene.r, scene.e) == 0);
    SIM_WANT(adi_sim_copy(scene.r, scene.managed, memory, BYTES, 0) == 0);
    SIM_WANT(adi_sim_copy(scene.r, scene.b, out, sizeof out, 0) == 0);
    SIM_WANT(adi_sim_copy(scene.r, out, memory, sizeof out, 0) == 0);
    SIM_WANT(adi_sim_host(scene.r, nothing, NULL) == 0);
    SIM_WANT(adi_sim_free_on(scene.r, memory) == 0);
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_PINNED, BYTES, &memory) == 0);
    SIM_WANT(adi_sim_free(memory) == 0);
    SIM_WANT(adi_sim_context_sync(scene.context) == 0);
}

/* What is freed is remembered as long as it is in quarantine. */
static void come_to_rest(void) {
    sim_scene_begin();
    for (int i = 0; i < 5000; i++) use_all();
    size_t engine = sim_heap_bytes(), program = mallinfo2().uordblks;
    for (int i = 0; i < 500; i++) use_all();
    SIM_WANT(sim_heap_bytes() == engine);
    SIM_WANT(mallinfo2().uordblks == program);
    sim_scene_end();
}

START_TEST(the_engine_comes_to_rest)
{ free(sim_play(come_to_rest, (struct sim_way){"lazy", 1}, 0)); }
END_TEST

Suite *sim_memory_suite(void) {
    Suite *suite = suite_create("sim_memory");
    TCase *tests = tcase_create("memory");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, pieces_are_whole_and_come_back);
    tcase_add_test(tests, the_engine_comes_to_rest);
    suite_add_tcase(suite, tests);
    return suite;
}
