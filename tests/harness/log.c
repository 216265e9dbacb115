/* SPDX-License-Identifier: Apache-2.0 */
#include "log.h"

#include <check.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

Suite *harness_log_suite(void);

static struct adi_log *log_;
static int log_fd;
static struct adi_log_reader reader;
static struct adi_log_record record;
static bool damaged;

static void set_up(void) {
    log_ = adi_log_create(&log_fd);
    ck_assert_ptr_nonnull(log_);
    reader = (struct adi_log_reader){.log = log_};
    damaged = false;
}

static void tear_down(void) {
    close(log_fd);
    adi_log_destroy(log_);
}

static bool next(void) {
    return adi_log_next(&reader, &record, &damaged);
}

static void write_step(int64_t index, const char *text) {
    adi_log_write(log_, ADI_LOG_STEP, index, ADI_CONSUMER, 7, text, "message", NULL, "wanted");
}

START_TEST(what_is_written_is_read)
{
    ck_assert(!next());
    adi_log_write(log_, ADI_LOG_VIOLATION, 3, ADI_CONSUMER, 4, "text", "message", "seen", "wanted");
    ck_assert(next());
    ck_assert_int_eq(record.kind, ADI_LOG_VIOLATION);
    ck_assert_int_eq(record.index, 3);
    ck_assert_int_eq(record.party, ADI_CONSUMER);
    ck_assert_int_eq(record.count, 4);
    ck_assert_str_eq(record.text, "text");
    ck_assert_str_eq(record.message, "message");
    ck_assert_str_eq(record.seen, "seen");
    ck_assert_str_eq(record.wanted, "wanted");
    ck_assert_int_gt(record.time_ns, 0);
    ck_assert(!next());
    ck_assert(!damaged);
}
END_TEST

START_TEST(a_missing_text_is_empty)
{
    adi_log_write(log_, ADI_LOG_END, 0, ADI_BOTH, 0, NULL, NULL, NULL, NULL);
    ck_assert(next());
    ck_assert_str_eq(record.text, "");
    ck_assert_str_eq(record.wanted, "");
}
END_TEST

START_TEST(a_long_text_is_cut)
{
    char text[3 * ADI_LOG_TEXT];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    adi_log_write(log_, ADI_LOG_STEP, 0, ADI_BOTH, 0, text, text, text, text);
    write_step(1, "after");
    ck_assert(next());
    ck_assert_uint_eq(strlen(record.text), ADI_LOG_TEXT - 1);
    ck_assert_uint_eq(strlen(record.wanted), ADI_LOG_TEXT - 1);
    ck_assert(next());
    ck_assert_str_eq(record.text, "after");
}
END_TEST

START_TEST(a_worker_moves_on_without_a_word)
{
    ck_assert_int_eq(adi_log_moved_ns(log_), 0);
    size_t room = adi_log_room(log_);
    adi_log_move_on(log_);
    int64_t moved = adi_log_moved_ns(log_);
    ck_assert_int_gt(moved, 0);
    ck_assert_uint_eq(adi_log_room(log_), room);
    adi_log_move_on(log_);
    ck_assert_int_ge(adi_log_moved_ns(log_), moved);
    ck_assert(!next());
}
END_TEST

START_TEST(a_full_log_drops_and_stays_sound)
{
    char text[ADI_LOG_TEXT];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    size_t fits = ADI_LOG_BYTES / ADI_LOG_TEXT, read = 0;
    ck_assert_uint_gt(adi_log_room(log_), ADI_LOG_BYTES - 4096);
    for (size_t i = 0; i < fits + 1000; i++) write_step((int64_t)i, text);
    ck_assert_uint_eq(adi_log_room(log_), 0);
    while (next()) ck_assert_int_eq(record.index, (int64_t)read++);
    ck_assert(!damaged);
    ck_assert_uint_gt(read, fits / 2);
    ck_assert_uint_lt(read, fits);
}
END_TEST

#define THREADS 8
#define EACH    20000

