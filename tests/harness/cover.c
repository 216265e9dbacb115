/* SPDX-License-Identifier: Apache-2.0
 *
 * The cover: every state that programs over a few slots can come to is visited, with real arrays of
 * the reference in guarded memory, and with streams of them, each kind of handle together with what
 * it hands out. Each legal step is done and is no finding; each illegal one is
 * tried and is exactly one, of exactly the rule in the table, and leaves everything as it was.
 * Where a device can pause its queue, what the table calls pending is pending: the runtime is asked
 * before each step. Left to ADI_TEST_FULL: a fourth slot, what a relay made as a state of its own
 * on other devices than the CPU, streams over three slots there and, under a sanitizer, the second
 * device of a kind. Asynchronous streams, what is left of which is another stream, task or array,
 * are walked over two slots, and on the CPU over three with the operations that need them.
 */
#include "cover.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device_types.h"
#include "devices.h"
#include "event_status.h"
#include "execution.h"
#include "move.h"
#include "slow.h"

Suite *harness_cover_suite(void);

#define STACK_BYTES ((size_t)256 << 10)
#define PIECES      100 /* exports until the arena is emptied */
/* A stream has two chunks, and a schema for whoever asks; other kinds have no more. */
#define PIECES_OF(kind) ((size_t)((kind) == ADI_LIFE_array ? 1 : 4))

/* Four slots are twenty times as many pairs: in the full test, and where each is not slow. */
#define SLOTS (is_full() && !IS_SANITIZED ? 4 : 3)

/* What a relay made is told from an export: where memory is the host's, and that does for all. */
#define MAKERS                                                                                     \
    (slots < 4 && !IS_SANITIZED && (is_full() || adi_device_type_is_cpu(ops->type))                \
         ? ADI_COVER_MAKER(relay)                                                                  \
         : 0)

struct request {
    enum adi_life_kind kind;
    const char *type;
    int slots;
    bool on_host;        /* of ArrowArrayStreams: on the CPU alone */
    uint64_t operations; /* 0: all; else these alone, on the first device */
};

/* Over three slots what asynchronous streams bring has more pairs than anybody walks: they have
 * two, and those operations that three slots are needed for are walked by themselves. */
#define MOST_LEGAL ((size_t)100000)
#define THREE_DEEP                                                                                 \
    (ADI_COVER(async_begin) | ADI_COVER(async_request) | ADI_COVER(async_request_none) |           \
     ADI_COVER(async_next) | ADI_COVER(async_refuse) | ADI_COVER(async_cancel) |                   \
     ADI_COVER(async_call_at_end) | ADI_COVER(task_extract) | ADI_COVER(move) |                    \
     ADI_COVER(release) | ADI_COVER(drop) | ADI_COVER(wait) | ADI_COVER(read))

struct tour {
    struct adi_sink sink; /* first */
    enum adi_life_kind kind;
    bool on_host;
    const struct adi_rule *rule;
    size_t findings;
    struct adi_cover cover;
    unsigned makers; /* that are told apart */
    bool is_part;    /* of the operations */
    struct adi_device device;
    const struct adi_sample_type *type;
    struct adi_execution *execution;
    bool *done;   /* by edge */
    bool *tried;  /* by state: its illegal edges */
    size_t *left; /* by state: legal edges that are not done */
    size_t at, exports, n_legal, n_illegal, n_steps;
    bool elsewhere;
    bool resumed; /* what is pending on paper may not be any more */
    bool quiet;   /* nothing is done yet that resumes the queue, but to see that it does */
    size_t n_pending[ADI_LIFE_STATES][ADI_LIFE_OPERATIONS]; /* steps on what really was pending */
};

static void on_finding(struct adi_sink *sink, const struct adi_found *finding) {
    struct tour *tour = (struct tour *)(void *)sink;
    tour->rule = finding->rule;
    tour->findings++;
}

/* ---- what goes wrong is said as a program ---- */

