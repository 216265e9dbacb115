/* SPDX-License-Identifier: Apache-2.0
 *
 *   bench [PEER.so ...]    what export + release, import + release and streams cost, in time and
 *                          allocations
 *
 * All take turns in every round, so that a machine that slows down does so for everybody.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "move.h"
#include "ways.h"

#define PEERS         4
#define ROUNDS        31
#define PASSES        2       /* the last one counts: caches and allocators warm up in the others */
#define ROUND_NS      1000000 /* how long one of them is measured in a round */
#define LENGTH(array) (sizeof(array) / sizeof *(array))

enum {
    EXPORT,
    IMPORT,
    WAYS
};

static const char *const way_names[WAYS] = {"export + release", "import + release"};
static const char *const expected[] = {"nanoarrow", "Arrow C++"};

static const struct adi_bench_shape shapes[] = {
    {"1 column", 1, 1, 8},
    {"100 columns", 100, 1, 8},
    {"3 deep", 1, 3, 8},
};

struct cost {
    double ns, part; /* of it ours takes that part: the median of the rounds' */
    int64_t allocations;
};

static const struct adi_bench_peer *peers[PEERS] = {&adi_bench_ours};
static size_t n_peers = 1;
static struct cost costs[WAYS][PEERS][LENGTH(shapes)];

/* What is imported: a producer whose release does nothing else, so that the consumer is measured.
 */
static struct ArrowSchema offered_schema;
static struct ArrowArray offered_batch;

static void release_offer(struct ArrowArray *array) {
    array->release = NULL;
}

static void run(const struct adi_bench_peer *peer, int way, long times) {
    for (long i = 0; i < times; i++) {
        struct ArrowDeviceArray in = {
            .array = offered_batch, .device_id = -1, .device_type = ARROW_DEVICE_CPU};
        in.array.release = release_offer;
        if ((way == EXPORT ? peer->export_release() : peer->import_release(&in)) == 0) continue;
        fprintf(stderr, "bench: %s fails at %s\n", peer->name, way_names[way]);
        exit(EXIT_FAILURE);
    }
}

static double time_of(const struct adi_bench_peer *peer, int way, long times) {
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    run(peer, way, times);
    clock_gettime(CLOCK_MONOTONIC, &after);
    return 1e9 * (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec);
}

/* How many calls fill a round, three times in a row: once may be the machine's. Warms up. */
static long calls_a_round(const struct adi_bench_peer *peer, int way) {
    int filled = 0;
    for (long times = 1;; times *= filled == 0 ? 2 : 1) {
        filled = time_of(peer, way, times) >= ROUND_NS ? filled + 1 : 0;
        if (filled == 3) return times;
    }
}

static int64_t allocations_of(const struct adi_bench_peer *peer, int way) {
    int64_t before = adi_bench_allocations();
    if (peer->allocations != NULL) before += peer->allocations();
    run(peer, way, 1);
    int64_t after = adi_bench_allocations();
    if (peer->allocations != NULL) after += peer->allocations();
    return after - before;
}

static void measure(int way, size_t shape) {
    static double rounds[PEERS][ROUNDS];
    long times[PEERS];
    for (size_t i = 0; i < n_peers; i++) {
        times[i] = calls_a_round(peers[i], way);
        costs[way][i][shape].allocations = allocations_of(peers[i], way);
    }
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < n_peers; i++)
            rounds[i][round] = time_of(peers[i], way, times[i]) / (double)times[i];
    for (size_t i = n_peers; i-- > 0;) { /* ours last: the others are held against it */
        double parts[ROUNDS];
        for (size_t round = 0; round < ROUNDS; round++)
            parts[round] = rounds[0][round] / rounds[i][round];
        costs[way][i][shape].part = adi_bench_median(parts, ROUNDS);
        costs[way][i][shape].ns = adi_bench_median(rounds[i], ROUNDS);
    }
}

