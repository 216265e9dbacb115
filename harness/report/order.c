/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HOST "host"
#define MOST 36 /* marks that are drawn */

/* What a mark is known again by while the lines are read. */
struct trait {
    int64_t call, seq;
    char *event, *writes, *uses; /* "event 3"; "allocation 1;allocation 2;" */
};

struct reading {
    struct adi_order *order;
    struct trait *traits; /* a mark each */
    json_t *unordered;    /* the last line that says what lacks */
    bool failed;
};

/* ---- lines ---- */

static const char *text_of(const json_t *line, const char *key) {
    const char *text = json_string_value(json_object_get(line, key));
    return text == NULL ? "" : text;
}

static int64_t number_of(const json_t *line, const char *key) {
    return json_integer_value(json_object_get(line, key));
}

/* ---- lanes and marks ---- */

/* "queue 2" is known by its name in front; who puts something into it first owns it in words. */
static size_t lane_of(struct reading *reading, const char *name, const json_t *line) {
    struct adi_order *order = reading->order;
    bool host = strcmp(name, "the host") == 0 || name[0] == '\0';
    if (host) return 0;
    size_t length = strlen(name);
    for (size_t i = 1; i < order->n_lanes; i++)
        if (strncmp(order->lanes[i], name, length) == 0 && order->lanes[i][length] == ' ') return i;
    char **lanes = reallocarray(order->lanes, order->n_lanes + 1, sizeof *lanes), *text = NULL;
    if (lanes != NULL) order->lanes = lanes;
    const char *whose = number_of(line, "whose") == 1 ? "implementation" : "harness";
    if (lanes == NULL || asprintf(&text, "%s of the %s", name, whose) < 0) {
        reading->failed = true;
        return 0;
    }
    lanes[order->n_lanes] = text;
    return order->n_lanes++;
}

static struct adi_mark *add(struct reading *reading, enum adi_mark_kind kind, size_t lane,
                            const json_t *line, char *text) {
    struct adi_order *order = reading->order;
    size_t n = order->n_marks + 1;
    struct adi_mark *marks = reallocarray(order->marks, n, sizeof *marks);
    if (marks != NULL) order->marks = marks;
    struct trait *traits = reallocarray(reading->traits, n, sizeof *traits);
    if (traits != NULL) reading->traits = traits;
    if (marks == NULL || traits == NULL || text == NULL) {
        reading->failed = true;
        free(text);
        return NULL;
    }
    traits[n - 1] = (struct trait){.call = number_of(line, "call"), .seq = number_of(line, "seq")};
    marks[n - 1] = (struct adi_mark){.kind = kind,
                                     .lane = lane,
                                     .implementation = number_of(line, "whose") == 1,
                                     .after = ADI_NO_MARK,
                                     .text = text};
    order->n_marks = n;
    return &marks[n - 1];
}

static char *print(const char *format, ...) ADI_PRINTF(1, 2);
static char *print(const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return length < 0 ? NULL : text;
}

/* Replaces a text by a longer one. */
static void replace(struct reading *reading, char **text, char *longer) {
    if (longer == NULL) {
        reading->failed = true;
        return;
    }
    free(*text);
    *text = longer;
}

/* The last mark of a lane that `fits`; ADI_NO_MARK: none. */
static size_t last_mark(const struct reading *reading, size_t lane,
                        bool (*fits)(const struct trait *, const void *), const void *wanted) {
    for (size_t i = reading->order->n_marks; i-- > 0;)
        if ((lane == SIZE_MAX || reading->order->marks[i].lane == lane) &&
            fits(&reading->traits[i], wanted))
            return i;
    return ADI_NO_MARK;
}

static bool is_of_call(const struct trait *trait, const void *call) {
    return trait->call == *(const int64_t *)call;
}

static bool is_up_to(const struct trait *trait, const void *seq) {
    return trait->seq > 0 && trait->seq <= *(const int64_t *)seq;
}

static bool is_event(const struct trait *trait, const void *name) {
    return trait->event != NULL && strcmp(trait->event, name) == 0;
}

static bool has_word(const char *words, const char *name) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%.48s;", name);
    return words != NULL && strstr(words, wanted) != NULL;
}

