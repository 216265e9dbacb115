/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the checks of structure trees. A legal tree grows from the bytes, and then
 *   - nothing happens: nothing may be said about it;
 *   - exactly one malformation is planted: exactly its rule must be reported, once;
 *   - words of it are overwritten with garbage: nothing may crash.
 */
#include <string.h>

#include "arena.h"
#include "check.h"
#include "shape_malformations.h"

/* What was reported. */
struct collector {
    struct adi_sink sink; /* first */
    size_t broken;
    struct adi_found finding; /* the last one */
};

static void on_finding(struct adi_sink *sink, const struct adi_found *finding) {
    struct collector *collector = (struct collector *)sink;
    collector->broken++;
    collector->finding = *finding;
}

static bool look(struct shape *s, struct collector *collector) {
    *collector = (struct collector){.sink = {.violated = on_finding}};
    return adi_check_schema(s->schema, &collector->sink) &&
           adi_check_array(s->schema, s->array, &s->device, &collector->sink);
}

static void judge_legal(struct shape *s) {
    struct collector collector;
    bool sound = look(s, &collector);
    FUZZ_REQUIRE(collector.broken == 0, "a legal tree is blamed: %s (%s)",
                 collector.finding.rule->id, collector.finding.message);
    FUZZ_REQUIRE(sound, "a legal tree is called unsound");
}

static void judge_malformation(struct shape *s, int index, int node, int k) {
    struct collector collector;
    const struct shape_node *at = shape_plant_from(index, s, node, k);
    if (at == NULL) {
        judge_legal(s);
        return;
    }
    const struct shape_malformation *malformation = shape_malformation(index);
    look(s, &collector);
    FUZZ_REQUIRE(collector.broken > 0, "missed: %s, planted by %s in a %s", malformation->rule,
                 malformation->what, at->kind->format);
    FUZZ_REQUIRE(collector.broken == 1 &&
                     strcmp(collector.finding.rule->id, malformation->rule) == 0,
                 "%s, planted by %s in a %s, is reported as %zu findings, the last of them %s (%s)",
                 malformation->rule, malformation->what, at->kind->format, collector.broken,
                 collector.finding.rule->id, collector.finding.message);
    FUZZ_REQUIRE(collector.finding.message[0] != '\0', "%s says nothing", malformation->rule);
}

/* Something that may stand anywhere: a number that breaks sums, or an address. */
static uint64_t garbage(struct fuzz_input *input) {
    size_t bytes;
    char *piece = arena_piece(fuzz_byte(input), &bytes);
    const uint64_t values[] = {
        0,
        1,
        3,
        UINT64_MAX,
        INT64_MAX,
        (uint64_t)INT64_MIN,
        UINT64_C(1) << 50,
        UINT64_C(0x0101010101010101) * ADI_POISON_BYTE,
        (uintptr_t)arena_nowhere(),
        (uintptr_t)arena_nowhere() - 1,
        (uintptr_t)piece,
        (uintptr_t)piece + 1,
        (uintptr_t)piece + bytes,
        fuzz_byte(input),
        UINT64_C(0x0101010101010101) * fuzz_byte(input),
    };
    return values[fuzz_below(input, (int)(sizeof values / sizeof *values))];
}

/* Overwrites one word, or what there is of it, of anything in the tree. */
static void scribble(struct fuzz_input *input) {
    size_t bytes;
    char *piece = arena_piece(fuzz_byte(input), &bytes);
    size_t at = fuzz_byte(input) % (bytes / 8 + 1) * 8;
    uint64_t word = garbage(input);
    memcpy(piece + at, &word, bytes - at < sizeof word ? bytes - at : sizeof word);
}

void adi_fuzz_shape(const uint8_t *bytes, size_t count) {
    static struct shape s;
    struct fuzz_input input = {bytes, count};
    int what = fuzz_byte(&input), node = fuzz_byte(&input), k = fuzz_byte(&input);
    if (shape_malformation(what) != NULL || what == 255) {
        shape_grow(&input, &s);
        if (what == 255)
            judge_legal(&s);
        else
            judge_malformation(&s, what, node, k);
        return;
    }
    /* The tree grows from the last bytes, so that it stays while the garbage varies. */
    struct fuzz_input words = input;
    size_t skip = (size_t)(k % 8) * 6;
    input.at += skip < input.left ? skip : input.left;
    input.left -= skip < input.left ? skip : input.left;
    shape_grow(&input, &s);
    for (int i = 0; i < k % 8; i++) scribble(&words);
    struct collector collector;
    look(&s, &collector);
    adi_check_array(s.schema, s.array, &s.device, &collector.sink);
    adi_check_array(s.nodes[node % s.n_nodes].schema, s.array, NULL, &collector.sink);
}
