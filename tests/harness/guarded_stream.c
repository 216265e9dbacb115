/* SPDX-License-Identifier: Apache-2.0
 *
 * The harness as producer of a stream: what a wrong consumer does is one finding, of the right
 * rule, and what an odd one does is none. Of both kinds of streams.
 */
#include "guarded_stream.h"

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>

#include "batches.h"
#include "devices.h"
#include "harness/collector.h"
#include "move.h"
#include "sample.h"
#include "schema.h"
#include "stream.h"

Suite *harness_guarded_stream_suite(void);

static const enum adi_party consumer = ADI_CONSUMER;

#define CHUNKS 2

struct scene {
    struct collector collector;
    struct adi_log *log;
    struct adi_device device;
    struct ArrowSchema schema;
    struct adi_guarded inputs[CHUNKS];
    struct adi_guarded_chunk chunks[CHUNKS];
    struct adi_guarded_stream guarded;
    const struct adi_kind *kind;
    union {
        struct ArrowDeviceArrayStream of_device;
        struct ArrowArrayStream of_host;
    } * stream;
    const char *told[4]; /* by the hooks */
    int n_told, asked;
};

static const struct adi_kind *const kinds[] = {&adi_kind_device_array_stream,
                                               &adi_kind_array_stream};

static void on_ask(void *scene_at, size_t i) {
    struct scene *scene = scene_at;
    ck_assert_uint_eq(i, (size_t)scene->asked++);
}

static void on_tell(void *scene_at, const char *rule) {
    struct scene *scene = scene_at;
    if (scene->n_told < 4) scene->told[scene->n_told++] = rule;
}

static struct adi_guarded_stream_hooks hooks = {.ask = on_ask, .tell = on_tell};

static void open_scene(struct scene *scene, int kind, struct adi_guarded_stream_plan plan) {
    const struct adi_sample_type *type = adi_sample_type_named("struct");
    const struct adi_sample_shape *shape = adi_sample_shape_named("many");
    struct adi_sink *sink = &scene->collector.sink;
    struct ArrowArray array;
    memset(scene, 0, sizeof *scene);
    scene->collector = collector_open();
    scene->kind = kinds[kind];
    ck_assert_int_eq(adi_device_cpu.open(-1, &scene->device, NULL), 0);
    ck_assert_int_eq(adi_guard_start(sink, scene->log, &consumer), 0);
    for (size_t i = 0; i < CHUNKS; i++) {
        struct ArrowSchema schema;
        adi_sample(type, shape, i, &schema, &array, NULL);
        if (i == 0) ck_assert_int_eq(adi_schema_export(&schema, &scene->schema, NULL), 0);
        adi_guarded_open(&scene->inputs[i], &scene->device, sink);
        scene->chunks[i].input = &scene->inputs[i];
        ck_assert_int_eq(
            adi_guarded_put(&scene->inputs[i], &schema, &array, 0, &scene->chunks[i].pair, NULL),
            0);
    }
    hooks.context = scene;
    plan.hooks = &hooks;
    plan.schema = &scene->schema;
    plan.chunks = scene->chunks;
    plan.n_chunks = CHUNKS;
    plan.type = scene->device.ops->type;
    scene->stream = adi_guarded_stream_open(&scene->guarded, scene->kind, &plan, sink);
    ck_assert_ptr_nonnull(scene->stream);
}

static void close_scene(struct scene *scene) {
    adi_guarded_stream_close(&scene->guarded);
    for (size_t i = 0; i < CHUNKS; i++) adi_guarded_close(&scene->inputs[i]);
    adi_schema_release(&scene->schema);
    scene->device.ops->close(&scene->device);
    ck_assert(!adi_guarded_any());
}

/* ---- the callbacks, of either kind ---- */

static bool is_host(const struct scene *scene) {
    return scene->kind == &adi_kind_array_stream;
}

static int get_schema(struct scene *scene, struct ArrowSchema *out) {
    return is_host(scene) ? scene->stream->of_host.get_schema(&scene->stream->of_host, out)
                          : scene->stream->of_device.get_schema(&scene->stream->of_device, out);
}

static int get_next(struct scene *scene, struct ArrowDeviceArray *out) {
    return is_host(scene) ? scene->stream->of_host.get_next(&scene->stream->of_host, &out->array)
                          : scene->stream->of_device.get_next(&scene->stream->of_device, out);
}