static const char *program_to(const struct tour *tour, const struct adi_cover_edge *edge) {
    static char text[4096];
    struct adi_program program;
    bool elsewhere = false;
    adi_cover_path(&tour->cover, tour->at, &program);
    for (size_t i = 0; i < program.n; i++)
        if (program.steps[i].operation == ADI_DO_release_elsewhere)
            elsewhere = program.steps[i].slot == 1;
    if (edge != NULL) adi_cover_append(edge, &elsewhere, &program);
    return adi_program_text(&program, text, sizeof text);
}

/* ---- playing ---- */

static void open_execution(struct tour *tour) {
    struct adi_error error = {""};
    ck_assert_msg(adi_execution_open(tour->execution, &tour->device, tour->type,
                                     adi_sample_shape_named("many"), 1, &tour->sink, NULL,
                                     &error) == 0,
                  "%s", error.text);
    tour->execution->on_host = tour->on_host;
    tour->at = tour->exports = 0;
    tour->elsewhere = tour->resumed = false;
}

/* What is said to be pending is, before a step, and complete after a wait, which resumes it. */
static void ask_runtime(struct tour *tour, const struct adi_cover_edge *edge, bool after) {
    const struct adi_execution_slot *slot = &tour->execution->slots[edge->step.slot];
    enum adi_life_state state = tour->cover.states[tour->at].model.slots[edge->step.slot].state;
    bool waited = after && edge->rule == NULL && edge->step.operation == ADI_DO_wait;
    if (!slot->lives || !adi_life_is_unready(state)) return;
    const struct adi_exported_array *exported = slot->exported;
    void *event = exported->guarded.real.sync_event;
    if (event == NULL) return; /* it has ended with the base structure */
    if (waited && slot->array->sync_event != NULL) {
        ck_assert(!exported->paused);
        ck_assert_int_eq(tour->device.ops->wait_host(&tour->device, event, NULL), 0);
        ck_assert_int_ne(event_status(&tour->device, event), EVENT_PENDING);
    } else if (!after && exported->paused) {
        if (event_status(&tour->device, event) != EVENT_PENDING)
            ck_abort_msg("it is not pending: %s", program_to(tour, edge));
        tour->n_pending[state][edge->elsewhere ? ADI_DO_release_elsewhere : edge->step.operation]++;
    }
}

static void play(struct tour *tour, const struct adi_cover_edge *edge) {
    struct adi_program program = {.n = 0};
    adi_cover_append(edge, &tour->elsewhere, &program);
    tour->findings = 0;
    ask_runtime(tour, edge, false);
    for (size_t i = 0; i < program.n; i++) {
        int code = adi_execution_step(tour->execution, &program.steps[i]);
        if (code != 0) ck_abort_msg("%s: %s", program_to(tour, edge), tour->execution->error.text);
    }
    ask_runtime(tour, edge, true);
    tour->n_steps++;
}

static void try_illegal(struct tour *tour) {
    const struct adi_cover_state *state = &tour->cover.states[tour->at];
    if (tour->tried[tour->at]) return;
    tour->tried[tour->at] = true;
    for (size_t i = state->first; i < state->first + state->n; i++) {
        const struct adi_cover_edge *edge = &tour->cover.edges[i];
        if (edge->rule == NULL) continue;
        play(tour, edge);
        if (tour->findings != 1)
            ck_abort_msg("%zu findings, wanted %s: %s", tour->findings, edge->rule,
                         program_to(tour, edge));
        if (strcmp(tour->rule->id, edge->rule) != 0)
            ck_abort_msg("%s, wanted %s: %s", tour->rule->id, edge->rule, program_to(tour, edge));
        tour->n_illegal++;
    }
}

/* Whoever waits, or reads, lets everything run. */
static bool resumes(const struct adi_cover_edge *edge) {
    const uint64_t any =
        ADI_COVER(wait) | ADI_COVER(read) | ADI_COVER(consume) | ADI_COVER(stream_consume);
    return (any >> edge->step.operation & 1) != 0;
}

/* Goes along a legal edge. */
static void go(struct tour *tour, size_t index) {
    const struct adi_cover_edge *edge = &tour->cover.edges[index];
    play(tour, edge);
    if (tour->findings != 0) ck_abort_msg("%s: %s", tour->rule->id, program_to(tour, edge));
    if (!tour->done[index]) {
        tour->done[index] = true;
        tour->left[tour->at]--;
        tour->n_legal++;
    }
    enum adi_life_operation operation = edge->step.operation;
    tour->exports += adi_life_puts(operation) ? PIECES_OF(tour->kind) : 0;
    tour->resumed = tour->resumed || resumes(edge);
    tour->at = edge->to;
}