/* ---- a line each ---- */

static void read_access(struct reading *reading, const json_t *line) {
    size_t lane = lane_of(reading, text_of(line, "by"), line), n = reading->order->n_marks;
    bool writes = json_object_get(line, "writes") != NULL;
    const char *what = text_of(line, "access"),
               *object = text_of(line, writes ? "writes" : "reads");
    bool frees = strcmp(what, "free") == 0;
    struct adi_mark *mark = n == 0 ? NULL : &reading->order->marks[n - 1];
    if (mark != NULL && mark->lane == lane &&
        reading->traits[n - 1].call == number_of(line, "call"))
        replace(reading, &mark->text,
                print("%s, %s %s", mark->text, writes ? "writes" : "reads", object));
    else
        mark = add(
            reading, frees ? ADI_MARK_FREE : ADI_MARK_COMMAND, lane, line,
            frees ? print("%s: gives back %s", text_of(line, "in"), object)
                  : print("%s: %s %s", text_of(line, "in"), writes ? "writes" : "reads", object));
    if (mark == NULL || frees) return;
    struct trait *trait = &reading->traits[reading->order->n_marks - 1];
    const char *before = trait->uses == NULL ? "" : trait->uses;
    replace(reading, &trait->uses, print("%s%s;", before, object));
    before = trait->writes == NULL ? "" : trait->writes;
    if (writes) replace(reading, &trait->writes, print("%s%s;", before, object));
}

static void read_record(struct reading *reading, const json_t *line) {
    size_t lane = lane_of(reading, text_of(line, "records"), line);
    int64_t event = number_of(line, "event");
    struct adi_mark *mark =
        add(reading, ADI_MARK_RECORD, lane, line,
            print("%s: event %" PRId64 " recorded", text_of(line, "in"), event));
    if (mark != NULL)
        replace(reading, &reading->traits[reading->order->n_marks - 1].event,
                print("event %" PRId64, event));
}

static void read_await(struct reading *reading, const json_t *line) {
    char name[48];
    const char *event = text_of(line, "awaits");
    snprintf(name, sizeof name, "queue %" PRId64, number_of(line, "queue"));
    size_t lane = lane_of(reading, name, line);
    size_t after = last_mark(reading, SIZE_MAX, is_event, event);
    struct adi_mark *mark = add(reading, ADI_MARK_WAIT, lane, line,
                                print("%s: waits for %s", text_of(line, "in"), event));
    if (mark != NULL) mark->after = after;
}

static void read_knows(struct reading *reading, const json_t *line) {
    const char *queue = text_of(line, "knows");
    int64_t seq = number_of(line, "seq");
    bool event = strncmp(queue, "event ", 6) == 0;
    size_t after = event ? last_mark(reading, SIZE_MAX, is_event, queue)
                         : last_mark(reading, lane_of(reading, queue, line), is_up_to, &seq);
    if (after == ADI_NO_MARK) return; /* nothing that is shown */
    struct adi_mark *mark =
        add(reading, ADI_MARK_WAIT, 0, line,
            print("%s: the host has waited for %s", text_of(line, "in"), queue));
    if (mark == NULL) return;
    mark->after = after;
    reading->traits[reading->order->n_marks - 1].seq = 0;
}

static void read_step(struct reading *reading, const json_t *line) {
    add(reading, ADI_MARK_STEP, 0, line,
        print("%s: %s", text_of(line, "step"), text_of(line, "text")));
}

static void read_unordered(struct reading *reading, const json_t *line) {
    json_decref(reading->unordered);
    reading->unordered = json_deep_copy(line);
}

static void read_line(struct reading *reading, const char *text, size_t length) {
    static const struct {
        const char *key;
        void (*read)(struct reading *, const json_t *);
    } kinds[] = {
        {"by", read_access},   {"records", read_record}, {"awaits", read_await},
        {"knows", read_knows}, {"step", read_step},      {"unordered", read_unordered},
    };
    json_t *line = json_loadb(text, length, 0, NULL);
    if (text_of(line, "makes")[0] != '\0') lane_of(reading, text_of(line, "makes"), line);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && line != NULL; i++)
        if (json_object_get(line, kinds[i].key) != NULL) {
            kinds[i].read(reading, line);
            break;
        }
    json_decref(line);
}