static const char *get_error(struct scene *scene) {
    return is_host(scene) ? scene->stream->of_host.get_last_error(&scene->stream->of_host)
                          : scene->stream->of_device.get_last_error(&scene->stream->of_device);
}

static void release(struct scene *scene) {
    if (is_host(scene))
        adi_array_stream_release(&scene->stream->of_host);
    else
        adi_device_array_stream_release(&scene->stream->of_device);
}

/* ---- what is right ---- */

START_TEST(a_correct_consumer_is_not_blamed)
{
    struct scene scene;
    struct adi_batches batches = {0};
    struct ArrowArrayStream host;
    open_scene(&scene, _i % 2,
               (struct adi_guarded_stream_plan){.failure = _i < 2 ? 0 : EIO, .text = "gone"});
    if (is_host(&scene))
        adi_array_stream_move(&scene.stream->of_host, &host);
    else
        ck_assert_int_eq(adi_stream_unwrap(&scene.stream->of_device, &host, NULL), 0);
    adi_batches_collect(&host, &batches);
    ck_assert_uint_eq(batches.count, CHUNKS);
    ck_assert_int_eq(batches.error.code, _i < 2 ? 0 : EIO);
    if (_i >= 2) ck_assert_str_eq(batches.error.text, "gone");
    ck_assert_int_eq(scene.asked, CHUNKS);
    ck_assert_int_eq(scene.n_told, _i < 2 ? 1 : 2);
    ck_assert_ptr_null(scene.told[1]); /* it has asked what was wrong */
    ck_assert_str_eq(scene.told[0], _i < 2 ? "stream/end-overlooked" : "stream/error-overlooked");
    ck_assert(!adi_guarded_stream_is_live(&scene.guarded));
    adi_batches_release(&batches);
    close_scene(&scene);
    expect_nothing(scene.collector);
}
END_TEST

/* Schemas, as many as it likes; a chunk that outlives the stream; a stream that was moved; half of
 * it; a text that is asked for again. */
START_TEST(an_odd_consumer_is_not_blamed)
{
    struct scene scene;
    struct ArrowSchema schema;
    struct ArrowDeviceArray chunk;
    open_scene(&scene, _i, (struct adi_guarded_stream_plan){.failure = EIO, .text = "gone"});
    for (int i = 0; i < CHUNKS + 2; i++) {
        ck_assert_int_eq(get_schema(&scene, &schema), 0);
        ck_assert_int_eq(adi_schema_compare(&schema, &scene.schema, NULL), 0);
        adi_schema_release(&schema);
    }
    ck_assert_int_eq(get_next(&scene, &chunk), 0);
    struct ArrowDeviceArrayStream elsewhere = {0};
    if (is_host(&scene))
        adi_array_stream_move(&scene.stream->of_host, (struct ArrowArrayStream *)&elsewhere);
    else
        adi_device_array_stream_move(&scene.stream->of_device, &elsewhere);
    scene.stream = (void *)&elsewhere;
    adi_array_release(&chunk.array);
    ck_assert_int_eq(get_next(&scene, &chunk), 0);
    struct ArrowDeviceArray none;
    ck_assert_int_eq(get_next(&scene, &none), EIO);
    ck_assert_str_eq(get_error(&scene), "gone");
    ck_assert_str_eq(get_error(&scene), "gone");
    release(&scene);
    ck_assert_int_eq(chunk.array.n_children, 3);
    adi_array_release(&chunk.array);
    close_scene(&scene);
    expect_nothing(scene.collector);
}
END_TEST

START_TEST(a_schema_that_fails_is_an_error_that_may_be_asked_for)
{
    struct scene scene;
    struct ArrowSchema schema;
    open_scene(&scene, _i, (struct adi_guarded_stream_plan){.schema_failure = ENOMEM});
    ck_assert_int_eq(get_schema(&scene, &schema), ENOMEM);
    ck_assert_ptr_null(get_error(&scene));
    release(&scene);
    close_scene(&scene);
    expect_nothing(scene.collector);
}
END_TEST

/* ---- what is wrong ---- */

static void never_releases(struct scene *scene) {
    (void)scene;
}

static void keeps_a_chunk(struct scene *scene) {
    static struct ArrowDeviceArray chunk;
    get_next(scene, &chunk);
    release(scene);
}

static void keeps_a_schema(struct scene *scene) {
    static struct ArrowSchema schema;
    get_schema(scene, &schema);
    release(scene);
}

static void asks_without_error(struct scene *scene) {
    ck_assert_ptr_null(get_error(scene));
    release(scene);
}