/* ---- the way ---- */

/* An edge from here that leads, the shortest way, to a state with something left to do; or one of
 * its own. `n_edges`: there is none. */
static size_t next_edge(const struct tour *tour, size_t *first, size_t *queue) {
    const struct adi_cover *cover = &tour->cover;
    for (size_t s = 0; s < cover->n_states; s++) first[s] = cover->n_edges;
    size_t head = 0, tail = 0;
    queue[tail++] = tour->at;
    while (head < tail) {
        size_t state = queue[head++];
        const struct adi_cover_state *now = &cover->states[state];
        for (size_t i = now->first; i < now->first + now->n; i++) {
            size_t to = cover->edges[i].to, begun = state == tour->at ? i : first[state];
            if (cover->edges[i].rule != NULL) continue;
            if (tour->left[state] > 0 && !tour->done[i]) return begun;
            if (tour->quiet && resumes(&cover->edges[i])) continue;
            if (to == tour->at || first[to] != cover->n_edges) continue;
            first[to] = begun;
            queue[tail++] = to;
        }
    }
    return cover->n_edges;
}

/* Where the queue can be paused, first what can be done while it is. */
static void walk(struct tour *tour) {
    size_t *first = calloc(tour->cover.n_states, sizeof *first);
    size_t *queue = calloc(tour->cover.n_states + 1, sizeof *queue), edge;
    const struct adi_device_ops *ops = tour->device.ops;
    tour->quiet = ADI_DEVICE_HAS(ops, pause) && adi_device_type_has_event(ops->type);
    open_execution(tour);
    for (;;) {
        try_illegal(tour);
        const bool spent = tour->quiet && tour->resumed;
        edge = spent ? tour->cover.n_edges : next_edge(tour, first, queue);
        if (edge == tour->cover.n_edges && tour->at == 0) tour->quiet = false;
        bool stuck = edge == tour->cover.n_edges; /* no slot becomes empty again */
        if (stuck && tour->n_legal == tour->cover.n_legal) break;
        if (stuck || tour->exports >= PIECES) {
            adi_execution_close(tour->execution);
            open_execution(tour);
        } else {
            go(tour, edge);
        }
    }
    adi_execution_close(tour->execution);
    free(first);
    free(queue);
}

/* Three slots of what hands arrays out are ten times as many pairs as of arrays: in the full test,
 * and on the CPU where each is not slow. */
static int slots_of(const struct request *request, const struct adi_device_ops *ops) {
    bool fast = adi_device_type_is_cpu(ops->type) && !IS_SANITIZED && !is_short();
    return request->kind != ADI_LIFE_array && !is_full() && !fast && request->slots > 2
               ? 2
               : request->slots;
}

static void certify(const struct tour *tour, int slots, double seconds) {
    const struct adi_cover *cover = &tour->cover;
    const bool of_arrays = tour->kind == ADI_LIFE_array;
    printf("  cover %s:%lld, %d slots of %s%s%s%s: %zu states; %zu legal edges, %zu executed; "
           "%zu illegal pairs, %zu executed; %zu steps in %.2f s\n",
           tour->device.ops->name, (long long)tour->device.id, slots,
           tour->on_host ? "an ArrowArrayStream"
           : of_arrays   ? ""
                         : adi_life_kind_what(tour->kind),
           of_arrays ? "" : " of ", tour->type->name,
           tour->makers != 0 ? ", relayed ones told apart"
           : tour->is_part   ? ", some operations"
                             : "",
           cover->n_states, cover->n_legal, tour->n_legal, cover->n_illegal, tour->n_illegal,
           tour->n_steps, seconds);
    fflush(stdout);
    ck_assert_uint_eq(tour->n_legal, cover->n_legal);
    ck_assert_uint_eq(tour->n_illegal, cover->n_illegal);
}

