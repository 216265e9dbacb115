/* SPDX-License-Identifier: Apache-2.0
 *
 * What a layer knows of objects: which records stay when there is no room, and who holds what.
 */
#include <check.h>
#include <stdlib.h>

#include "layers/tracked.h"

Suite *devices_tracked_suite(void);

#define ROOM (TRACKED_RECORDS / 2)

struct object {
    TRACKED;
    uint64_t mine; /* a layer's own */
};

static struct object objects[TRACKED_RECORDS];
TRACKED_STORE(objects, true)

static struct object *add(uint64_t handle, unsigned kind) {
    struct object *object = tracked_add(handle, kind, "a call");
    ck_assert_ptr_nonnull(object);
    tracked_retain(&object->tracked);
    object->mine = handle ^ kind;
    return object;
}

static bool lives(uint64_t i) {
    return i % 3 == 0;
}

/* Handles of two kinds are equal, and lie close together as an allocator's do. */
static uint64_t handle_of(uint64_t i) {
    return 0x7f0000001000 + i / 2 * 16;
}

START_TEST(the_living_are_found_when_the_dead_have_gone)
{
    for (uint64_t i = 0; i < ROOM; i++) {
        struct object *object = add(handle_of(i), i % 2);
        if (!lives(i)) ck_assert(tracked_release(&object->tracked));
    }
    ck_assert(tracked_is_full());
    add(1, 0);
    ck_assert(!tracked_is_full());
    for (uint64_t i = 0; i < ROOM; i++) {
        const struct object *object = tracked_find(handle_of(i), i % 2);
        ck_assert_msg((object != NULL) == lives(i), "%u", (unsigned)i);
        if (object != NULL) ck_assert_uint_eq(object->mine, handle_of(i) ^ i % 2);
        if (object != NULL) ck_assert_uint_eq(object->serial, i + 1);
    }
    ck_assert_uint_eq(objects_references(), (ROOM + 2) / 3 + 1);
}
END_TEST

START_TEST(there_is_no_room_where_all_live)
{
    for (uint64_t i = 0; i < ROOM; i++) add(handle_of(i), i % 2);
    ck_assert_ptr_null(tracked_add(1, 0, "a call"));
    for (uint64_t i = 0; i < ROOM; i++) ck_assert_ptr_nonnull(tracked_find(handle_of(i), i % 2));
    ck_assert_ptr_eq(add(handle_of(5), 1), tracked_find(handle_of(5), 1));
}
END_TEST

START_TEST(a_party_gives_up_what_it_holds)
{
    struct object *object = add(16, 0);
    ck_assert(adi_caller_enter(false));
    ck_assert(!tracked_release(&object->tracked));
    tracked_retain(&object->tracked);
    ck_assert_uint_eq(objects_references(), 1);
    ck_assert(!adi_caller_enter(true));
    ck_assert(tracked_release(&object->tracked));
    ck_assert(!object->dead);
    ck_assert_uint_eq(objects_references(), 0);
    ck_assert(!tracked_release(&object->tracked));
    adi_caller_enter(false);
    ck_assert(tracked_release(&object->tracked));
    ck_assert(object->dead);
}
END_TEST

START_TEST(a_handle_that_comes_again_is_another_object)
{
    const uint64_t serial = add(16, 0)->serial;
    struct object *object = add(16, 0);
    ck_assert_uint_gt(object->serial, serial);
    ck_assert_uint_eq(objects_references(), 1);
    tracked_die(&object->tracked);
    ck_assert_uint_eq(objects_references(), 0);
    ck_assert(!add(16, 0)->dead);
    ck_assert_ptr_null(tracked_find(16, 1));
    ck_assert_ptr_null(tracked_add(0, 0, "a call"));
}
END_TEST

Suite *devices_tracked_suite(void) {
    Suite *suite = suite_create("devices_tracked");
    TCase *tests = tcase_create("tracked");
    tcase_add_test(tests, the_living_are_found_when_the_dead_have_gone);
    tcase_add_test(tests, there_is_no_room_where_all_live);
    tcase_add_test(tests, a_party_gives_up_what_it_holds);
    tcase_add_test(tests, a_handle_that_comes_again_is_another_object);
    suite_add_tcase(suite, tests);
    return suite;
}