static void asks_too_late(struct scene *scene) {
    struct ArrowDeviceArray chunk;
    struct ArrowSchema schema;
    for (int i = 0; i < CHUNKS; i++) {
        get_next(scene, &chunk);
        adi_array_release(&chunk.array);
    }
    get_next(scene, &chunk);
    get_schema(scene, &schema);
    adi_schema_release(&schema);
    ck_assert_ptr_null(get_error(scene));
    release(scene);
}

static void goes_on_after_the_end(struct scene *scene) {
    struct ArrowDeviceArray chunk;
    scene->guarded.failure = 0;
    for (int i = 0; i < CHUNKS + 2; i++) {
        ck_assert_int_eq(get_next(scene, &chunk), 0);
        adi_array_release(&chunk.array);
    }
    release(scene);
}

/* Who calls what is released has a copy of the structure. */
static void uses_a_released_stream(struct scene *scene) {
    struct ArrowDeviceArrayStream copy;
    struct ArrowDeviceArray chunk;
    memcpy(&copy, scene->stream, scene->kind->size);
    release(scene);
    scene->stream = (void *)&copy;
    ck_assert_int_eq(get_next(scene, &chunk), EINVAL);
}

static void releases_twice(struct scene *scene) {
    struct ArrowDeviceArrayStream copy;
    memcpy(&copy, scene->stream, scene->kind->size);
    release(scene);
    memcpy(scene->stream, &copy, scene->kind->size);
    release(scene);
}

static void copies_and_releases_both(struct scene *scene) {
    struct ArrowDeviceArrayStream copy;
    memcpy(&copy, scene->stream, scene->kind->size);
    release(scene);
    scene->stream = (void *)&copy;
    release(scene);
}

static void changes_private_data(struct scene *scene) {
    int mine;
    adi_kind_set(scene->stream, scene->kind->private_data, &mine);
    release(scene);
}

static void changes_a_callback(struct scene *scene) {
    adi_kind_set(scene->stream, scene->kind->owned[1].offset, NULL);
    release(scene);
}

static void *ask_meanwhile(void *scene_at) {
    struct ArrowSchema schema;
    get_schema(scene_at, &schema);
    adi_schema_release(&schema);
    return NULL;
}

static void meanwhile(void *scene_at, size_t i) {
    pthread_t other;
    if (i > 0) return;
    ck_assert_int_eq(pthread_create(&other, NULL, ask_meanwhile, scene_at), 0);
    pthread_join(other, NULL);
}

static void calls_at_once(struct scene *scene) {
    struct ArrowDeviceArray chunk;
    hooks.ask = meanwhile;
    get_next(scene, &chunk);
    hooks.ask = on_ask;
    adi_array_release(&chunk.array);
    release(scene);
}

static const struct {
    void (*consume)(struct scene *);
    const char *rule;
} mistakes[] = {
    {never_releases, "life/never-released"},
    {keeps_a_chunk, "life/never-released"},
    {keeps_a_schema, "life/never-released"},
    {asks_without_error, "stream/error-asked-without-error"},
    {asks_too_late, "stream/error-asked-without-error"},
    {goes_on_after_the_end, "stream/next-after-end"},
    {uses_a_released_stream, "life/use-after-release"},
    {releases_twice, "life/release-twice"},
    {copies_and_releases_both, "life/release-twice"},
    {changes_private_data, "life/private-data-touched"},
    {changes_a_callback, "life/structure-changed"},
    {calls_at_once, "stream/calls-overlap"},
};
#define MISTAKES ((int)(sizeof mistakes / sizeof *mistakes))

START_TEST(a_wrong_consumer_is_blamed_once)
{
    struct scene scene;
    int mistake = _i / 2;
    open_scene(&scene, _i % 2, (struct adi_guarded_stream_plan){.failure = EIO, .text = "gone"});
    mistakes[mistake].consume(&scene);
    close_scene(&scene);
    ck_assert_msg(scene.collector.n == 1, "mistake %d: %d findings: %s, %s", mistake,
                  scene.collector.n, scene.collector.rule[0], scene.collector.rule[1]);
    ck_assert_str_eq(scene.collector.rule[0], mistakes[mistake].rule);
    ck_assert_int_eq(scene.collector.party[0], ADI_CONSUMER);
}
END_TEST