/* Where queues can be paused each thing that can be done to what is pending has been done to it. */
static void certify_pending(const struct tour *tour) {
    const struct adi_device_ops *ops = tour->device.ops;
    const struct adi_cover *cover = &tour->cover;
    bool holds = ADI_DEVICE_HAS(ops, pause) && adi_device_type_has_event(ops->type);
    size_t n = 0, rows = 0;
    for (size_t s = 0; s < cover->n_states; s++) {
        for (size_t i = 0; i < cover->states[s].n; i++) {
            const struct adi_cover_edge *edge = &cover->edges[cover->states[s].first + i];
            const struct adi_model_slot *slot = &cover->states[s].model.slots[edge->step.slot];
            enum adi_life_operation operation =
                edge->elsewhere ? ADI_DO_release_elsewhere : edge->step.operation;
            if (!adi_life_is_unready(slot->state) || slot->state == ADI_IS_lost ||
                slot->state == ADI_IS_parted_lost)
                continue;
            if (holds && tour->n_pending[slot->state][operation] == 0)
                ck_abort_msg("never done while it was pending: %s in %s",
                             adi_life_operation_name(operation), adi_life_state_name(slot->state));
        }
    }
    for (int s = 0; s < ADI_LIFE_STATES; s++)
        for (int o = 0; o < ADI_LIFE_OPERATIONS; o++) {
            n += tour->n_pending[s][o];
            rows += tour->n_pending[s][o] > 0;
        }
    ck_assert_int_eq(n > 0, holds);
    if (holds) printf("    %zu steps in %zu rows of the table on what was pending\n", n, rows);
}

/* Returns over how many slots it is. */
static int open_cover(struct adi_cover *cover, const struct ArrowSchema *schema, int slots,
                      const struct request *request, unsigned makers) {
    uint64_t operations =
        request->operations != 0 ? request->operations : adi_cover_operations(request->kind);
    if (request->on_host) operations &= ~ADI_COVER(stream_export_pending); /* it has no event */
    for (;; slots--) {
        ck_assert_int_eq(adi_cover_open(cover, schema, slots, operations, makers, false), 0);
        if (request->kind == ADI_LIFE_array || cover->n_legal <= MOST_LEGAL) return slots;
        printf("  cover: left out: %d slots of %s: %zu states, %zu legal edges\n", slots,
               adi_life_kind_what(request->kind), cover->n_states, cover->n_legal);
        adi_cover_free(cover);
    }
}

static void cover_with(const struct adi_device_ops *ops, int64_t id,
                       const struct request *request) {
    static struct adi_execution execution;
    struct tour tour = {.sink = {.violated = on_finding}, .execution = &execution};
    struct ArrowSchema schema;
    struct ArrowArray array;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    int slots = slots_of(request, ops);
    tour.kind = request->kind;
    tour.on_host = request->on_host;
    tour.type = adi_sample_type_named(request->type);
    ck_assert_int_eq(ops->open(id, &tour.device, NULL), 0);
    adi_sample(tour.type, adi_sample_shape_named("many"), 1, &schema, &array, NULL);
    tour.makers = request->kind == ADI_LIFE_array ? MAKERS : 0;
    tour.is_part = request->operations != 0;
    slots = open_cover(&tour.cover, &schema, slots, request, tour.makers);
    tour.done = calloc(tour.cover.n_edges, sizeof *tour.done);
    tour.tried = calloc(tour.cover.n_states, sizeof *tour.tried);
    tour.left = calloc(tour.cover.n_states, sizeof *tour.left);
    for (size_t s = 0; s < tour.cover.n_states; s++)
        for (size_t i = 0; i < tour.cover.states[s].n; i++)
            tour.left[s] += tour.cover.edges[tour.cover.states[s].first + i].rule == NULL;
    walk(&tour);
    clock_gettime(CLOCK_MONOTONIC, &end);
    certify(&tour, slots,
            (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9);
    certify_pending(&tour);
    free(tour.done);
    free(tour.tried);
    free(tour.left);
    adi_cover_free(&tour.cover);
    adi_schema_release(&schema);
    adi_array_release(&array);
    ops->close(&tour.device);
}

/* A second id of a type is the same backend: arrays alone are played there, too. */
static bool plays_all_ids(const struct request *request) {
    return is_full() || (!IS_SANITIZED && request->kind == ADI_LIFE_array);
}

/* On each device that is there; in the short test on the first, the CPU. */
static void *cover_devices(void *request_at) {
    const struct request *request = request_at;
    const struct adi_device_ops *ops;
    for (size_t i = 0; (ops = adi_device_at(i)) != NULL; i++) {
        if (request->on_host && i > 0) break; /* the CPU is the first */
        if (is_short() && i > 0) {
            printf("  cover: left out: %s and what follows: ADI_TEST_SHORT is set\n", ops->name);
            break;
        }
        if (request->operations != 0 && i > 0) break;
        struct adi_device_probe probe = {.count = 0};
        ops->probe(&probe);
        int count = plays_all_ids(request) || probe.count == 0 ? probe.count : 1;
        if (count < probe.count)
            printf("  cover: left out: %s: ids but the first: see ADI_TEST_FULL\n", ops->name);
        for (int k = 0; k < count; k++) cover_with(ops, probe.ids[k], request);
        if (probe.count == 0) printf("  cover: left out: %s: %s\n", ops->name, probe.why.text);
    }
    return NULL;
}

/* On a small stack: AddressSanitizer clears the shadow of all of it at each jump out of a handler.
 */
static void cover_as(struct request request) {
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK_BYTES);
    ck_assert_int_eq(pthread_create(&thread, &small, cover_devices, &request), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&small);
}

