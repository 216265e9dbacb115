/* SPDX-License-Identifier: Apache-2.0
 *
 * The stage and the guard below it. A consumer that touches what it must not is a finding and, but
 * for a write to a buffer, the end of the process: such consumers run in a child, and their
 * findings come by the log.
 */
#include "guarded_input.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compare.h"
#include "device_types.h"
#include "devices.h"
#include "guarded_stream.h"
#include "harness/collector.h"
#include "import.h"
#include "last_word.h"
#include "log.h"
#include "move.h"
#include "sample.h"

static const enum adi_party consumer = ADI_CONSUMER;

struct scene {
    struct collector collector;
    struct adi_log *log;
    struct adi_device device;
    struct adi_guarded guarded;
    struct adi_guarded_pair in;
    struct ArrowSchema schema, wanted_schema;
    struct ArrowArray host, wanted;
};

static void open_scene(struct scene *scene, const char *type, unsigned oddities,
                       struct adi_sink *sink) {
    const struct adi_sample_type *sample = adi_sample_type_named(type);
    const struct adi_sample_shape *shape = adi_sample_shape_named("many");
    scene->collector = collector_open();
    if (sink == NULL) sink = &scene->collector.sink;
    ck_assert_int_eq(adi_device_cpu.open(-1, &scene->device, NULL), 0);
    ck_assert_int_eq(adi_guard_start(sink, scene->log, &consumer), 0);
    adi_sample(sample, shape, 7, &scene->schema, &scene->host, NULL);
    adi_sample(sample, shape, 7, &scene->wanted_schema, &scene->wanted, NULL);
    adi_guarded_open(&scene->guarded, &scene->device, sink);
    ck_assert_int_eq(
        adi_guarded_put(&scene->guarded, &scene->schema, &scene->host, oddities, &scene->in, NULL),
        0);
}

static void close_scene(struct scene *scene) {
    adi_guarded_close(&scene->guarded);
    adi_array_release(&scene->wanted);
    adi_schema_release(&scene->wanted_schema);
    scene->device.ops->close(&scene->device);
}

static void release_all(struct scene *scene) {
    adi_device_array_release(scene->in.array);
    adi_schema_release(scene->in.schema);
}

START_TEST(a_correct_consumer_is_not_blamed)
{
    static const char *const types[] = {
        "int32", "struct", "list_utf8", "dictionary_int8_utf8", "utf8_view", "dense_union"};
    struct scene scene = {0};
    struct ArrowArray copy;
    open_scene(&scene, types[_i], 0, NULL);
    ck_assert_int_eq(adi_consume(&scene.device, scene.in.schema, scene.in.array, &copy, NULL), 0);
    ck_assert_int_eq(
        adi_array_compare(scene.in.schema, &copy, &scene.wanted_schema, &scene.wanted, NULL), 0);
    adi_array_release(&copy);
    adi_schema_release(scene.in.schema);
    close_scene(&scene);
    expect_nothing(scene.collector);
}
END_TEST

START_TEST(a_consumer_that_moves_children_out_is_not_blamed)
{
    struct scene scene = {0};
    struct ArrowArray child;
    open_scene(&scene, "struct", 0, NULL);
    adi_array_move_child(&scene.in.array->array, 0, &child);
    adi_device_array_release(scene.in.array);
    ck_assert_int_eq(((const int32_t *)child.buffers[1])[0],
                     ((const int32_t *)scene.wanted.children[0]->buffers[1])[0]);
    adi_array_release(&child);
    adi_schema_release(scene.in.schema);
    close_scene(&scene);
    expect_nothing(scene.collector);
}
END_TEST

START_TEST(a_consumer_that_forgets_to_release_is_blamed)
{
    struct scene scene = {0};
    open_scene(&scene, "struct", 0, NULL);
    adi_schema_release(scene.in.schema);
    close_scene(&scene);
    expect_only(scene.collector, "life/never-released", ADI_CONSUMER);
}
END_TEST

START_TEST(a_consumer_that_writes_a_buffer_is_blamed_and_goes_on)
{
    struct scene scene = {0};
    open_scene(&scene, "int32", 0, NULL);
    adi_guard_enter_implementation();
    ((volatile int32_t *)(uintptr_t)scene.in.array->array.buffers[1])[3] = 1;
    ((volatile int32_t *)(uintptr_t)scene.in.array->array.buffers[1])[4] = 1;
    adi_guard_leave_implementation();
    expect_only(scene.collector, "array/buffer-mutated", ADI_CONSUMER);
    release_all(&scene);
    close_scene(&scene);
}
END_TEST

