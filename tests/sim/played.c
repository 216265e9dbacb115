/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/played.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "slow.h"

#define SETTINGS   4
#define MOST_SHOWN 4000 /* of the end of a log */

struct sim_scene scene;

static struct { const char *name, *value; } settings[SETTINGS];

size_t sim_ways(void) {
    return is_full() ? 102 : is_short() ? 3 : 7;
}

struct sim_way sim_way_at(size_t index) {
    if (index < 2) return (struct sim_way){index == 0 ? "lazy" : "eager", 1};
    return (struct sim_way){"random", (unsigned)index - 1};
}

void sim_play_with(const char *name, const char *value) {
    for (size_t i = 0; i < SETTINGS; i++) {
        if (settings[i].name != NULL && strcmp(settings[i].name, name) != 0) continue;
        settings[i].name = *value == '\0' ? NULL : name;
        settings[i].value = value;
        return;
    }
    ck_abort_msg("too many settings");
}

static void set(const char *name, const char *value) {
    SIM_WANT(adi_sim_set(name, value) == 0);
}

static void be_the_program(void (*program)(void), struct sim_way way, const char *log) {
    char seed[24];
    snprintf(seed, sizeof seed, "%u", way.seed);
    set("ADI_SIM_POLICY", way.policy);
    set("ADI_SIM_SEED", seed);
    set("ADI_SIM_LOG", log);
    for (size_t i = 0; i < SETTINGS; i++)
        if (settings[i].name != NULL) set(settings[i].name, settings[i].value);
    program();
    SIM_WANT(adi_sim_log_error() == 0); /* it is judged by its log */
    exit(EXIT_SUCCESS);
}

static char *read_all(const char *path) {
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    size_t bytes = (size_t)ftell(file);
    char *text = malloc(bytes + 1);
    ck_assert_ptr_nonnull(text);
    rewind(file);
    ck_assert_uint_eq(fread(text, 1, bytes, file), bytes);
    text[bytes] = '\0';
    fclose(file);
    return text;
}

char *sim_play(void (*program)(void), struct sim_way way, int wanted_signal) {
    char path[] = "/tmp/adisim.XXXXXX";
    int status, file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) be_the_program(program, way, path);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    char *log = read_all(path);
    unlink(path);
    bool as_wanted = wanted_signal == 0 ? WIFEXITED(status) && WEXITSTATUS(status) == 0
                                        : WIFSIGNALED(status) && WTERMSIG(status) == wanted_signal;
    size_t length = strlen(log), left_out = length > MOST_SHOWN ? length - MOST_SHOWN : 0;
    ck_assert_msg(as_wanted, "%s, seed %u: status %#x\n%s", way.policy, way.seed, (unsigned)status,
                  log + left_out);
    return log;
}

size_t sim_count_text(const char *log, const char *text) {
    size_t n = 0;
    for (const char *found = log; (found = strstr(found, text)) != NULL; n++) {
        found = strchr(found, '\n');
        ck_assert_ptr_nonnull(found);
    }
    return n;
}

void sim_goes_well(void (*program)(void), size_t ways) {
    for (size_t i = 0; i < ways; i++) {
        struct sim_way way = sim_way_at(i);
        char *log = sim_play(program, way, 0);
        ck_assert_msg(sim_count_errors(log) == 0, "%s, seed %u:\n%s", way.policy, way.seed, log);
        free(log);
    }
}

void sim_is_named(void (*program)(void), const char *violation, size_t times) {
    for (size_t i = 0; i < sim_ways(); i++) {
        struct sim_way way = sim_way_at(i);
        char *log = sim_play(program, way, 0);
        size_t named = sim_count(log, violation);
        bool often_enough = times == SIM_AT_LEAST_ONCE ? named > 0 : named == times;
        ck_assert_msg(often_enough && named == sim_count_errors(log),
                      "%s %zu times (%s, seed %u):\n%.2500s", violation, named, way.policy,
                      way.seed, log);
        free(log);
    }
}

static struct {
    const struct sim_pair *pair;
    void (*begin)(void), (*end)(void);
} telling;

static void wrong_one(void) {
    telling.begin();
    telling.pair->play(true);
    telling.end();
}

static void right_one(void) {
    telling.begin();
    telling.pair->play(false);
    telling.end();
}

void sim_tells_apart(const struct sim_pair *pair, void (*begin)(void), void (*end)(void),
                     size_t times) {
    telling.pair = pair;
    telling.begin = begin;
    telling.end = end;
    sim_is_named(wrong_one, pair->violation, times);
    sim_goes_well(right_one, sim_ways());
}

void sim_expect(void (*program)(void), const char *one, const char *two, const char *three) {
    const char *const texts[] = {one, two, three};
    char *log = sim_play(program, (struct sim_way){"lazy", 1}, 0);
    for (size_t i = 0; i < 3; i++)
        if (texts[i] != NULL)
            ck_assert_msg(sim_count_text(log, texts[i]) == 1, "not once: %s\n%s", texts[i], log);
    free(log);
}

size_t sim_count_errors(const char *log) {
    return sim_count_text(log, "\"level\":\"error\"");
}

size_t sim_count(const char *log, const char *violation) {
    char text[80];
    snprintf(text, sizeof text, "{\"violation\":\"%s\",", violation);
    return sim_count_text(log, text);
}

void sim_want(bool holds, const char *what, const char *file, int line) {
    if (holds) return;
    fprintf(stderr, "%s:%d: %s does not hold\n", file, line, what);
    _exit(2);
}

size_t sim_page_bytes(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

void sim_scene_begin(void) {
    void *pointers[4];
    SIM_WANT(adi_sim_context_open("ext_dev", 0, &scene.context) == 0);
    SIM_WANT(adi_sim_queue_create(scene.context, 0, &scene.q) == 0);
    SIM_WANT(adi_sim_queue_create(scene.context, 0, &scene.r) == 0);
    SIM_WANT(adi_sim_event_create(scene.context, &scene.e) == 0);
    SIM_WANT(adi_sim_event_create(scene.context, &scene.f) == 0);
    for (size_t i = 0; i < 4; i++) {
        enum adi_sim_memory memory = i < 2    ? ADI_SIM_DEVICE
                                     : i == 2 ? ADI_SIM_PINNED
                                              : ADI_SIM_MANAGED;
        SIM_WANT(adi_sim_alloc(scene.context, memory, SCENE_BYTES, &pointers[i]) == 0);
    }
    scene.a = pointers[0];
    scene.b = pointers[1];
    scene.pinned = pointers[2];
    scene.managed = pointers[3];
}

void sim_scene_end(void) {
    SIM_WANT(adi_sim_context_sync(scene.context) == 0);
    SIM_WANT(adi_sim_free(scene.a) == 0);
    SIM_WANT(adi_sim_free(scene.b) == 0);
    SIM_WANT(adi_sim_free(scene.pinned) == 0);
    SIM_WANT(adi_sim_free(scene.managed) == 0);
    SIM_WANT(adi_sim_event_destroy(scene.e) == 0);
    SIM_WANT(adi_sim_event_destroy(scene.f) == 0);
    SIM_WANT(adi_sim_queue_destroy(scene.q) == 0);
    SIM_WANT(adi_sim_queue_destroy(scene.r) == 0);
    SIM_WANT(adi_sim_context_close(scene.context) == 0);
}
