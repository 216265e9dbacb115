/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs as programs in C: they compile without a warning, need nothing of ours, are short, and
 * do what the table of the life cycle says: the illegal ones fail, the legal ones exit with 0. With
 * an implementation in them they fail where it breaks the life cycle, and exit with 0 where it does
 * not; not under a sanitizer, whose adapters no plain program can load.
 */
#include "emit.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cover.h"
#include "move.h"
#include "random_program.h"
#include "sample.h"
#include "shell.h"
#include "slow.h"

Suite *harness_emit_suite(void);

#define RANDOM 16 /* legal programs that are made up */

/* Writes the program to a file and looks at its lines. */
static int write_it(const struct adi_program *program, const char *type, const char *words) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    char path[96], *text = NULL;
    size_t length, lines = 0, column = 0;
    ck_assert_int_eq(adi_sample(adi_sample_type_named(type), adi_sample_shape_named("many"), 1,
                                &schema, &array, NULL),
                     0);
    FILE *memory = open_memstream(&text, &length);
    int code = adi_emit_c(program, &schema, "words", memory, NULL);
    fclose(memory);
    for (const char *at = text; *at != '\0'; at++) {
        column = *at == '\n' ? 0 : column + 1;
        ck_assert_msg(column <= 100, "a line is too long:\n%s", text);
        lines += *at == '\n';
    }
    bool streams = strchr(words, 's') != NULL;
    ck_assert_uint_le(lines, streams ? ADI_EMIT_LINES_OF_STREAMS : ADI_EMIT_LINES);
    snprintf(path, sizeof path, "%s/it.c", folder);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    free(text);
    adi_array_release(&array);
    adi_schema_release(&schema);
    return code;
}