START_TEST(a_release_with_a_changed_key_is_blamed)
{
    struct scene scene = {0};
    open_scene(&scene, "int32", 0, NULL);
    scene.in.array->array.private_data = &scene;
    release_all(&scene);
    expect_only(scene.collector, "life/private-data-touched", ADI_CONSUMER);
    close_scene(&scene);
}
END_TEST

/* Of a case that is over, when the next one has begun. */
START_TEST(what_is_released_when_its_input_is_closed_is_late_and_nothing_else)
{
    struct scene before = {0}, now = {0};
    struct ArrowArray kept;
    open_scene(&before, "int32", 0, NULL);
    adi_schema_release(before.in.schema);
    adi_array_move(&before.in.array->array, &kept);
    before.guarded.monitor.judges[ADI_CONSUMER] = false; /* that it was not released by then */
    close_scene(&before);
    if (_i > 0) open_scene(&now, "int32", 0, NULL);
    kept.release(&kept);
    ck_assert(kept.release == NULL);
    expect_nothing(before.collector);
    if (_i == 0) return;
    ck_assert_uint_eq(adi_monitor_live(&now.guarded.monitor), 2);
    release_all(&now);
    close_scene(&now);
    expect_nothing(now.collector);
}
END_TEST

START_TEST(so_is_what_is_called_of_a_stream_that_is_closed)
{
    struct collector collector = collector_open();
    const struct ArrowSchema schema = {.format = "n"};
    const struct adi_guarded_stream_plan plan = {.schema = &schema};
    const struct adi_kind *kind = &adi_kind_device_array_stream;
    struct adi_guarded_stream before, now;
    ck_assert_int_eq(adi_guard_start(&collector.sink, NULL, &consumer), 0);
    struct ArrowDeviceArrayStream kept, *stream;
    memcpy(&kept, adi_guarded_stream_open(&before, kind, &plan, &collector.sink), sizeof kept);
    before.monitor.judges[ADI_CONSUMER] = false;
    adi_guarded_stream_close(&before);
    stream = adi_guarded_stream_open(&now, kind, &plan, &collector.sink);
    ck_assert_int_ne(kept.get_next(&kept, &(struct ArrowDeviceArray){.device_id = 0}), 0);
    kept.release(&kept);
    ck_assert(kept.release == NULL && adi_guarded_stream_is_live(&now));
    stream->release(stream);
    adi_guarded_stream_close(&now);
    expect_nothing(collector);
}
END_TEST

/* ---- events, by the table of types: of those that no device here is of, too ---- */

static void *handle; /* what an event of the device points to */

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)error;
    handle = device;
    *sync_event = adi_device_type_has_event(device->ops->type) ? &handle : NULL;
    return 0;
}

