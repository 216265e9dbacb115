/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams: how many chunks a second go from an implementation's producer to its own consumer, how
 * many allocations one costs, and what memory a million of them leave behind. The chunks lie in
 * memory and are not copied; the consumer imports each and releases it.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "move.h"
#include "ways.h"

#define ROUNDS   9
#define CHUNKS   20000 /* of a round */
#define FEW      1000
#define MANY     1000000
#define MOST_GOT 4 /* implementations */

enum {
    SYNC,
    ASYNC,
    WAYS
};

static const char *const way_names[WAYS] = {"stream", "asynchronous stream"};

static const struct adi_bench_shape shapes[] = {
    {"1 KiB", 1, 1, 1 << 8},
    {"1 MiB", 1, 1, 1 << 18},
};
#define SHAPES (sizeof shapes / sizeof *shapes)
static const struct adi_bench_shape one_row = {"1 row", 1, 1, 1};

struct cost {
    double rate,
        part; /* chunks a second; ours is so many times faster: the median of the rounds' */
    double allocations; /* a chunk */
};

static struct cost costs[WAYS][MOST_GOT][SHAPES];

static int (*way_of(const struct adi_bench_peer *peer, int way))(int64_t) {
    return way == SYNC ? peer->stream : peer->stream_async;
}

static void play(const struct adi_bench_peer *peer, int way, int64_t chunks) {
    if (way_of(peer, way)(chunks) == 0) return;
    fprintf(stderr, "bench: %s fails at its %s\n", peer->name, way_names[way]);
    exit(EXIT_FAILURE);
}

static int64_t allocated(const struct adi_bench_peer *peer) {
    return adi_bench_allocations() + (peer->allocations != NULL ? peer->allocations() : 0);
}

/* What a stream costs whatever its length is left out. */
static double allocations_of(const struct adi_bench_peer *peer, int way) {
    int64_t before = allocated(peer);
    play(peer, way, FEW);
    int64_t between = allocated(peer);
    play(peer, way, 2 * FEW);
    return (double)((allocated(peer) - between) - (between - before)) / FEW;
}

static double seconds_of(const struct adi_bench_peer *peer, int way) {
    double before = adi_bench_seconds();
    play(peer, way, CHUNKS);
    return adi_bench_seconds() - before;
}

static void begin(const struct adi_bench_peer *peer, const struct adi_bench_shape *shape) {
    struct ArrowSchema schema;
    struct ArrowArray batch;
    if (adi_bench_make(shape, &schema, &batch) == 0 && peer->begin(&schema, &batch) == 0) return;
    fprintf(stderr, "bench: %s does not begin\n", peer->name);
    exit(EXIT_FAILURE);
}

static void measure(const struct adi_bench_peer *const *peers, size_t n, int way, size_t shape) {
    double seconds[MOST_GOT][ROUNDS], parts[ROUNDS];
    for (size_t i = 0; i < n; i++)
        if (way_of(peers[i], way) != NULL)
            costs[way][i][shape].allocations = allocations_of(peers[i], way);
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < n; i++)
            if (way_of(peers[i], way) != NULL) seconds[i][round] = seconds_of(peers[i], way);
    for (size_t i = n; i-- > 0;) { /* ours last: the others are held against it */
        if (way_of(peers[i], way) == NULL) continue;
        for (size_t round = 0; round < ROUNDS; round++)
            parts[round] = seconds[i][round] / seconds[0][round];
        costs[way][i][shape].part = adi_bench_median(parts, ROUNDS);
        costs[way][i][shape].rate = CHUNKS / adi_bench_median(seconds[i], ROUNDS);
    }
}

static void print_way(const struct adi_bench_peer *const *peers, size_t n, int way) {
    printf("\n%-20s", way_names[way]);
    for (size_t shape = 0; shape < SHAPES; shape++) printf("%34s", shapes[shape].name);
    printf("\n%-20s", "");
    for (size_t shape = 0; shape < SHAPES; shape++) printf("%34s", "chunks/s  allocations  ours x");
    putchar('\n');
    for (size_t i = 0; i < n; i++) {
        char name[64];
        if (way_of(peers[i], way) == NULL) continue;
        snprintf(name, sizeof name, "%s %s", peers[i]->name, peers[i]->version);
        printf("  %-18s", name);
        for (size_t shape = 0; shape < SHAPES; shape++) {
            const struct cost *cost = &costs[way][i][shape];
            printf("%12.0f%13.2f%9.1f", cost->rate, cost->allocations, cost->part);
        }
        putchar('\n');
    }
}

/* ---- memory ---- */

static const struct adi_bench_peer *measured;
static int measured_way;

/* KiB of memory that is no file's: which pages of a program are there is the kernel's doing. */
static long resident(void) {
    char line[128];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "RssAnon: %ld", &kib) == 1) break;
    if (file != NULL) fclose(file);
    return kib;
}

/* In a process of its own. */
static void measure_memory(void) {
    begin(measured, &one_row);
    play(measured, measured_way, FEW);
    long few = resident();
    play(measured, measured_way, MANY);
    long many = resident();
    printf("  %-18s %-22s%10ld KiB%14ld KiB\n", measured->name, way_names[measured_way], few, many);
    if (measured == &adi_bench_ours)
        printf("  %-6s %s: resident memory after a million chunks as after a thousand, seen %+ld "
               "KiB\n",
               many <= few + few / 20 ? "met" : "MISSED", way_names[measured_way], many - few);
    fflush(stdout);
}

static void print_memory(const struct adi_bench_peer *const *peers, size_t n) {
    printf("\n%-42s%14s%18s\n", "resident memory, without files", "1,000 chunks",
           "1,000,000 chunks");
    for (measured_way = 0; measured_way < WAYS; measured_way++)
        for (size_t i = 0; i < n; i++) {
            measured = peers[i];
            if (way_of(measured, measured_way) != NULL) adi_bench_apart(measure_memory);
        }
}

static void print_goals(const struct adi_bench_peer *const *peers, size_t n) {
    printf("\ngoals\n");
    for (int way = 0; way < WAYS; way++) {
        for (size_t shape = 0; shape < SHAPES; shape++) {
            double seen = costs[way][0][shape].allocations;
            printf("  %-6s %s, %s: allocations a chunk 1, seen %.2f\n",
                   seen <= 1 ? "met" : "MISSED", way_names[way], shapes[shape].name, seen);
        }
        for (size_t i = 0; i < n; i++)
            if (strcmp(peers[i]->name, "Arrow C++") == 0)
                printf("  %-6s %s, %s: at least 2.0 x as many chunks a second as Arrow C++, seen "
                       "%.1f x\n",
                       costs[way][i][0].part >= 2 ? "met" : "MISSED", way_names[way],
                       shapes[0].name, costs[way][i][0].part);
    }
}

void adi_bench_streams(const struct adi_bench_peer *const *peers, size_t n) {
    if (n > MOST_GOT) n = MOST_GOT;
    printf("\nstreams: from a producer to its own consumer, the median of %d rounds of %d chunks\n",
           ROUNDS, CHUNKS);
    print_memory(peers, n); /* first: before the others' allocators have grown */
    for (size_t shape = 0; shape < SHAPES; shape++) {
        for (size_t i = 0; i < n; i++) begin(peers[i], &shapes[shape]);
        for (int way = 0; way < WAYS; way++) measure(peers, n, way, shape);
        for (size_t i = 0; i < n; i++) peers[i]->end();
    }
    for (int way = 0; way < WAYS; way++) print_way(peers, n, way);
    print_goals(peers, n);
}
