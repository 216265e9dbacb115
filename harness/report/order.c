/* SPDX-License-Identifier: Apache-2.0 */
#include "order_internal.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HOST "host"
#define MOST 36 /* marks that are drawn */

/* Replaces a text by a longer one. */
static void replace(struct reading *reading, char **text, char *longer) {
    if (longer == NULL) {
        reading->failed = true;
        return;
    }
    free(*text);
    *text = longer;
}

static bool is_up_to(const struct trait *trait, const void *seq) {
    return trait->seq > 0 && trait->seq <= *(const int64_t *)seq;
}

/* ---- a line each ---- */

/* How a command uses an object, as the key of its line says. */
static const char *use_of(const json_t *line) {
    static const char *const uses[] = {"writes", "reads", "uses"};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (json_object_get(line, uses[i]) != NULL) return uses[i];
    return "reads";
}

static void add_word(struct reading *reading, char **words, const char *word) {
    replace(reading, words, adi_order_print("%s%s;", *words == NULL ? "" : *words, word));
}

static void read_access(struct reading *reading, const json_t *line) {
    size_t lane = adi_order_lane(reading, adi_json_text_of(line, "by")),
           n = reading->order->n_marks;
    const char *use = use_of(line), *object = adi_json_text_of(line, use);
    bool frees = strcmp(adi_json_text_of(line, "access"), "free") == 0;
    struct adi_mark *mark = n == 0 ? NULL : &reading->order->marks[n - 1];
    if (mark != NULL && mark->lane == lane && !frees &&
        reading->traits[n - 1].call == adi_json_number_of(line, "call"))
        replace(reading, &mark->text, adi_order_print("%s, %s %s", mark->text, use, object));
    else
        mark = adi_order_add(
            reading, frees ? ADI_MARK_FREE : ADI_MARK_COMMAND, lane, line,
            frees ? adi_order_print("%s: gives back %s", adi_json_text_of(line, "in"), object)
                  : adi_order_print("%s: %s %s", adi_json_text_of(line, "in"), use, object));
    if (mark == NULL || frees) return;
    struct trait *trait = &reading->traits[reading->order->n_marks - 1];
    add_word(reading, &trait->uses, object);
    if (use[0] == 'w') add_word(reading, &trait->writes, object);
    if (use[0] == 'u') add_word(reading, &trait->may, object);
}

static void read_record(struct reading *reading, const json_t *line) {
    size_t lane = adi_order_lane(reading, adi_json_text_of(line, "records"));
    int64_t event = adi_json_number_of(line, "event");
    const char *how = adi_json_text_of(line, "how"); /* else as CUDA has it */
    struct adi_mark *mark =
        adi_order_add(reading, ADI_MARK_RECORD, lane, line,
                      adi_order_print("%s: event %" PRId64 " %s", adi_json_text_of(line, "in"),
                                      event, how[0] == '\0' ? "recorded" : how));
    if (mark != NULL)
        replace(reading, &reading->traits[reading->order->n_marks - 1].event,
                adi_order_print("event %" PRId64, event));
}

static void read_await(struct reading *reading, const json_t *line) {
    char name[48];
    const char *event = adi_json_text_of(line, "awaits");
    snprintf(name, sizeof name, "queue %" PRId64, adi_json_number_of(line, "queue"));
    size_t lane = adi_order_lane(reading, name);
    size_t after = adi_order_last(reading, SIZE_MAX, adi_order_is_event, event);
    struct adi_mark *mark =
        adi_order_add(reading, ADI_MARK_WAIT, lane, line,
                      adi_order_print("%s: waits for %s%s", adi_json_text_of(line, "in"), event,
                                      adi_json_text_of(line, "how")));
    if (mark != NULL) mark->after = after;
}

static void read_knows(struct reading *reading, const json_t *line) {
    const char *queue = adi_json_text_of(line, "knows");
    int64_t seq = adi_json_number_of(line, "seq");
    bool event = strncmp(queue, "event ", 6) == 0;
    size_t after = event ? adi_order_last(reading, SIZE_MAX, adi_order_is_event, queue)
                         : adi_order_last(reading, adi_order_lane(reading, queue), is_up_to, &seq);
    if (after == ADI_NO_MARK) return; /* nothing that is shown */
    struct adi_mark *mark = adi_order_add(
        reading, ADI_MARK_WAIT, 0, line,
        adi_order_print("%s: the host has waited for %s", adi_json_text_of(line, "in"), queue));
    if (mark == NULL) return;
    mark->after = after;
    reading->traits[reading->order->n_marks - 1].seq = 0;
}

static void read_step(struct reading *reading, const json_t *line) {
    adi_order_add(
        reading, ADI_MARK_STEP, 0, line,
        adi_order_print("%s: %s", adi_json_text_of(line, "step"), adi_json_text_of(line, "text")));
}

static void read_unordered(struct reading *reading, const json_t *line) {
    json_decref(reading->unordered);
    reading->unordered = json_deep_copy(line);
}

static void read_cut(struct reading *reading, const json_t *line) {
    (void)line;
    reading->cut = true;
}