static void cover(enum adi_life_kind kind, const char *type, int slots) {
    cover_as((struct request){kind, type, slots, false, 0});
}

START_TEST(a_structure_with_children_is_covered)
{ cover(ADI_LIFE_array, "struct", SLOTS); }
END_TEST

START_TEST(an_array_with_a_dictionary_is_covered)
{ cover(ADI_LIFE_array, "dictionary_int8_utf8", 2); }
END_TEST

/* Of the kinds that are exported, all but arrays. */
static void cover_others(const char *type, int slots) {
    for (enum adi_life_operation o = 0; o < ADI_LIFE_OPERATIONS; o++) {
        enum adi_life_kind kind = adi_life_kind_of_operation(o);
        bool first = adi_life_puts(o) &&
                     !(o > 0 && adi_life_puts(o - 1) && adi_life_kind_of_operation(o - 1) == kind);
        if (first && kind != ADI_LIFE_array) cover(kind, type, slots);
    }
}

START_TEST(each_other_kind_is_covered_with_what_it_hands_out)
{ cover_others("struct", 3); }
END_TEST

/* The two streams have one life. */
START_TEST(the_stream_that_has_no_device_is_covered)
{
    cover_as((struct request){ADI_LIFE_stream, "struct", 3, true, 0});
    cover_as((struct request){ADI_LIFE_stream, "dictionary_int8_utf8", 2, true, 0});
}
END_TEST

START_TEST(an_asynchronous_stream_its_task_and_its_array_are_covered)
{
    int slots = is_short() || IS_SANITIZED ? 2 : 3;
    cover_as((struct request){ADI_LIFE_async, "int32", slots, false, THREE_DEEP});
}
END_TEST

START_TEST(and_where_that_has_a_dictionary)
{ cover_others("dictionary_int8_utf8", 2); }
END_TEST

Suite *harness_cover_suite(void) {
    Suite *suite = suite_create("harness_cover");
    TCase *tests = tcase_create("cover");
    tcase_set_timeout(tests, is_full() ? 3600 : 900);
    tcase_add_test(tests, a_structure_with_children_is_covered);
    tcase_add_test(tests, an_array_with_a_dictionary_is_covered);
    tcase_add_test(tests, each_other_kind_is_covered_with_what_it_hands_out);
    tcase_add_test(tests, and_where_that_has_a_dictionary);
    tcase_add_test(tests, the_stream_that_has_no_device_is_covered);
    suite_add_tcase(suite, tests);
    TCase *deep = tcase_create("deep");
    tcase_set_timeout(deep, is_full() ? 3600 : 900);
    tcase_add_test(deep, an_asynchronous_stream_its_task_and_its_array_are_covered);
    suite_add_tcase(suite, deep);
    return suite;
}