static void *write_many(void *number) {
    char text[64];
    for (int64_t i = 0; i < EACH; i++) {
        memset(text, 'a' + (int)(i % 26), sizeof text);
        text[i % 63] = '\0';
        adi_log_write(log_, ADI_LOG_STEP, i, ADI_BOTH, (intptr_t)number, text, NULL, NULL, text);
    }
    return NULL;
}

START_TEST(many_threads_write_while_one_reads)
{
    pthread_t threads[THREADS];
    int64_t expected[THREADS] = {0};
    size_t read = 0;
    for (intptr_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, write_many, (void *)i), 0);
    while (read < (size_t)THREADS * EACH) {
        if (!next()) {
            ck_assert(!damaged);
            continue;
        }
        read++;
        ck_assert_int_eq(record.index, expected[record.count]++);
        ck_assert_uint_eq(strlen(record.text), (size_t)(record.index % 63));
        ck_assert_str_eq(record.text, record.wanted);
    }
    for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    ck_assert(!next());
}
END_TEST

/* A signal handler writes in the middle of another write; then the process dies. */
static void write_and_die(int number) {
    (void)number;
    write_step(2, "from the handler");
    _exit(0);
}

START_TEST(a_record_torn_by_death_is_passed_over)
{
    /* The second text ends at a page that cannot be read. */
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    write_step(1, "before");
    pid_t child = fork();
    if (child == 0) {
        struct sigaction action = {.sa_handler = write_and_die};
        sigaction(SIGSEGV, &action, NULL);
        sigaction(SIGBUS, &action, NULL);
        char *pages =
            mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(pages + page, page, PROT_NONE);
        memset(pages, 'x', page);
        adi_log_write(log_, ADI_LOG_STEP, 3, ADI_BOTH, 0, "torn", pages + page - 8, NULL, NULL);
        _exit(1);
    }
    waitpid(child, NULL, 0);
    ck_assert(next());
    ck_assert_str_eq(record.text, "before");
    ck_assert(next());
    ck_assert_str_eq(record.text, "from the handler");
    ck_assert(!next());
    ck_assert(!damaged);
}
END_TEST

/* As a thread that was stopped between its reservation and its seal would leave it. */
static void tear(size_t at) {
    memset((char *)log_ + at, 0, 8);
}

START_TEST(a_hole_is_passed_over_once_the_writer_is_gone)
{
    ck_assert(!next());
    size_t first = reader.at;
    write_step(1, "torn");
    write_step(2, "whole");
    tear(first);
    ck_assert(!next());
    ck_assert(!damaged);
    reader.writers_gone = true;
    ck_assert(next());
    ck_assert_int_eq(record.index, 2);
    ck_assert(!next());
    ck_assert(!damaged);
}
END_TEST

START_TEST(a_copied_record_does_not_pass)
{
    ck_assert(!next());
    size_t first = reader.at;
    write_step(1, "one");
    ck_assert(next());
    size_t second = reader.at;
    write_step(2, "two");
    memcpy((char *)log_ + second, (char *)log_ + first, second - first);
    ck_assert(!next());
    ck_assert(damaged);
}
END_TEST

/* Every single bit of a log, flipped: the reader says what was written, or that it is damaged. */
START_TEST(no_flipped_bit_fools_the_reader)
{
    write_step(1, "one");
    write_step(2, "two");
    while (next()) {
    }
    size_t end = reader.at;
    for (size_t bit = 0; bit < 8 * end; bit++) {
        unsigned char *byte = (unsigned char *)log_ + bit / 8;
        *byte ^= (unsigned char)(1u << bit % 8);
        reader = (struct adi_log_reader){.log = log_, .writers_gone = bit % 2 == 0};
        damaged = false;
        int64_t before = 0;
        while (next()) {
            ck_assert_int_gt(record.index, before);
            ck_assert_int_le(record.index, 2);
            ck_assert_str_eq(record.text, record.index == 1 ? "one" : "two");
            before = record.index;
        }
        *byte ^= (unsigned char)(1u << bit % 8);
    }
}
END_TEST