static void read_line(struct reading *reading, const char *text, size_t length) {
    static const struct {
        const char *key;
        void (*read)(struct reading *, const json_t *);
    } kinds[] = {
        {"by", read_access},   {"records", read_record}, {"awaits", read_await},
        {"knows", read_knows}, {"step", read_step},      {"unordered", read_unordered},
        {"cut", read_cut},
    };
    json_t *line = json_loadb(text, length, 0, NULL);
    if (adi_json_text_of(line, "makes")[0] != '\0')
        adi_order_lane(reading, adi_json_text_of(line, "makes"));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && line != NULL; i++)
        if (json_object_get(line, kinds[i].key) != NULL) {
            kinds[i].read(reading, line);
            break;
        }
    json_decref(line);
}

/* ---- what of it is drawn ---- */

static bool is_end(const struct adi_order *order, size_t mark) {
    return mark == order->from || mark == order->to;
}

/* A mark between the two ends, in their lanes or the host's, or one that something there waits for.
 */
static bool matters(const struct adi_order *order, size_t mark) {
    if (order->from == ADI_NO_MARK) return true;
    size_t lane = order->marks[mark].lane;
    if (lane == 0 || lane == order->marks[order->from].lane ||
        lane == order->marks[order->to].lane || order->marks[mark].after != ADI_NO_MARK)
        return true;
    for (size_t i = mark + 1; i < order->n_marks; i++)
        if (order->marks[i].after == mark) return true;
    return false;
}

/* From the step before the first end to the last one; the newest where there are too many. */
static void choose(const struct adi_order *order, bool *kept) {
    size_t n = order->n_marks, first = 0, last = n, count = 0;
    if (order->from != ADI_NO_MARK) {
        first = order->from < order->to ? order->from : order->to;
        last = 1 + (order->from < order->to ? order->to : order->from);
        while (first > 0 && order->marks[first].kind != ADI_MARK_STEP) first--;
    }
    for (size_t i = last; i-- > first;) {
        kept[i] = kept[i] || is_end(order, i) || (count < MOST && matters(order, i));
        count += kept[i];
        size_t after = order->marks[i].after;
        if (kept[i] && after != ADI_NO_MARK) kept[after] = true;
    }
}

static void keep_chosen(struct adi_order *order, const bool *kept) {
    size_t *place = calloc(order->n_marks + 1, sizeof *place), n = 0;
    for (size_t i = 0; place != NULL && i < order->n_marks; i++)
        place[i] = kept[i] ? n++ : SIZE_MAX;
    if (place == NULL) return;
    for (size_t i = 0; i < order->n_marks; i++) {
        struct adi_mark mark = order->marks[i];
        if (mark.after != ADI_NO_MARK) mark.after = place[mark.after];
        if (kept[i])
            order->marks[place[i]] = mark;
        else
            free(mark.text);
    }
    order->n_marks = n;
    if (order->from != ADI_NO_MARK) {
        order->from = place[order->from];
        order->to = place[order->to];
    }
    free(place);
}

/* Lanes in which nothing is left. */
static void drop_lanes(struct adi_order *order) {
    size_t n = 1;
    for (size_t lane = 1; lane < order->n_lanes; lane++) {
        bool used = false;
        for (size_t i = 0; i < order->n_marks; i++) used = used || order->marks[i].lane == lane;
        if (!used) {
            free(order->lanes[lane]);
            continue;
        }
        for (size_t i = 0; i < order->n_marks; i++)
            if (order->marks[i].lane == lane) order->marks[i].lane = n;
        order->lanes[n++] = order->lanes[lane];
    }
    order->n_lanes = n;
}

/* In words whose a lane is: of whom commands in it are. */
static void name_lanes(struct reading *reading) {
    struct adi_order *order = reading->order;
    for (size_t lane = 1; lane < order->n_lanes; lane++) {
        bool of[2] = {false, false};
        for (size_t i = 0; i < order->n_marks; i++)
            if (order->marks[i].lane == lane) of[order->marks[i].implementation] = true;
        const char *whose = of[0] && of[1] ? "both" : of[1] ? "the implementation" : "the harness";
        replace(reading, &order->lanes[lane],
                adi_order_print("%s of %s", order->lanes[lane], whose));
    }
}

static void prune(struct reading *reading) {
    struct adi_order *order = reading->order;
    bool *kept = calloc(order->n_marks + 1, sizeof *kept);
    if (kept == NULL) {
        reading->failed = true;
        return;
    }
    choose(order, kept);
    keep_chosen(order, kept);
    drop_lanes(order);
    name_lanes(reading);
    free(kept);
}

/* ---- all of it ---- */

struct adi_order *adi_order_of(const char *lines) {
    struct reading reading = {.order = calloc(1, sizeof *reading.order)};
    struct adi_order *order = reading.order;
    if (order == NULL) return NULL;
    order->lanes = calloc(1, sizeof *order->lanes);
    if (order->lanes != NULL) order->lanes[order->n_lanes++] = strdup(HOST);
    reading.failed = order->lanes == NULL || order->lanes[0] == NULL;
    for (const char *end; *lines != '\0' && !reading.failed; lines = end + (*end != '\0')) {
        end = lines + strcspn(lines, "\n");
        read_line(&reading, lines, (size_t)(end - lines));
    }
    if (!reading.failed) adi_order_find_missing(&reading);
    for (size_t i = 0; i < order->n_marks; i++) {
        free(reading.traits[i].event);
        free(reading.traits[i].writes);
        free(reading.traits[i].uses);
        free(reading.traits[i].may);
    }
    if (!reading.failed) prune(&reading);
    free(reading.traits);
    json_decref(reading.unordered);
    if (!reading.failed && order->n_lanes > 1) return order;
    adi_order_free(order);
    return NULL;
}