static int wait_for(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

static void event_free(struct adi_device *device, void *sync_event) {
    (void)device, (void)sync_event;
}

/* The CPU's memory as a device of that type, which hands out `handle`. */
static struct adi_device_ops ops_of(const struct adi_device_type *type) {
    struct adi_device_ops ops = adi_device_cpu;
    ops.type = type->type;
    ops.name = type->name;
    ops.event = event;
    ops.wait = ops.wait_host = wait_for;
    ops.event_free = event_free;
    return ops;
}

static void open_typed_scene(struct scene *scene, const struct adi_device_ops *ops) {
    scene->collector = collector_open();
    scene->device = (struct adi_device){.ops = ops, .id = 0};
    ck_assert_int_eq(adi_guard_start(&scene->collector.sink, NULL, &consumer), 0);
    adi_sample(adi_sample_type_named("int32"), adi_sample_shape_named("many"), 7, &scene->schema,
               &scene->host, NULL);
    adi_guarded_open(&scene->guarded, &scene->device, &scene->collector.sink);
    ck_assert_int_eq(
        adi_guarded_put(&scene->guarded, &scene->schema, &scene->host, 0, &scene->in, NULL), 0);
}

START_TEST(a_handle_is_handed_out_at_a_place_of_its_own)
{
    const struct adi_device_type *type = adi_device_type_at((size_t)_i);
    struct adi_device_ops ops = ops_of(type);
    struct scene scene = {0};
    open_typed_scene(&scene, &ops);
    void *sync_event = scene.in.array->sync_event;
    if (type->event == ADI_EVENT_NONE) ck_assert_ptr_null(sync_event);
    if (type->event == ADI_EVENT_OBJECT) ck_assert_ptr_eq(sync_event, &handle);
    if (type->event == ADI_EVENT_ADDRESS) {
        ck_assert_ptr_ne(sync_event, &handle);
        ck_assert_ptr_eq(*(void **)sync_event, handle);
    }
    release_all(&scene);
    close_scene(&scene);
    expect_nothing(scene.collector);
}
END_TEST

START_TEST(who_changes_a_handle_is_blamed_and_who_changes_an_event_is_not)
{
    const struct adi_device_type *type = adi_device_type_at((size_t)_i);
    struct adi_device_ops ops = ops_of(type);
    struct scene scene = {0};
    open_typed_scene(&scene, &ops);
    if (scene.in.array->sync_event != NULL) *(void **)scene.in.array->sync_event = &scene;
    release_all(&scene);
    close_scene(&scene);
    if (type->event == ADI_EVENT_ADDRESS)
        expect_only(scene.collector, "sync/event-not-owned", ADI_CONSUMER);
    else
        expect_nothing(scene.collector); /* an event may change as it is waited for */
}
END_TEST

/* ---- consumers that end the process ---- */

static char touch(const void *address) {
    return *(volatile const char *)address;
}

static void read_private_data(struct scene *scene) {
    touch(scene->in.array->array.private_data);
}

static void read_past_the_end(struct scene *scene) {
    const char *values = scene->in.array->array.buffers[1];
    for (size_t i = 0; i < 4096; i++) touch(values + 67 * 4 + i);
}

static void read_after_release(struct scene *scene) {
    const char *values = scene->in.array->array.buffers[1];
    adi_device_array_release(scene->in.array);
    touch(values);
}

static void read_a_member_after_release(struct scene *scene) {
    adi_device_array_release(scene->in.array);
    touch((const char *)(scene->in.array->array.buffers + 1));
}

static void read_a_released_structure(struct scene *scene) {
    adi_device_array_release(scene->in.array);
    touch(scene->in.array->array.buffers);
}

static void read_a_released_child(struct scene *scene) {
    struct ArrowArray *child = scene->in.array->array.children[0];
    adi_device_array_release(scene->in.array);
    touch(child);
}

static void read_a_released_format(struct scene *scene) {
    const char *format = scene->in.schema->format;
    adi_schema_release(scene->in.schema);
    touch(format);
}

static void write_a_format(struct scene *scene) {
    *(volatile char *)(uintptr_t)scene->in.schema->format = 'x';
}

static void read_a_foreign_buffer(struct scene *scene) {
    touch(scene->in.array->array.buffers[1]);
}

static const struct {
    const char *type;
    unsigned oddities;
    void (*consume)(struct scene *);
    const char *rule, *seen;
} deaths[] = {
    {"int32", 0, read_private_data, "life/private-data-touched", NULL},
    {"int32", 0, read_past_the_end, "array/read-past-end", ", and it has "},
    {"int32", 0, read_after_release, "life/use-after-release", NULL},
    {"int32", 0, read_a_member_after_release, "life/use-after-release",
     "a touch of where its pointers lead since then, 8 bytes on"},
    {"int32", 0, read_a_released_structure, "life/use-after-release", NULL},
    {"struct", 0, read_a_released_child, "life/use-after-release", NULL},
    {"int32", 0, read_a_released_format, "life/use-after-release", NULL},
    {"int32", 0, write_a_format, "life/structure-changed", NULL},
    {"int32", ADI_GUARDED_FOREIGN, read_a_foreign_buffer, "device/buffers-dereferenced", NULL},
};

START_TEST(a_forbidden_touch_is_one_finding_and_no_crash)
{
    int fd;
    struct adi_log *log = adi_log_create(&fd);
    ck_assert_ptr_nonnull(log);
    pid_t child = fork();
    if (child == 0) {
        static struct adi_log_sink sink;
        struct scene scene = {.log = log};
        adi_log_sink_init(&sink, log);
        open_scene(&scene, deaths[_i].type, deaths[_i].oddities, &sink.sink);
        adi_guard_enter_implementation();
        deaths[_i].consume(&scene);
        _exit(99);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
    struct adi_log_reader reader = {.log = log};
    struct adi_log_record record;
    bool damaged = false;
    ck_assert(adi_log_next(&reader, &record, &damaged));
    ck_assert_int_eq(record.kind, ADI_LOG_VIOLATION);
    ck_assert_str_eq(adi_rule((size_t)record.index)->id, deaths[_i].rule);
    ck_assert_msg(deaths[_i].seen == NULL || strstr(record.seen, deaths[_i].seen) != NULL, "%s",
                  record.seen);
    ck_assert_int_eq(record.party, ADI_CONSUMER);
    ck_assert(adi_log_next(&reader, &record, &damaged));
    ck_assert_int_eq(record.kind, ADI_LOG_FATAL);
    ck_assert(!adi_log_next(&reader, &record, &damaged));
    adi_log_destroy(log);
    close(fd);
}
END_TEST

static void say_nothing(void) {}

/* Reads a released array, as it was. */
static void read_spared(struct scene *scene) {
    struct ArrowArray *array = &scene->in.array->array;
    const volatile int32_t *values = array->buffers[1];
    int32_t first = values[0];
    adi_guard_spare(true);
    adi_array_release(array);
    bool is_there = array->release == NULL && array->n_buffers == 2 && array->buffers[1] == values;
    int32_t again = values[0];
    _exit(is_there && again == first ? 0 : 98);
}

/* Where nobody is told that the process ends, it does. */
START_TEST(what_is_spared_is_told_and_read)
{
    int fd, n = 0, fatal = 0;
    struct adi_log *log = adi_log_create(&fd);
    ck_assert_ptr_nonnull(log);
    pid_t child = fork();
    if (child == 0) {
        static struct adi_log_sink sink;
        struct scene scene = {.log = log};
        adi_log_sink_init(&sink, log);
        adi_last_word_by(_i == 0 ? say_nothing : NULL);
        open_scene(&scene, "int32", 0, &sink.sink);
        adi_guard_enter_implementation();
        read_spared(&scene);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
    struct adi_log_reader reader = {.log = log};
    struct adi_log_record record;
    bool damaged = false;
    while (adi_log_next(&reader, &record, &damaged)) {
        fatal += record.kind == ADI_LOG_FATAL;
        if (record.kind != ADI_LOG_VIOLATION) continue;
        ck_assert_str_eq(adi_rule((size_t)record.index)->id, "life/use-after-release");
        n++;
    }
    ck_assert_int_eq(n, _i == 0 ? 2 : 1); /* the array of pointers, and the values */
    ck_assert_int_eq(fatal, _i == 0 ? 0 : 1);
    adi_log_destroy(log);
    close(fd);
}
END_TEST

START_TEST(unaligned_buffers_are_unaligned)
{
    struct scene scene = {0};
    open_scene(&scene, "int32", ADI_GUARDED_UNALIGNED, NULL);
    ck_assert_uint_eq((uintptr_t)scene.in.array->array.buffers[1] % 2, 1);
    release_all(&scene);
    close_scene(&scene);
    expect_nothing(scene.collector);
}
END_TEST

Suite *harness_guarded_input_suite(void) {
    Suite *suite = suite_create("harness_guarded_input");
    TCase *tests = tcase_create("stage");
    tcase_add_loop_test(tests, a_correct_consumer_is_not_blamed, 0, 6);
    tcase_add_test(tests, a_consumer_that_moves_children_out_is_not_blamed);
    tcase_add_test(tests, a_consumer_that_forgets_to_release_is_blamed);
    tcase_add_test(tests, a_consumer_that_writes_a_buffer_is_blamed_and_goes_on);
    tcase_add_test(tests, a_release_with_a_changed_key_is_blamed);
    tcase_add_loop_test(tests, what_is_released_when_its_input_is_closed_is_late_and_nothing_else,
                        0, 2);
    int types = 0;
    while (adi_device_type_at((size_t)types) != NULL) types++;
    tcase_add_test(tests, so_is_what_is_called_of_a_stream_that_is_closed);
    tcase_add_loop_test(tests, a_handle_is_handed_out_at_a_place_of_its_own, 0, types);
    tcase_add_loop_test(tests, who_changes_a_handle_is_blamed_and_who_changes_an_event_is_not, 0,
                        types);
    tcase_add_loop_test(tests, a_forbidden_touch_is_one_finding_and_no_crash, 0,
                        sizeof deaths / sizeof deaths[0]);
    tcase_add_loop_test(tests, what_is_spared_is_told_and_read, 0, 2);
    tcase_add_test(tests, unaligned_buffers_are_unaligned);
    suite_add_tcase(suite, tests);
    return suite;
}
