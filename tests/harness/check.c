/* SPDX-License-Identifier: Apache-2.0
 *
 * Each predicate both ways: a planted defect is found as exactly the rule that it breaks, and
 * nothing is said about anything legal.
 */
#include "check.h"

#include <check.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "devices.h"
#include "move.h"
#include "observed.h"
#include "planted.h"
#include "sample.h"
#include "slow.h"
#include "tree.h"

Suite *harness_check_suite(void);

#define NOWHERE     ((void *)(uintptr_t)4096)
#define SHAPES_MOST 100 /* more than there are */

static struct planted p;

static struct ArrowSchema *schema_of(int column) {
    return p.column[column].schema;
}

static struct ArrowArray *array_of(int column) {
    return p.column[column].array;
}

/* A device with events, one that cannot be waited on. */
static int waiting_comes_to;

static int wait_in_vain(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event;
    return adi_error_set(error, waiting_comes_to, "in vain");
}

static void with_event(int code) {
    waiting_comes_to = code;
    p.array.device_type = p.ops.type = adi_device_opencl.type;
    p.array.sync_event = &waiting_comes_to;
    p.ops.wait_host = wait_in_vain;
}

/* The columns share buffers: only the first question is answered so. */
static int asked;

static bool all_but_one(struct adi_device *device, const void *buffer, struct adi_error *why) {
    (void)device, (void)buffer;
    adi_error_set(why, EFAULT, "out of reach");
    return asked++ > 0;
}

static const struct {
    const char *rule, *what;
} defects[] = {
#define DEFECT(rule, statement) {rule, #statement},
#include "defects.def"
#undef DEFECT
};

#define COUNT ((int)(sizeof defects / sizeof *defects))

static void plant(int index) {
    int at = 0;
#define DEFECT(rule, statement)                                                                    \
    if (at++ == index) {                                                                           \
        statement;                                                                                 \
    }
#include "defects.def"
#undef DEFECT
}

static bool look(struct observed *observed) {
    observed_open(observed);
    return adi_check_schema(p.root.schema, &observed->sink) &&
           adi_check_array(p.root.schema, &p.array, &p.device, &observed->sink);
}

START_TEST(a_planted_defect_is_found_once)
{
    struct observed observed;
    planted_tree(&p);
    plant(_i);
    look(&observed);
    observed_only(&observed, defects[_i].rule, defects[_i].what);
    ck_assert_int_eq(observed.findings[0].party, ADI_PRODUCER);
    ck_assert_str_ne(observed.findings[0].message, "");
}
END_TEST

static bool is_clean(void) {
    struct adi_node *copy = adi_tree_copy(p.root.schema, &p.array, &p.device);
    bool is = adi_check_is_clean(copy);
    adi_tree_free(copy);
    return is;
}

/* Of one copy, whether the schema breaks a rule or the array, wherever in them. */
START_TEST(what_has_a_planted_defect_is_not_clean)
{
    planted_tree(&p);
    ck_assert(is_clean());
    plant(_i);
    ck_assert_msg(!is_clean(), "%s", defects[_i].what);
}
END_TEST

START_TEST(every_predicate_has_a_defect)
{
    const struct adi_rule *rule;
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++) {
        if (rule->finder != ADI_BY_CHECK) continue;
        bool has = false;
        for (int row = 0; row < COUNT; row++) has = has || strcmp(defects[row].rule, rule->id) == 0;
        ck_assert_msg(has, "no row of defects.def breaks %s", rule->id);
    }
}
END_TEST

START_TEST(nothing_is_said_about_the_correct_tree)
{
    struct observed observed;
    planted_tree(&p);
    ck_assert(look(&observed));
    observed_only(&observed, "", "the tree without a defect");
    ck_assert_uint_gt(observed.satisfied, 0);
    observed_open(&observed);
    ck_assert(adi_check_array(p.root.schema, &p.array, NULL, &observed.sink));
    observed_only(&observed, "", "the tree, its buffers not read");
}
END_TEST

/* What a shape is odd by, a rule may say. */
static bool is_expected(const struct adi_sample_shape *shape, const struct adi_rule *rule) {
    if (strcmp(rule->id, "array/offsets-omitted") == 0)
        return (shape->traits & ADI_SHAPE_NULL_OFFSETS) != 0;
    return strcmp(rule->id, "array/buffer-misaligned") == 0 &&
           (shape->traits & ADI_SHAPE_UNALIGNED) != 0;
}

static void look_at_sample(const struct adi_sample_type *type,
                           const struct adi_sample_shape *shape) {
    struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
    struct ArrowSchema schema;
    struct ArrowDeviceArray array = {.device_id = -1, .device_type = cpu.ops->type};
    struct observed observed;
    ck_assert_int_eq(adi_sample(type, shape, 1, &schema, &array.array, NULL), 0);
    observed_open(&observed);
    ck_assert_msg(adi_check_schema(&schema, &observed.sink) &&
                      adi_check_array(&schema, &array, &cpu, &observed.sink),
                  "%s/%s is not sound", type->name, shape->name);
    for (size_t i = 0; i < observed.violated && i < OBSERVED_MOST; i++)
        ck_assert_msg(is_expected(shape, observed.findings[i].rule), "%s/%s: %s (%s)", type->name,
                      shape->name, observed.findings[i].rule->id, observed.findings[i].message);
    adi_array_release(&array.array);
    adi_schema_release(&schema);
}

START_TEST(nothing_is_said_about_legal_samples)
{
    const struct adi_sample_shape *shape = adi_sample_shape((size_t)_i);
    const struct adi_sample_type *type;
    ck_assert_ptr_null(adi_sample_shape(SHAPES_MOST));
    if (shape == NULL) return;
    for (size_t i = 0; (type = adi_sample_type(i)) != NULL; i++)
        if (adi_sample_exists(type, shape)) look_at_sample(type, shape);
}
END_TEST

