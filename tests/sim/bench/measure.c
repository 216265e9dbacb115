/* SPDX-License-Identifier: Apache-2.0
 *
 *   measure     what the simulation costs; part of `make bench`
 *
 * Each figure comes from a process of its own, since the engine starts once.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim.h"
#include "timing.h"

#define COPY_BYTES ((size_t)64 << 20)
#define ROUNDS     15
#define MOST       10000

static adi_sim_context context;
static adi_sim_queue queue;

static void must(int code, const char *call) {
    if (code == 0) return;
    fprintf(stderr, "measure: %s: %s\n", call, strerror(code));
    exit(EXIT_FAILURE);
}

#define MUST(call) must(call, #call)

static void begin(void) {
    MUST(adi_sim_context_open("ext_dev", 0, &context));
    MUST(adi_sim_queue_create(context, 0, &queue));
}

static void *memory(enum adi_sim_memory kind, size_t bytes) {
    void *made;
    MUST(adi_sim_alloc(context, kind, bytes, &made));
    return made;
}

/* ---- copies ---- */

static char *plain(void) {
    char *bytes = malloc(COPY_BYTES);
    if (bytes == NULL) exit(EXIT_FAILURE);
    memset(bytes, 1, COPY_BYTES);
    return bytes;
}

/* In turns with memcpy, so that a machine that slows down does so for both. */
static void copies(void) {
    begin();
    char *from = plain(), *to = plain(), *a = memory(ADI_SIM_DEVICE, COPY_BYTES),
         *b = memory(ADI_SIM_DEVICE, COPY_BYTES), *pinned = memory(ADI_SIM_PINNED, COPY_BYTES);
    const struct {
        const char *name;
        char *to, *from;
    } ways[] = {{"device to device", a, b},
                {"pinned to device", a, pinned},
                {"device to pinned", pinned, a},
                {"program to device", a, from},
                {"device to program", to, a}};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        double ours[ROUNDS], theirs[ROUNDS];
        for (size_t i = 0; i < ROUNDS; i++) {
            double start = now_ns();
            memcpy(to, from, COPY_BYTES);
            double middle = now_ns();
            MUST(adi_sim_copy(queue, ways[way].to, ways[way].from, COPY_BYTES, ADI_SIM_WAIT));
            ours[i] = now_ns() - middle;
            theirs[i] = middle - start;
        }
        double simulated = median(ours, ROUNDS), real = median(theirs, ROUNDS);
        printf("copy of 64 MiB, %-18s %6.2f GB/s  memcpy %6.2f GB/s  %.2f of it\n", ways[way].name,
               (double)COPY_BYTES / simulated, (double)COPY_BYTES / real, real / simulated);
    }
}

/* ---- calls ---- */

static void enqueue(void) {
    enum {
        COMMANDS = 1000,
        BATCHES = 100
    };
    double values[BATCHES];
    begin();
    char *a = memory(ADI_SIM_DEVICE, 1 << 20);
    for (size_t batch = 0; batch < BATCHES; batch++) {
        double start = now_ns();
        for (size_t i = 0; i < COMMANDS; i++) MUST(adi_sim_fill(queue, a + i * 512, 1, 4, 16));
        MUST(adi_sim_queue_sync(queue));
        values[batch] = (now_ns() - start) / COMMANDS;
    }
    printf("%.2f us\n", median(values, BATCHES) / 1e3);
}

static void allocate(void) {
    static const size_t sizes[] = {64, 4096, 65536};
    double values[ROUNDS];
    begin();
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        for (size_t round = 0; round < ROUNDS; round++) {
            double start = now_ns();
            for (int i = 0; i < 10000; i++) MUST(adi_sim_free(memory(ADI_SIM_DEVICE, sizes[size])));
            values[round] = (now_ns() - start) / 10000;
        }
        printf("alloc and free of %5zu bytes                  %6.2f us\n", sizes[size],
               median(values, ROUNDS) / 1e3);
    }
}

static size_t resident_kilobytes(void) {
    size_t kilobytes = 0;
    char line[128];
    FILE *status = fopen("/proc/self/status", "r");
    if (status == NULL) exit(EXIT_FAILURE);
    while (fgets(line, sizeof line, status) != NULL) sscanf(line, "VmRSS: %zu", &kilobytes);
    fclose(status);
    return kilobytes;
}