/* A consumer may have asked for more than there is where the harness made it do so. */
START_TEST(who_was_asked_behind_the_end_may_ask_behind_it)
{
    struct scene scene;
    open_scene(&scene, _i, (struct adi_guarded_stream_plan){.text = NULL});
    scene.guarded.may_go_on = true;
    goes_on_after_the_end(&scene);
    close_scene(&scene);
    expect_nothing(scene.collector);
}
END_TEST

/* ---- touches ---- */

static void follow_the_end(struct scene *scene) {
    struct ArrowDeviceArray end;
    scene->guarded.failure = 0;
    for (int i = 0; i <= CHUNKS; i++) {
        get_next(scene, &end);
        adi_array_release(&end.array);
    }
    (void)*(volatile const char *)end.array.buffers;
}

static void keep_the_text(struct scene *scene) {
    struct ArrowDeviceArray chunk;
    for (int i = 0; i < CHUNKS; i++) {
        get_next(scene, &chunk);
        adi_array_release(&chunk.array);
    }
    get_next(scene, &chunk);
    const char *text = get_error(scene);
    release(scene);
    (void)*(volatile const char *)text;
}

static void write_the_text(struct scene *scene) {
    struct ArrowDeviceArray chunk;
    for (int i = 0; i < CHUNKS; i++) {
        get_next(scene, &chunk);
        adi_array_release(&chunk.array);
    }
    get_next(scene, &chunk);
    *(volatile char *)(uintptr_t)get_error(scene) = 'x';
}

static void look_into_private_data(struct scene *scene) {
    const char *data = adi_kind_pointer(scene->stream, scene->kind->private_data);
    (void)*(volatile const char *)data;
}

static const struct {
    void (*consume)(struct scene *);
    const char *rule;
} touches[] = {
    {follow_the_end, "stream/end-overlooked"},
    {keep_the_text, "stream/error-text-kept"},
    {write_the_text, "life/structure-changed"},
    {look_into_private_data, "life/private-data-touched"},
};
#define TOUCHES ((int)(sizeof touches / sizeof *touches))

START_TEST(a_forbidden_touch_is_one_finding)
{
    static struct scene scene;
    static sigjmp_buf back;
    open_scene(&scene, _i % 2, (struct adi_guarded_stream_plan){.failure = EIO, .text = "gone"});
    if (sigsetjmp(back, 1) == 0) {
        adi_guard_recover(&back);
        adi_guard_enter_implementation();
        touches[_i / 2].consume(&scene);
        ck_abort_msg("it went unnoticed");
    }
    adi_guard_leave_implementation();
    adi_guard_recover(NULL);
    release(&scene);
    close_scene(&scene);
    ck_assert_int_eq(scene.collector.n, 1);
    ck_assert_str_eq(scene.collector.rule[0], touches[_i / 2].rule);
}
END_TEST

START_TEST(an_input_that_is_closed_leaves_a_stream_where_it_is)
{
    static struct scene scene;
    struct ArrowDeviceArray chunk;
    open_scene(&scene, _i, (struct adi_guarded_stream_plan){.failure = 0});
    for (size_t i = 0; i < CHUNKS; i++) {
        ck_assert_int_eq(get_next(&scene, &chunk), 0);
        chunk.array.release(&chunk.array);
        adi_schema_release(scene.chunks[i].pair.schema);
        adi_guarded_close(&scene.inputs[i]);
    }
    release(&scene);
    adi_guarded_stream_close(&scene.guarded);
    adi_schema_release(&scene.schema);
}
END_TEST

Suite *harness_guarded_stream_suite(void) {
    Suite *suite = suite_create("harness_guarded_stream");
    TCase *tests = tcase_create("guarded_stream");
    tcase_add_loop_test(tests, a_correct_consumer_is_not_blamed, 0, 4);
    tcase_add_loop_test(tests, an_odd_consumer_is_not_blamed, 0, 2);
    tcase_add_loop_test(tests, a_schema_that_fails_is_an_error_that_may_be_asked_for, 0, 2);
    tcase_add_loop_test(tests, a_wrong_consumer_is_blamed_once, 0, 2 * MISTAKES);
    tcase_add_loop_test(tests, who_was_asked_behind_the_end_may_ask_behind_it, 0, 2);
    tcase_add_loop_test(tests, an_input_that_is_closed_leaves_a_stream_where_it_is, 0, 2);
    tcase_add_loop_test(tests, a_forbidden_touch_is_one_finding, 0, 2 * TOUCHES);
    suite_add_tcase(suite, tests);
    return suite;
}