static void fail(const char *what, const char *why) {
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static void measure_shape(size_t shape) {
    if (adi_bench_make(&shapes[shape], &offered_schema, &offered_batch) != 0)
        fail(shapes[shape].name, "out of memory");
    for (size_t i = 0; i < n_peers; i++) {
        struct ArrowSchema schema;
        struct ArrowArray batch;
        if (adi_bench_make(&shapes[shape], &schema, &batch) != 0 ||
            peers[i]->begin(&schema, &batch) != 0)
            fail(peers[i]->name, "does not begin");
    }
    for (int way = 0; way < WAYS; way++) measure(way, shape);
    for (size_t i = 0; i < n_peers; i++) peers[i]->end();
    adi_schema_release(&offered_schema);
    adi_array_release(&offered_batch);
}

static void load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fail(path, dlerror());
    const struct adi_bench_peer *(*peer)(void);
    *(void **)(void *)&peer = dlsym(library, "adi_bench_peer");
    if (peer == NULL) fail(path, dlerror());
    if (n_peers == PEERS) fail(path, "one too many");
    peers[n_peers++] = peer();
}

static size_t find(const char *name) {
    size_t i = 0;
    while (i < n_peers && strcmp(peers[i]->name, name) != 0) i++;
    return i;
}

static void print_time(double ns) {
    if (ns < 9999.5)
        printf("%8.0f ns", ns);
    else
        printf("%8.1f us", ns / 1000);
}

static void print_way(int way) {
    printf("\n%-20s", way_names[way]);
    for (size_t shape = 0; shape < LENGTH(shapes); shape++) printf("%28s", shapes[shape].name);
    printf("\n%-20s", "");
    for (size_t shape = 0; shape < LENGTH(shapes); shape++)
        printf("%28s", "time  allocations  ratio");
    putchar('\n');
    for (size_t i = 0; i < n_peers; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s %s", peers[i]->name, peers[i]->version);
        printf("  %-18s", name);
        for (size_t shape = 0; shape < LENGTH(shapes); shape++) {
            const struct cost *cost = &costs[way][i][shape];
            printf("  ");
            print_time(cost->ns);
            printf("%7" PRId64 "%8.1f", cost->allocations, 1 / cost->part);
        }
        putchar('\n');
    }
}

/* What an export and an import are to cost, against nanoarrow's. */
static void print_goals(void) {
    static const struct {
        int way;
        size_t shape;
        double part;
    } goals[] = {{EXPORT, 0, 0.25}, {EXPORT, 1, 0.1}, {IMPORT, 0, 0.35}, {IMPORT, 1, 0.25}};
    static const int64_t allocations[WAYS] = {1, 0};
    size_t other = find("nanoarrow");
    printf("\ngoals\n");
    for (int way = 0; way < WAYS; way++)
        for (size_t shape = 0; shape < LENGTH(shapes); shape++) {
            int64_t n = costs[way][0][shape].allocations;
            printf("  %-6s %s, %s: allocations %" PRId64 ", seen %" PRId64 "\n",
                   n == allocations[way] ? "met" : "MISSED", way_names[way], shapes[shape].name,
                   allocations[way], n);
        }
    for (size_t i = 0; i < LENGTH(goals) && other < n_peers; i++) {
        double part = costs[goals[i].way][other][goals[i].shape].part;
        printf("  %-6s %s, %s: at most %.2f of nanoarrow's time, seen %.3f of it\n",
               part <= goals[i].part ? "met" : "MISSED", way_names[goals[i].way],
               shapes[goals[i].shape].name, goals[i].part, part);
    }
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) load(argv[i]);
    for (int pass = 0; pass < PASSES; pass++)
        for (size_t shape = 0; shape < LENGTH(shapes); shape++) measure_shape(shape);
    printf("what one call costs: the median of %d rounds, and the allocations\n", ROUNDS);
    for (int way = 0; way < WAYS; way++) print_way(way);
    print_goals();
    adi_bench_streams(peers, n_peers);
    adi_bench_opencl_layer();
    adi_bench_ways_begin();
    adi_bench_opencl();
    adi_bench_vulkan();
    adi_bench_vpi();
    adi_bench_hexagon();
    adi_bench_rocm();
    adi_bench_metal();
    adi_bench_oneapi();
    adi_bench_webgpu();
    adi_bench_vpi_rate();
    for (size_t i = 0; i < LENGTH(expected); i++)
        if (find(expected[i]) == n_peers)
            printf("left out: %s, which has not been fetched; type: make peers bench\n",
                   expected[i]);
    return EXIT_SUCCESS;
}