static void allocate_much(void) {
    begin();
    size_t before = resident_kilobytes();
    double start = now_ns();
    memory(ADI_SIM_DEVICE, (size_t)4 << 30);
    double took = now_ns() - start;
    printf("alloc of 4 GiB                                 %6.2f us, %zu KiB resident\n",
           took / 1e3, resident_kilobytes() - before);
}

/* Half of them events, half of them queues, and what the machine has given for them. */
static void make_and_destroy(void) {
    enum {
        OPERATIONS = 5000000,
        WARM = 500000
    };
    adi_sim_queue made;
    adi_sim_event event;
    size_t before = 0;
    begin();
    double start = now_ns();
    for (size_t i = 0; i < OPERATIONS; i += 4) {
        if (i == WARM) before = resident_kilobytes();
        MUST(adi_sim_event_create(context, &event));
        MUST(adi_sim_queue_create(context, 0, &made));
        MUST(adi_sim_event_destroy(event));
        MUST(adi_sim_queue_destroy(made));
    }
    double took = now_ns() - start;
    printf("five million calls that make and destroy       %6.2f us, %zu KiB more at the end\n",
           took / OPERATIONS / 1e3, resident_kilobytes() - before);
}

/* ---- many ---- */

static size_t many;

/* A full turn over all of them: make, write, free. */
static void live_allocations(void) {
    static void *live[MOST];
    begin();
    double start = now_ns();
    for (size_t i = 0; i < many; i++) live[i] = memory(ADI_SIM_DEVICE, 1000);
    for (size_t i = 0; i < many; i++) MUST(adi_sim_fill(queue, live[i], 1, 1, 1000));
    MUST(adi_sim_queue_sync(queue));
    for (size_t i = 0; i < many; i++) MUST(adi_sim_free(live[i]));
    printf("  %6.2f us", (now_ns() - start) / (double)many / 1e3);
}

static void live_pinned(void) {
    static void *live[MOST];
    begin();
    char *a = memory(ADI_SIM_DEVICE, 1000);
    double start = now_ns();
    for (size_t i = 0; i < many; i++) live[i] = memory(ADI_SIM_PINNED, 1000);
    for (size_t i = 0; i < many; i++) MUST(adi_sim_copy(queue, live[i], a, 1000, 0));
    MUST(adi_sim_queue_sync(queue));
    for (size_t i = 0; i < many; i++) MUST(adi_sim_free(live[i]));
    printf("  %6.2f us", (now_ns() - start) / (double)many / 1e3);
}

static size_t chain;

/* Each queue works on memory of its own, waits for the one before it, and is waited for, in chains
 * of so many. */
static void queues(void) {
    static adi_sim_queue all[MOST];
    static adi_sim_event events[MOST];
    static void *live[MOST];
    begin();
    for (size_t i = 0; i < many; i++) {
        MUST(adi_sim_queue_create(context, 0, &all[i]));
        MUST(adi_sim_event_create(context, &events[i]));
        live[i] = memory(ADI_SIM_DEVICE, 64);
    }
    double start = now_ns();
    for (int round = 0; round < 10; round++) {
        for (size_t i = 0; i < many; i++) {
            if (i % chain != 0) MUST(adi_sim_event_wait(all[i], events[i - 1]));
            MUST(adi_sim_fill(all[i], live[i], 1, 1, 64));
            MUST(adi_sim_event_record(events[i], all[i]));
        }
        for (size_t i = many; i > 0; i--) MUST(adi_sim_event_sync(events[i - 1]));
    }
    printf("  %6.2f us", (now_ns() - start) / (double)many / 10 / 4 / 1e3);
}

/* In every round one waits for all, and all for the one; or each for its neighbour in a ring. The
 * host waits for nothing until the end. */
static bool is_ring;