/* The last offset is not 0, but no slot has any of the data. */
START_TEST(an_empty_slice_may_come_without_data)
{
    static const char *const types[] = {"binary", "large_binary", "utf8", "large_utf8"};
    struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
    struct ArrowDeviceArray array = {.device_id = -1, .device_type = cpu.ops->type};
    struct ArrowSchema schema;
    struct observed observed;
    ck_assert_int_eq(adi_sample(adi_sample_type_named(types[_i]),
                                adi_sample_shape_named("empty-at-offset"), 1, &schema, &array.array,
                                NULL),
                     0);
    array.array.buffers[2] = NULL;
    observed_open(&observed);
    ck_assert(adi_check_array(&schema, &array, &cpu, &observed.sink));
    observed_only(&observed, "", types[_i]);
    adi_array_release(&array.array);
    adi_schema_release(&schema);
}
END_TEST

/* xorshift64: the same garbage on every machine. */
static uint64_t state = 88172645463325252u;

static uint64_t random_word(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Something that may stand in any member: garbage, a small number, or an address of the tree. */
static uint64_t garbage(void) {
    switch (random_word() % 6) {
    case 0:
        return random_word();
    case 1:
        return random_word() % 5;
    case 2:
        return (uint64_t)(uintptr_t)&p + random_word() % sizeof p;
    case 3:
        return (uint64_t)(uintptr_t)&p.column[random_word() % PLANTED_COLUMNS].schema_here;
    case 4:
        return (uint64_t)(uintptr_t)&p.column[random_word() % PLANTED_COLUMNS].array_here;
    default:
        return -(random_word() % 9);
    }
}

static void scribble(void *structure, size_t bytes, unsigned one_in) {
    for (size_t at = 0; at + sizeof(uint64_t) <= bytes; at += sizeof(uint64_t)) {
        uint64_t word = garbage();
        if (random_word() % one_in == 0) memcpy((char *)structure + at, &word, sizeof word);
    }
}

#define GARBAGE_TREES (is_full() ? 20000 : 4000)

START_TEST(garbage_does_not_crash)
{
    struct observed observed;
    for (int i = 0; i < GARBAGE_TREES; i++) {
        if (i % 20 == 0) planted_tree(&p);
        struct planted_field *field = &p.column[random_word() % PLANTED_COLUMNS];
        scribble(&field->schema_here, sizeof field->schema_here, 2);
        scribble(&field->array_here, sizeof field->array_here, 2);
        p.array.array = field->array_here;
        scribble(&p.array, sizeof p.array, 8);
        observed_open(&observed);
        adi_check_schema(&field->schema_here, &observed.sink);
        adi_check_array(&field->schema_here, &p.array, &p.device, &observed.sink);
    }
}
END_TEST

START_TEST(one_bad_word_in_a_tree_does_not_crash)
{
    struct observed observed;
    for (int i = 0; i < 1000; i++) {
        planted_tree(&p);
        scribble(&p, offsetof(struct planted, device), 200);
        look(&observed);
    }
}
END_TEST

START_TEST(no_array_and_no_schema_are_findings)
{
    struct observed observed;
    planted_tree(&p);
    observed_open(&observed);
    ck_assert(!adi_check_schema(NULL, &observed.sink));
    observed_only(&observed, "schema/release-null", "no schema");
    observed_open(&observed);
    ck_assert(!adi_check_array(p.root.schema, NULL, &p.device, &observed.sink));
    observed_only(&observed, "array/release-null", "no array");
    observed_open(&observed);
    ck_assert(!adi_check_array(p.root.schema, NOWHERE, &p.device, &observed.sink));
    observed_only(&observed, "array/release-null", "an array that is not there");
}
END_TEST

/* A bound that a sanitizer keeps too; by itself it takes a fiftieth. */
START_TEST(a_wide_tree_does_not_take_long)
{
    clock_t begin = clock();
    look_at_sample(adi_sample_type_named("struct"), adi_sample_shape_named("wide-1000"));
    ck_assert_int_lt(clock() - begin, CLOCKS_PER_SEC);
}
END_TEST

Suite *harness_check_suite(void) {
    Suite *suite = suite_create("harness_check");
    TCase *defects_found = tcase_create("defects");
    tcase_add_loop_test(defects_found, a_planted_defect_is_found_once, 0, COUNT);
    tcase_add_loop_test(defects_found, what_has_a_planted_defect_is_not_clean, 0, COUNT);
    tcase_add_test(defects_found, every_predicate_has_a_defect);
    suite_add_tcase(suite, defects_found);

    TCase *legal = tcase_create("legal");
    tcase_set_timeout(legal, 60);
    tcase_add_test(legal, nothing_is_said_about_the_correct_tree);
    tcase_add_loop_test(legal, nothing_is_said_about_legal_samples, 0, SHAPES_MOST);
    tcase_add_loop_test(legal, an_empty_slice_may_come_without_data, 0, 4);
    suite_add_tcase(suite, legal);

    TCase *hostile = tcase_create("hostile");
    tcase_set_timeout(hostile, 300);
    tcase_add_test(hostile, garbage_does_not_crash);
    tcase_add_test(hostile, one_bad_word_in_a_tree_does_not_crash);
    tcase_add_test(hostile, no_array_and_no_schema_are_findings);
    tcase_add_test(hostile, a_wide_tree_does_not_take_long);
    suite_add_tcase(suite, hostile);
    return suite;
}