/* Compiles and runs it. Its exit status; 255: a signal. */
static int run_it(const char *words) {
    char line[256];
    snprintf(line, sizeof line,
             "cd %s && gcc -std=c11 -Wall -Wextra -Werror -pthread it.c -o it && "
             "{ ./it 2>/dev/null || exit 1; }",
             folder);
    int status = system(line);
    snprintf(line, sizeof line, "%s/it", folder);
    ck_assert_msg(access(line, X_OK) == 0, "%s does not compile", words);
    unlink(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static const struct {
    const char *type, *text;
    bool legal;
} programs[] = {
    {"struct", "e0 m01 r1 x1", true},
    {"struct", "p0 w0 c0.0>1 d0>2 x0 t+ r1 x1", true},
    {"struct", "p0 w0 m01 y12 c2.0>3 t+ x2 t- u3", true},
    {"list_int32", "e0 c0.0>1 x0 r1 x1", true},
    {"dictionary_int8_utf8", "p0 m01 y10 d0>1 w0 x0 u1 z3", true},
    {"struct", "m01", false},            /* life/use-after-release */
    {"struct", "r0", false},             /* the same */
    {"struct", "e0 x0 r0", false},       /* the same */
    {"struct", "e0 m01 r0", false},      /* the same */
    {"struct", "e0 x0 x0", false},       /* life/release-twice */
    {"struct", "e0 m01 x0", false},      /* life/move-source-not-released */
    {"struct", "e0", false},             /* life/never-released */
    {"struct", "e0 z0", false},          /* the same */
    {"struct", "e0 e0", false},          /* the same */
    {"struct", "e0 e1 m01", false},      /* the same */
    {"struct", "e0 c0.0>1 x0", false},   /* the same, of a child */
    {"struct", "e0 X0.1", false},        /* life/child-released-by-consumer */
    {"struct", "e0 c0.0>1 X0.0", false}, /* a child that is gone */
    {"struct", "e0 c0.0>1 c0.0>2", false},
    {"struct", "e0 c0.0>1 x1", false},    /* life/parent-kept-after-child-move */
    {"struct", "e0 c0.1>2 r2", false},    /* the same */
    {"struct", "e0 c0.1>2 r0", false},    /* the same */
    {"struct", "e0 c0.1>2 m01", false},   /* the same */
    {"struct", "e0 c0.1>2 u0", false},    /* the same */
    {"struct", "p0 r0", false},           /* sync/read-before-wait */
    {"struct", "p0 m01 r1", false},       /* the same */
    {"struct", "p0 c0.0>1 x0 r1", false}, /* the same: too late to wait */
    {"struct", "se0 x0", true},
    {"struct", "se0 sn0>1 sn0>2 x0 c1.0>3 x1 r2 r3 t+ x2 x3", true},
    {"struct", "sp0 sn0>1 m03 w1 r1 sn3>2 t+ x3 w2 r2 x1 x2", true},
    {"list_int32", "se0 sh0>1 hr1 m12 x0 hr2 t+ x2", true},
    {"struct", "sf0 sn0>1 sn0>2 sl0 sl0 sh0>2 x2 x0 r1 x1", true},
    {"struct", "se0 sn0>1 x1 sn0>1 x1 sn0>1 sn0>1 e1 x1 x0", true},
    {"struct", "se0 sn0>1 sy02 m23 sn3>2 r2 su3 x1 x2", true},
    {"struct", "sp0 sn0>1 su0 w1 r1 x1", true},
    {"struct", "sf0 sh0>1 sy02 su2 x1", true},
    {"struct", "se0 sn0>1 x1 sn0>1 x1 sn0>1 su0", true},
    {"struct", "se0 sy01 su0", false},     /* life/use-after-release */
    {"struct", "se0 su0 x0", false},       /* life/release-twice */
    {"struct", "se0 e1 sy01", false},      /* life/never-released */
    {"struct", "se0", false},              /* the same */
    {"struct", "se0 sn0>1 x0", false},     /* the same, of a chunk */
    {"struct", "se0 sh0>1 x0", false},     /* the same, of a schema */
    {"struct", "se0 e0", false},           /* the same */
    {"struct", "e0 se0", false},           /* the same */
    {"struct", "se0 sn0>0", false},        /* the same */
    {"struct", "se0 sh0>1 m01", false},    /* the same */
    {"struct", "se0 x0 x0", false},        /* life/release-twice */
    {"struct", "se0 m01 x0", false},       /* life/move-source-not-released */
    {"struct", "se0 m01 sn0>2", false},    /* life/use-after-release */
    {"struct", "se0 x0 sh0>1", false},     /* the same */
    {"struct", "se0 sh0>1 x1 hr1", false}, /* the same */
    {"struct", "se0 sl0", false},          /* stream/error-asked-without-error */
    {"struct", "sf0 sn0>1 sn0>2 sh0>2 sl0", false},
    {"struct", "sp0 sn0>1 r1", false},                   /* sync/read-before-wait */
    {"struct", "se0 sn0>1 x1 sn0>1 x1 sn0>1 x1", false}, /* the end, released */
};

START_TEST(a_program_in_c_does_what_the_table_says)
{
    struct adi_program program;
    ck_assert_int_eq(adi_program_parse(programs[_i].text, &program, NULL), 0);
    ck_assert_int_eq(write_it(&program, programs[_i].type, programs[_i].text), 0);
    int status = run_it(programs[_i].text);
    ck_assert_msg((status == 0) == programs[_i].legal, "%s: status %d", programs[_i].text, status);
}
END_TEST

START_TEST(what_is_legal_exits_with_0)
{
    struct adi_random random = {.state = (uint64_t)_i};
    struct adi_program program;
    struct ArrowSchema schema;
    struct ArrowArray array;
    char text[1024];
    adi_sample(adi_sample_type_named("struct"), adi_sample_shape_named("many"), 1, &schema, &array,
               NULL);
    enum adi_life_kind kind = _i % 2 == 0 ? ADI_LIFE_array : ADI_LIFE_stream;
    adi_program_random(&program, &schema, adi_cover_operations(kind) & ~ADI_COVER(release_child),
                       &random);
    adi_array_release(&array);
    adi_schema_release(&schema);
    adi_program_text(&program, text, sizeof text);
    int code = write_it(&program, "struct", text);
    ck_assert(code == 0 || code == E2BIG);
    if (code == 0) ck_assert_msg(run_it(text) == 0, "%s", text);
}
END_TEST

START_TEST(what_does_not_fit_is_not_written)
{
    static const char text[] = "e0 x0";
    struct adi_program program = {.n = 0};
    for (int i = 0; i < 100; i++) {
        program.steps[program.n++] = (struct adi_step){.operation = ADI_DO_export};
        program.steps[program.n++] = (struct adi_step){.operation = ADI_DO_release};
    }
    ck_assert_int_eq(write_it(&program, "struct", text), E2BIG);
    program.n = 4;
    ck_assert_int_eq(write_it(&program, "struct", text), 0);
    ck_assert_int_eq(run_it("e0 x0 e0 x0"), 0);
}
END_TEST

/* ---- with an implementation ---- */

static const struct {
    const char *as, *adapter, *program;
    const char *words; /* that it ends with; "": a fault is enough; NULL: it exits with 0 */
} played[] = {
    {"producer", "points_into_itself", "struct e0 x0", ""},
    {"producer", "release_not_cleared", "int32 e0 x0", "release not set to NULL"},
    {"producer", "schema_release_not_cleared", "int32 e0 x0", "release not set to NULL"},
    {"producer", "children_leaked", "struct e0 x0", "a child was not released"},
    {"producer", "schema_children_leaked", "struct e0 x0", "a child was not released"},
    {"producer", "reserved_never_written", "int32 e0 x0", "reserved is not zero"},
    {"producer", "moved_child_released", "struct e0 c0.0>1 x0 x1", ""},
    {"producer", "root_owns_children", "struct e0 c0.0>1 x0 r1 x1", ""},
    {"producer", "child_scribbled_by_parent", "struct e0 c0.0>1 x0 r1 x1", "not what was exported"},
    {"producer", "block_recycled", "struct e0 c0.0>1 x0 e0 r1 x0 x1", "not what was exported"},
    {"producer", "pool_rewritten", "int32 e0 e1 r0 x0 x1", "not what was exported"},
    {"producer", "finds_itself_by_address", "int32 e0 m01 x1", "release not set to NULL"},
    {"producer", "writes_where_it_was", "int32 e0 m01 x1", ""},
    {"producer", "released_on_own_thread_only", "int32 e0 t+ x0", ""},
    {"consumer", "releases_twice", "int32 e0 u0", ""},
    {"consumer", "never_releases", "int32 e0 u0", "never released"},
    {"consumer", "releases_children", "struct e0 u0", "released before its parent"},
    {"consumer", "array_read_after_release", "int32 e0 u0", ""},
    {"consumer", "private_data_read", "int32 e0 u0", ""},
    {"consumer", "private_data_replaced", "int32 e0 u0", "private_data was touched"},
    {"consumer", "dictionary_detached", "dictionary_int8_utf8 e0 u0", "structure was changed"},
    {"consumer", "move_source_kept", "int32 e0 u0", "was not marked released"},
    {"relay", "released_at_move", "int32 e0 y01 x1", ""},
    {"relay", "relay_frees_child", "struct e0 y01 c1.0>0 x1 r0 x0", ""},
    {"relay", "relay_recycles_lists", "struct e0 e1 y02 c2.0>0 x2 y12 r0 x0 x2",
     "not what was exported"},
    {"producer", "buffers_freed_twice", "int32 e0 x0", "freed twice"},
    {"stream-producer", "stream_release_not_cleared", "int32 se0 x0", "release not set to NULL"},
    {"stream-producer", "stream_finds_itself_by_address", "int32 se0 m01 sn1>0 x0 x1",
     "a stream that was moved fails"},
    {"stream-producer", "stream_error_lost", "struct sf0 sn0>1 x1 sn0>1 x0",
     "the error of its source is lost"},
    {"stream-producer", "stream_error_freed", "struct sf0 sn0>1 x1 sn0>1 sl0 x0",
     "the text of an error does not last"},
    {"stream-producer", "stream_error_negative", "struct sf0 sn0>1 x1 sn0>1 x0",
     "the code of an error is that of no errno"},
    {"stream-producer", "stream_owns_chunks", "int32 se0 sn0>1 x0 r1 x1", "not what was exported"},
    {"stream-producer", "stream_owns_names", "struct se0 sh0>1 x0 hr1 x1", "not what it was"},
    {"stream-producer", "stream_end_unmarked", "int32 se0 sn0>1 sn0>2 sn0>3 x0 x1 x2",
     "the end is not marked"},
    {"stream-producer", "odd_streams", "struct se0 sn0>1 c1.0>2 x1 sh0>3 m31 x0 r2 hr1 t+ x2 x1",
     NULL},
    {"stream-producer", "odd_stream_error_silent", "struct sf0 sn0>1 sn0>2 sl0 m03 x1 x3", NULL},
    {"stream-consumer", "stream_never_released", "struct se0 su0", "never released"},
    {"stream-consumer", "stream_source_kept", "struct se0 su0", "was not marked released"},
    {"stream-consumer", "stream_used_after_release", "struct se0 su0", ""},
    {"stream-consumer", "stream_private_data_read", "struct se0 su0", ""},
    {"stream-consumer", "stream_error_always_asked", "struct se0 su0", "nothing has failed"},
    {"stream-consumer", "stream_error_taken_for_end", "struct sf0 sn0>1 su0 x1", "overlooked"},
    {"stream-consumer", "odd_streams", "struct se0 sn0>1 m02 su2 x1 sf0 su0", NULL},
    {"stream-consumer", "odd_stream_eager", "struct sf0 su0 se1 sn1>0 su1 x0", NULL},
    {"stream-relay", "stream_relay_loses_error", "struct sf0 sn0>1 x1 sy01 sn1>0 x1",
     "the error of its source is lost"},
    {"stream-relay", "stream_relay_finds_itself", "struct se0 sy01 m10 sn0>1 x0 x1",
     "a stream that was moved fails"},
    {"stream-relay", "stream_relay_keeps_stream", "struct se0 sy01 x1", "never released"},
    {"stream-relay", "stream_relay_releases_first", "struct se0 sy01 sn1>0 x0 x1", ""},
    {"stream-relay", "odd_streams", "struct se0 sn0>1 sy02 sn2>0 sh2>3 x2 r0 hr3 x0 x1 x3", NULL},
    {"async-producer", "async_called_after_release", "struct ae0 x0", ""},
    {"async-producer", "async_handler_written_after_release", "struct ae0 x0", ""},
    {"async-producer", "async_released_twice", "struct ae0 x0", "called after the release"},
    {"async-producer", "async_released_alone", "struct ae0 x0", "nothing else has come"},
    {"async-producer", "async_schema_twice", "struct ae0 x0", "on_schema is called twice"},
    {"async-producer", "async_producer_moved", "struct ae0 x0", "the producer has changed"},
    {"async-producer", "async_task_metadata_text", "struct ae0 x0", "metadata is no number"},
    {"async-producer", "async_metadata_of_schema", "struct ae0 x0", "metadata"},
    {"async-producer", "async_request_calls_back", "struct ae0 x0", "the consumer has called"},
    {"async-producer", "async_give_up_follows_null", "struct ae0 x0", ""},
    {"async-producer", "async_extract_hides_failure", "struct ae0 x0", "and gives nothing"},
    {"async-producer", "async_locks_around_schema", "struct ae0 x0", "does not return"},
    {"async-producer", "async_failure_releases", "struct ae0 x0", "callbacks were called"},
    {"async-producer", "async_cancel_in_error", "struct ae0 x0", "a cancel ends in on_error"},
    {"async-producer", "async_cancel_releases", "struct ae0 ac0 x0", "the consumer has called"},
    {"async-producer", "async_cancel_ignored", "struct ae0 ar0 ac0 x0", "cancel is ignored"},
    {"async-producer", "async_requests_after_cancel", "struct ae0 ac0 ar0 x0", "after a cancel"},
    {"async-producer", "async_error_after_refused_task", "struct ae0 aj0 x0",
     "called after on_next_task has refused"},
    {"async-producer", "async_end_after_error", "struct af0 ar0 an0>1 x1 x0", "after on_error"},
    {"async-producer", "async_error_without_code", "struct af0 ar0 x0", "the code of an error"},
    {"async-producer", "async_error_text_freed", "struct af0 ar0 x0", "was freed"},
    {"async-producer", "async_error_text_unmapped", "struct af0 ar0 x0", ""},
    {"async-producer", "async_error_text_unterminated", "struct af0 ar0 x0", ""},
    {"async-producer", "async_error_text_of_frame", "struct af0 ar0 x0", "that is no more"},
    {"async-producer", "async_handler_moved", "struct ae0 x0", "with another structure"},
    {"async-producer", "async_schema_never", "struct ae0 x0", "called before on_schema"},
    {"async-producer", "odd_async_error_texts", "struct af0 ar0 x0 af1 ar1 x1", NULL},
    {"async-producer", "async_error_as_end", "struct af0 ar0 an0>1 x1 x0",
     "the error of its source is lost"},
    {"async-producer", "async_one_ahead", "struct ae0 ar0 an0>1 x1 x0", "than were requested"},
    {"async-producer", "async_end_missing", "struct ae0 ar0 ar0 an0>1 an0>2 x1 x2 x0",
     "released without an end"},
    {"async-producer", "async_never_released", "struct ae0 ar0 ar0 an0>1 an0>2 x1 x2 x0",
     "the handler is not released"},
    {"async-producer", "async_task_aborts_later", "struct ae0 ar0 an0>1 t+ x1 x0", ""},
    {"async-producer", "async_chunks_of_stream", "struct ae0 ar0 an0>1 ke1>2 x0 r2 x2", ""},
    {"async-producer", "odd_async", "struct ae0 ar0 an0>1 m12 t+ ke2>1 r1 c1.0>3 x1 r3 x3 x0",
     NULL},
    {"async-producer", "odd_async_within", "struct ae0 ar0 an0>1 ar0 ke1>2 an0>3 x3 x0 r2 m21 x1",
     NULL},
    {"async-producer", "odd_async_pooled", "struct ae0 ac0 t+ x0 z0 af2 ar2 an2>0 x0 x2", NULL},
    {"async-producer", "odd_async_waits_for_tasks", "struct ae0 ar0 ar0 an0>1 an0>2 x2 x1 x0",
     NULL},
    {"async-producer", "odd_async_ends_after_cancel", "struct ae0 aj0 ac0 ar0 x0", NULL},
    {"async-producer", "odd_async_published",
     "dictionary_int8_utf8 ae0 ar0 an0>1 ke1>2 ac0 r2 x0 "
     "d2>3 x2 r3 x3",
     NULL},
    {"async-producer", "odd_async_releases_late", "struct e3 ae0 ar0 ar0 x0 u3", NULL},
    {"async-producer", "odd_async_blocks_elsewhere", "struct ae0 ac0 x0 ae0 x0", NULL},
    {"producer", "correct", "struct e0 e1 m02 c2.1>0 x2 r0 t+ x0 r1 x1", NULL},
    {"producer", "correct", "dictionary_int8_utf8/offset e0 d0>1 x0 r1 x1", NULL},
    {"producer", "correct", "utf8_view e0 e1 x0 r1 x1", NULL},
    {"consumer", "correct", "map_utf8_list e0 m01 u1 e0 u0", NULL},
    {"relay", "correct", "dense_union e0 y01 c1.0>0 x1 r0 x0", NULL},
    {"producer", "odd_one_block", "list_utf8 e0 c0.0>1 x0 r1 x1", NULL},
    {"producer", "odd_recycles_blocks", "struct e0 x0 e0 c0.0>1 x0 r1 x1", NULL},
    {"producer", "odd_wipes_structure", "struct e0 m01 x1", NULL},
    {"consumer", "odd_keeps_newest", "struct e0 u0 e0 u0", NULL},
    {"consumer", "odd_releases_later", "struct e0 u0", NULL},
    {"relay", "odd_relays_by_move", "struct e0 y01 c1.0>0 x1 r0 x0", NULL},
};

START_TEST(an_implementation_is_reached_without_the_harness)
{
    char line[512];
    if (IS_SANITIZED || IS_THREAD_SANITIZED) return;
    snprintf(line, sizeof line,
             "$A replay --emit-c --as %s --adapter $B/tests/mutants/%s.so 'cpu %s' > it.c",
             played[_i].as, played[_i].adapter, played[_i].program);
    expect(line, 0, "");
    expect("cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I $B/include it.c -o it -pthread -ldl",
           0, "");
    int status = run("./it");
    const char *words = played[_i].words;
    ck_assert_msg((status == 0) == (words == NULL) && status != 2, "%s: status %d: %s", line,
                  status, said);
    ck_assert_msg(words == NULL || strstr(said, words) != NULL, "%s: %s", line, said);
}
END_TEST

/* It is neither right nor wrong, as in the run. */
START_TEST(what_an_implementation_does_not_do_is_refused_there_too)
{
    if (IS_SANITIZED || IS_THREAD_SANITIZED) return;
    expect("$A replay --emit-c --as async-producer --adapter $B/tests/mutants/odd_streams.so "
           "'cpu struct ae0 x0' > it.c; cc -D_GNU_SOURCE -I $B/include it.c -o it -pthread -ldl; "
           "./it",
           2, "async-producer refuses");
    expect(
        "$A replay --emit-c --as async-producer --adapter $B/tests/mutants/odd_async_cuts_anew.so "
        "'cpu int32 ae0 ar0 ar0 an0>1 an0>2 x1 x2 x0' > it.c",
        0, "");
    expect("cc -std=c11 -D_GNU_SOURCE -I $B/include it.c -o it -pthread -ldl", 0, "");
    expect("./it", 2, "which is longer, refuses");
}
END_TEST

/* The second line of the two is for who has not installed anything. */
START_TEST(a_program_says_how_it_is_compiled)
{
    if (IS_SANITIZED || IS_THREAD_SANITIZED) return;
    expect("$A replay --emit-c --as producer --adapter $B/tests/mutants/correct.so "
           "'cpu int32 e0 x0' > it.c; grep -c '^ \\*   cc ' it.c",
           0, "2\n");
    expect("eval \"$(sed -n 's/^ \\*   cc -I build\\(.*\\) \\[LIBRARY\\]/cc -I $B\\1/p' it.c)\"", 0,
           "");
    expect("ls", 0, "it\n");
}
END_TEST

START_TEST(what_is_not_there_is_said)
{
    expect("$A replay --emit-c --as relay 'cpu struct e0 x0'", 254, "the reference is no library");
    expect("$A replay --emit-c --as producer --adapter $B/tests/mutants/correct.so "
           "'opencl:0 struct e0 x0'",
           254, "for the CPU alone; for opencl:0 leave out");
    expect("$A replay --emit-c --as producer --adapter $B/tests/mutants/correct.so "
           "'cpu struct p0 x0'",
           254, "step 1 needs an event");
    expect("$A replay --emit-c --as stream-producer --adapter $B/tests/mutants/odd_streams.so "
           "'cpu struct sp0 x0'",
           254, "step 1 needs an event");
    expect("$A replay --emit-c --as async-producer --adapter $B/tests/mutants/odd_async.so "
           "'cpu struct ap0 x0'",
           254, "step 1 needs an event");
    expect("$A replay --emit-c --as async-producer --adapter $B/tests/mutants/odd_async.so "
           "'cpu struct ae0 ar0 an0>1 x0 ke1>2 x2'",
           254, "docs/ambiguities.md, 18");
}
END_TEST

/* With each compiler that there is. */
START_TEST(a_program_compiles_without_a_warning)
{
    static const char *const parts[] = {
        "producer --adapter $B/tests/mutants/correct.so 'cpu int32 e0 x0'",
        "stream-consumer --adapter $B/tests/mutants/odd_streams.so 'cpu int32 se0 su0'",
        "async-producer --adapter $B/tests/mutants/odd_async.so 'cpu int32 ae0 x0'",
    };
    char line[512];
    if (IS_SANITIZED || IS_THREAD_SANITIZED) return;
    snprintf(line, sizeof line,
             "$A replay --emit-c --as %s > it.c && for c in gcc clang; do for o in 0 2; do "
             "command -v $c > no || { echo $c is left out: it is not there; continue; }; "
             "$c -O$o -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I $B/include it.c -o it "
             "-pthread -ldl && ./it || exit; done; done",
             parts[_i]);
    expect(line, 0, "");
}
END_TEST

Suite *harness_emit_suite(void) {
    Suite *suite = suite_create("harness_emit");
    TCase *tests = tcase_create("in C");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_program_in_c_does_what_the_table_says, 0,
                        sizeof programs / sizeof programs[0]);
    tcase_add_loop_test(tests, what_is_legal_exits_with_0, 0, RANDOM);
    tcase_add_test(tests, what_does_not_fit_is_not_written);
    tcase_add_loop_test(tests, an_implementation_is_reached_without_the_harness, 0,
                        sizeof played / sizeof played[0]);
    tcase_add_test(tests, what_an_implementation_does_not_do_is_refused_there_too);
    tcase_add_test(tests, a_program_says_how_it_is_compiled);
    tcase_add_test(tests, what_is_not_there_is_said);
    tcase_add_loop_test(tests, a_program_compiles_without_a_warning, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