static void rounds(void) {
    static adi_sim_queue all[MOST];
    static adi_sim_event events[MOST];
    begin();
    for (size_t i = 0; i < many; i++) {
        MUST(adi_sim_queue_create(context, 0, &all[i]));
        MUST(adi_sim_event_create(context, &events[i]));
    }
    MUST(adi_sim_event_record(events[many - 1], all[many - 1]));
    double start = now_ns();
    for (int round = 0; round < 10; round++) {
        for (size_t i = 0; i < many; i++) {
            size_t before = is_ring ? (i + many - 1) % many : 0;
            if (is_ring || (i > 0 && round > 0)) MUST(adi_sim_event_wait(all[i], events[before]));
            MUST(adi_sim_event_record(events[i], all[i]));
        }
        for (size_t i = 1; !is_ring && i < many; i++) MUST(adi_sim_event_wait(all[0], events[i]));
        if (!is_ring) MUST(adi_sim_event_record(events[0], all[0]));
    }
    printf("  %6.2f us", (now_ns() - start) / (double)many / 10 / (is_ring ? 2 : 3) / 1e3);
}

/* In every round each waits for eight others, which are not the same twice. */
static void crowd(void) {
    enum {
        TURNS = 10,
        OTHERS = 8
    };
    static adi_sim_queue all[MOST];
    static adi_sim_event events[MOST];
    double turns[TURNS];
    uint32_t state = 1;
    begin();
    for (size_t i = 0; i < many; i++) {
        MUST(adi_sim_queue_create(context, 0, &all[i]));
        MUST(adi_sim_event_create(context, &events[i]));
        MUST(adi_sim_event_record(events[i], all[i]));
    }
    for (size_t turn = 0; turn < TURNS; turn++) {
        double start = now_ns();
        for (size_t i = 0; i < many; i++) {
            for (size_t k = 0; k < OTHERS; k++) {
                state = state * 1664525 + 1013904223;
                MUST(adi_sim_event_wait(all[i], events[(state >> 8) % many]));
            }
            MUST(adi_sim_event_record(events[i], all[i]));
        }
        turns[turn] = (now_ns() - start) / (double)many / (OTHERS + 1) / 1e3;
    }
    printf("  %6.2f us in the first round, %6.2f in the last", turns[0], turns[TURNS - 1]);
}

/* All read the same bytes. */
static void readers(void) {
    static adi_sim_queue all[MOST];
    begin();
    char *shared = memory(ADI_SIM_DEVICE, 64), *own = memory(ADI_SIM_DEVICE, MOST * 64);
    for (size_t i = 0; i < many; i++) MUST(adi_sim_queue_create(context, 0, &all[i]));
    double start = now_ns();
    for (size_t i = 0; i < many; i++) MUST(adi_sim_copy(all[i], own + i * 64, shared, 64, 0));
    MUST(adi_sim_context_sync(context));
    printf("  %6.2f us", (now_ns() - start) / (double)many / 1e3);
}

static void alone(void (*program)(void)) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        program();
        fflush(stdout);
        _exit(adi_sim_violations() == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "measure: a program fails\n");
        exit(EXIT_FAILURE);
    }
}

static void grow(const char *name, void (*program)(void), size_t first) {
    printf("%-46s", name);
    for (many = first; many <= first * 100; many *= 10) alone(program);
    printf("  (%zu, %zu, %zu of them)\n", first, first * 10, first * 100);
}

int main(void) {
    static const char *const policies[] = {"lazy", "eager", "random"};
    char log[] = "/tmp/measure.XXXXXX";
    int file = mkstemp(log);
    alone(copies);
    for (size_t i = 0; i < 3; i++) {
        printf("a command, queued, checked and run, %-8s   ", policies[i]);
        setenv("ADI_SIM_POLICY", policies[i], 1);
        alone(enqueue);
    }
    unsetenv("ADI_SIM_POLICY");
    printf("the same lazily, with a log                    ");
    setenv("ADI_SIM_LOG", log, 1);
    alone(enqueue);
    unsetenv("ADI_SIM_LOG");
    alone(allocate);
    alone(allocate_much);
    alone(make_and_destroy);
    grow("an allocation made, written and freed", live_allocations, 100);
    grow("the same of pinned memory", live_pinned, 100);
    chain = 10;
    grow("a call on queues that wait for each other", queues, 10);
    chain = MOST;
    grow("the same in one chain of all", queues, 10);
    grow("the same, all for one and one for all", rounds, 10);
    is_ring = true;
    grow("the same in a ring", rounds, 10);
    printf("%-46s", "the same, each for eight others");
    many = 1000;
    alone(crowd);
    printf("  (1000 of them, ten rounds)\n");
    grow("a read of the same bytes by another queue", readers, 10);
    if (file >= 0) close(file);
    unlink(log);
    return EXIT_SUCCESS;
}