/* ---- the edge that is missing ---- */

/* An access against an earlier one: the simulation names both calls. */
static void find_race(struct reading *reading, const json_t *line) {
    struct adi_order *order = reading->order;
    const char *present = text_of(line, "unordered"), *past = text_of(line, "behind");
    int64_t call = number_of(line, "call"), earlier = number_of(line, "earlier");
    size_t lane = lane_of(reading, present, line);
    order->from = last_mark(reading, lane_of(reading, past, line), is_of_call, &earlier);
    order->to = last_mark(reading, lane, is_of_call, &call);
    if (order->to == ADI_NO_MARK && lane == 0 &&
        add(reading, ADI_MARK_TOUCH, 0, line, print("the CPU touches the memory")) != NULL)
        order->to = order->n_marks - 1;
    order->missing = print("nothing lets %s wait for %s", present, past);
}

/* What is handed out, against what writes it: the last write that the event, if there is one, does
 * not stand for. */
static void find_late(struct reading *reading, const json_t *line) {
    struct adi_order *order = reading->order;
    const char *present = text_of(line, "unordered"), *buffer = text_of(line, "of");
    const char *use = text_of(line, "not_behind");
    bool writes = strcmp(use, "writes") == 0;
    bool host = strcmp(present, "the host") == 0;
    bool queued = strncmp(present, "queue ", 6) == 0;
    int64_t call = number_of(line, "call");
    order->to = host     ? ADI_NO_MARK
                : queued ? last_mark(reading, lane_of(reading, present, line), is_of_call, &call)
                         : last_mark(reading, SIZE_MAX, is_event, present);
    for (size_t i = order->n_marks; host && i-- > 0 && order->to == ADI_NO_MARK;)
        if (order->marks[i].kind == ADI_MARK_STEP) order->to = i;
    for (size_t i = order->n_marks; i-- > 0;) {
        if (queued && order->to != ADI_NO_MARK && i >= order->to) continue;
        bool covered = !host && !queued && order->to != ADI_NO_MARK && i < order->to &&
                       order->marks[i].lane == order->marks[order->to].lane;
        const struct trait *trait = &reading->traits[i];
        if (!has_word(writes ? trait->writes : trait->uses, buffer) || covered) continue;
        order->from = i;
        break;
    }
    order->missing = host     ? print("nothing waits for what %s %s", use, buffer)
                     : queued ? print("nothing lets %s wait for what %s %s", present, use, buffer)
                              : print("%s does not come behind what %s %s", present, use, buffer);
}

static void find_missing(struct reading *reading) {
    struct adi_order *order = reading->order;
    order->from = order->to = ADI_NO_MARK;
    if (reading->unordered == NULL) return;
    if (json_object_get(reading->unordered, "behind") != NULL)
        find_race(reading, reading->unordered);
    else
        find_late(reading, reading->unordered);
    if (order->from != ADI_NO_MARK && order->to != ADI_NO_MARK && order->missing != NULL) return;
    order->from = order->to = ADI_NO_MARK;
    free(order->missing);
    order->missing = NULL;
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

static void free_mark(struct adi_mark *mark) {
    free(mark->text);
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
            free_mark(&mark);
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
    if (!reading.failed) find_missing(&reading);
    for (size_t i = 0; i < order->n_marks; i++) {
        free(reading.traits[i].event);
        free(reading.traits[i].writes);
        free(reading.traits[i].uses);
    }
    if (!reading.failed) prune(&reading);
    free(reading.traits);
    json_decref(reading.unordered);
    if (!reading.failed && order->n_lanes > 1) return order;
    adi_order_free(order);
    return NULL;
}

void adi_order_free(struct adi_order *order) {
    if (order == NULL) return;
    for (size_t i = 0; i < order->n_lanes; i++) free(order->lanes[i]);
    for (size_t i = 0; i < order->n_marks; i++) free_mark(&order->marks[i]);
    free(order->lanes);
    free(order->marks);
    free(order->missing);
    free(order);
}