START_TEST(no_garbage_crashes_the_reader)
{
    srand(1);
    for (int round = 0; round < 2000; round++) {
        for (int i = 0; i < 20; i++) write_step(i, "something");
        uint32_t *words = (uint32_t *)(void *)log_;
        for (int i = 0; i < 50; i++) words[rand() % 600] = (uint32_t)rand() * (uint32_t)(i % 3);
        reader = (struct adi_log_reader){.log = log_, .writers_gone = round % 2 == 0};
        damaged = false;
        while (next()) {
            ck_assert_str_eq(record.text, "something");
            ck_assert_int_le(record.index, 20);
        }
    }
}
END_TEST

START_TEST(nobody_can_shrink_it)
{ ck_assert_int_ne(ftruncate(log_fd, 4096), 0); }
END_TEST

START_TEST(a_fork_of_the_worker_has_no_log)
{
    struct adi_log *attached = adi_log_attach(log_fd);
    ck_assert_ptr_nonnull(attached);
    adi_log_write(attached, ADI_LOG_STEP, 1, ADI_BOTH, 0, NULL, NULL, NULL, NULL);
    ck_assert(next());
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        adi_log_write(attached, ADI_LOG_STEP, 2, ADI_BOTH, 0, NULL, NULL, NULL, NULL);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ck_assert_int_ne(status, 0);
    ck_assert(!next());
    adi_log_destroy(attached);
}
END_TEST

START_TEST(a_sink_counts_what_is_satisfied_and_writes_violations)
{
    struct adi_log_sink sink;
    const struct adi_rule *rule = adi_rule(1);
    const struct adi_found finding = {.rule = rule,
                                      .party = ADI_PRODUCER,
                                      .message = "message",
                                      .seen = "seen",
                                      .wanted = "wanted"};
    adi_log_sink_init(&sink, log_);
    for (int i = 0; i < 5; i++) sink.sink.satisfied(&sink.sink, rule);
    sink.sink.violated(&sink.sink, &finding);
    ck_assert(next());
    ck_assert_int_eq(record.kind, ADI_LOG_VIOLATION);
    ck_assert_int_eq(record.index, 1);
    ck_assert_str_eq(record.seen, "seen");
    ck_assert(!next());
    adi_log_sink_flush(&sink);
    ck_assert(next());
    ck_assert_int_eq(record.kind, ADI_LOG_SATISFIED);
    ck_assert_int_eq(record.index, 1);
    ck_assert_int_eq(record.count, 5);
    adi_log_sink_flush(&sink);
    ck_assert(!next());
}
END_TEST

Suite *harness_log_suite(void) {
    Suite *suite = suite_create("harness_log");
    TCase *log = tcase_create("log");
    tcase_add_checked_fixture(log, set_up, tear_down);
    tcase_set_timeout(log, 120);
    tcase_add_test(log, what_is_written_is_read);
    tcase_add_test(log, a_missing_text_is_empty);
    tcase_add_test(log, a_long_text_is_cut);
    tcase_add_test(log, a_worker_moves_on_without_a_word);
    tcase_add_test(log, a_full_log_drops_and_stays_sound);
    tcase_add_test(log, many_threads_write_while_one_reads);
    tcase_add_test(log, a_record_torn_by_death_is_passed_over);
    tcase_add_test(log, a_hole_is_passed_over_once_the_writer_is_gone);
    tcase_add_test(log, a_copied_record_does_not_pass);
    tcase_add_test(log, no_flipped_bit_fools_the_reader);
    tcase_add_test(log, no_garbage_crashes_the_reader);
    tcase_add_test(log, nobody_can_shrink_it);
    tcase_add_test(log, a_fork_of_the_worker_has_no_log);
    tcase_add_test(log, a_sink_counts_what_is_satisfied_and_writes_violations);
    suite_add_tcase(suite, log);
    return suite;
}
