/* SPDX-License-Identifier: Apache-2.0 */
#include "guarded_event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "attribution.h"
#include "device_types.h"
#include "export.h"
#include "guarded_list.h"
#include "guarded_place.h"
#include "metadata.h"
#include "move.h"
#include "schema.h"
#include "trace.h"

/* ---- release, as the documents ask of a producer ---- */

/* How many bytes buffer `i` was made with; -1: it was not kept. */
static int64_t bytes_of(const struct adi_node *made_of, int64_t i) {
    return made_of == NULL || i >= made_of->n_buffers ? -1 : made_of->buffers[i].size;
}

/* DV-029: the data lives until the release, for queued commands too. */
/* What still reads them would read what comes there next. */
static void judge_readers(const struct adi_guarded *input, const struct adi_watched *node) {
    const struct ArrowArray *array = &node->original;
    const struct adi_node *from = adi_unchanged_node(input->before, node);
    char place[ADI_WATCHED_PLACE];
    for (int64_t i = 0; i < array->n_buffers; i++) {
        if (!adi_interceptor_used(array->buffers[i], 0, bytes_of(from, i))) continue;
        adi_trace_released(array->buffers[i]);
        adi_report(input->monitor.sink, "sync/released-while-reading", ADI_CONSUMER,
                   "a queued command that has not run", "a wait before the release",
                   "%s was released, and buffers[%lld] is still to be read",
                   adi_watched_place(node, place), (long long)i);
        return;
    }
}

/* What its consumer should not have written. */
static void judge_writers(const struct adi_guarded *input, const struct adi_watched *node) {
    const struct ArrowArray *array = &node->original;
    const struct adi_node *from = adi_unchanged_node(input->before, node);
    char place[ADI_WATCHED_PLACE];
    for (int64_t i = 0; i < array->n_buffers; i++)
        if (adi_interceptor_written(array->buffers[i], 0, bytes_of(from, i)))
            adi_report(input->monitor.sink, "array/buffer-mutated", ADI_CONSUMER,
                       "a command that writes it", "reads only",
                       "%s: buffers[%lld] was written by its consumer",
                       adi_watched_place(node, place), (long long)i);
}

static void retire_buffers(const void *original) {
    const struct ArrowArray *array = original;
    for (int64_t i = 0; i < array->n_buffers; i++)
        if (array->buffers[i] != NULL) adi_guard_retire_soon(array->buffers[i]);
}

static void retire_strings(const void *original) {
    const struct ArrowSchema *schema = original;
    adi_guard_retire_soon(schema->format);
    if (schema->name != NULL) adi_guard_retire_soon(schema->name);
    if (schema->metadata != NULL) adi_guard_retire_soon(schema->metadata);
}

static void poison(const struct adi_guarded *input, const struct adi_kind *kind, void *self) {
    for (size_t i = 0; i < sizeof kind->owned / sizeof kind->owned[0]; i++)
        if (kind->owned[i].name != NULL && !adi_guard_spares())
            adi_kind_set(self, kind->owned[i].offset, input->poison);
    adi_kind_set_release(kind, self, NULL);
}

static void release_schema(struct ArrowSchema *self);
static void release_array(struct ArrowArray *self);
static void on_release(const struct adi_kind *kind, void *self);

static bool is_own(const struct adi_kind *kind, adi_release_fn *release) {
    return release == (kind == &adi_kind_array ? (adi_release_fn *)release_array
                                               : (adi_release_fn *)release_schema);
}

/* A callback that somebody has put in front finds closed what is released by then. */
static void release_child(const struct adi_kind *kind, void *child) {
    if (child == NULL) return; /* taken out on purpose: malformed input */
    adi_release_fn *release = adi_kind_release(kind, child);
    if (is_own(kind, release)) {
        on_release(kind, child);
    } else if (release != NULL) {
        adi_guard_settle();
        adi_kind_call(kind, release, child);
    }
    adi_guard_retire_soon(child);
}

/* How many pointers a structure's buffers and children are. Behind them lies a copy. */
static size_t count_pointers(const struct adi_kind *kind, const void *structure) {
    int64_t n = adi_kind_children(kind, structure);
    if (kind == &adi_kind_array) n += ((const struct ArrowArray *)structure)->n_buffers;
    return (size_t)n;
}

static void judge_pointers(const struct adi_guarded *input, const struct adi_kind *kind,
                           long index) {
    const struct adi_watched *node = &input->monitor.nodes[index];
    char place[ADI_WATCHED_PLACE];
    size_t n = count_pointers(kind, &node->original);
    void **pointers = input->arrays[index];
    if (memcmp(pointers, pointers + n, n * sizeof *pointers) != 0)
        adi_report(input->monitor.sink, "life/structure-changed", ADI_CONSUMER, "another pointer",
                   "the producer's pointer",
                   "%s has another pointer in its buffers or children than it was exported with",
                   adi_watched_place(node, place));
}

/* Who waits for one array may have waited for the others: they are still judged by that. */
static bool may_wait(const struct adi_guarded *input) {
    bool waits = adi_device_type_has_event(input->producing.ops->type);
    return (!waits || adi_guarded_is_alone(input)) && pthread_equal(pthread_self(), input->thread);
}

/* The last of the array's structures is released. */
static void give_back(struct adi_guarded *input) {
    if (may_wait(input))
        adi_unchanged_judge(&input->producing, &input->schema, &input->real, input->before,
                            input->monitor.sink);
    adi_device_array_release(&input->real);
}

static void on_release(const struct adi_kind *kind, void *self) {
    long index;
    struct adi_guarded *input = adi_guarded_find(kind, self, &index);
    if (input == NULL) {
        adi_guarded_stray(kind, self);
        return;
    }
    if (!adi_monitor_enter(&input->monitor, index, self)) {
        if (!input->monitor.refuses) adi_kind_set_release(kind, self, NULL);
        return;
    }
    struct ArrowArray original = input->monitor.nodes[index].original;
    judge_pointers(input, kind, index);
    if (kind == &adi_kind_array) {
        judge_readers(input, &input->monitor.nodes[index]);
        judge_writers(input, &input->monitor.nodes[index]);
    }
    for (int64_t i = 0; i < adi_kind_children(kind, &original); i++)
        release_child(kind, adi_kind_child(kind, &original, i));
    void *dictionary = adi_kind_dictionary(kind, &original);
    if (dictionary != NULL) release_child(kind, dictionary);
    (kind == &adi_kind_array ? retire_buffers : retire_strings)(&original);
    adi_guard_retire_soon(input->arrays[index]);
    poison(input, kind, self);
    const bool is_base = kind == &adi_kind_array && index == 0;
    if (is_base) adi_guarded_event_end(input);
    adi_monitor_leave(&input->monitor, index, self);
    if (kind == &adi_kind_array && atomic_fetch_sub(&input->live_arrays, 1) == 1)
        give_back(input);
    else if (is_base)
        adi_guarded_event_free(input);
}

static void release_schema(struct ArrowSchema *self) {
    adi_guarded_callback(true);
    on_release(&adi_kind_schema, self);
    adi_guard_settle();
    adi_guarded_callback(false);
}

static void release_array(struct ArrowArray *self) {
    adi_guarded_callback(true);
    bool before = adi_attribution_enter(false);
    on_release(&adi_kind_array, self);
    adi_guard_settle();
    adi_attribution_enter(before);
    adi_guarded_callback(false);
}

/* ---- laying out ---- */

/* One pass: structures get their numbers in the monitor's order, parents first. */
struct layout {
    struct adi_guarded *input;
    const struct adi_node *host; /* what it was made of; NULL: nothing of it is needed */
    size_t n;                    /* structures laid out so far */
    struct adi_error *error;
};

static void *room(struct layout *layout, enum adi_region_kind kind, size_t bytes,
                  const char *place) {
    void *start = adi_guard_alloc(kind, bytes, 1, place);
    if (start == NULL) adi_error_set(layout->error, ENOMEM, "the guarded memory is full");
    return start;
}

typedef int put_fn(struct layout *, const void *from, void *to, const char *place);

/* Gives the structure at `to` its key, its children and its dictionary. `pointers` has room for the
 * children. */
static int put_family(struct layout *layout, const struct adi_kind *kind, put_fn *put,
                      const void *from, void *to, void **pointers, const char *place) {
    int64_t n = adi_kind_children(kind, from);
    char below[ADI_PLACE_SIZE];
    adi_kind_set(to, kind->private_data, layout->input->private_data + layout->n * ADI_GUARDED_KEY);
    layout->input->arrays[layout->n++] = pointers;
    adi_kind_set(to, kind->children, n > 0 ? pointers : NULL);
    for (int64_t i = 0; i < n; i++) {
        adi_place_child(below, place, i);
        pointers[i] = room(layout, ADI_REGION_STRUCTURE, kind->size, below);
        if (pointers[i] == NULL) return ENOMEM;
        ADI_TRY(put(layout, adi_kind_child(kind, from, i), pointers[i], below));
    }
    const void *dictionary = adi_kind_dictionary(kind, from);
    if (dictionary == NULL) return 0;
    adi_place_child(below, place, -1);
    void *copy = room(layout, ADI_REGION_STRUCTURE, kind->size, below);
    if (copy == NULL) return ENOMEM;
    adi_kind_set(to, kind->dictionary, copy);
    return put(layout, dictionary, copy, below);
}

static int put_array(struct layout *layout, const void *from_at, void *to_at, const char *place) {
    const struct ArrowArray *from = from_at;
    struct ArrowArray *to = to_at;
    size_t n = count_pointers(&adi_kind_array, from);
    char name[ADI_PLACE_SIZE];
    adi_place_member(name, place, ".buffers or .children", -1);
    void **pointers = room(layout, ADI_REGION_STRUCTURE, 2 * n * sizeof *pointers + 1, name);
    if (pointers == NULL) return ENOMEM;
    *to = *from;
    to->buffers = from->buffers == NULL ? NULL : (const void **)(pointers + from->n_children);
    for (int64_t i = 0; i < from->n_buffers; i++) to->buffers[i] = from->buffers[i];
    ADI_TRY(adi_view_lengths_put(&layout->input->lengths, &layout->input->device, layout->host,
                                 layout->n, to, layout->error));
    for (int64_t i = 0; i < to->n_buffers; i++) {
        if (to->buffers[i] == NULL) continue;
        adi_place_member(name, place, ".buffers", i);
        adi_guard_name(to->buffers[i], name);
    }
    to->release = release_array;
    ADI_TRY(put_family(layout, &adi_kind_array, put_array, from, to, pointers, place));
    memcpy(pointers + n, pointers, n * sizeof *pointers);
    return 0;
}

static int put_string(struct layout *layout, const char *from, size_t bytes, const char **to,
                      const char *place, const char *member) {
    if (from == NULL) return 0;
    char name[ADI_PLACE_SIZE];
    adi_place_member(name, place, member, -1);
    char *copy = room(layout, ADI_REGION_STRING, bytes, name);
    if (copy == NULL) return ENOMEM;
    memcpy(copy, from, bytes);
    *to = copy;
    return 0;
}

static int put_schema(struct layout *layout, const void *from_at, void *to_at, const char *place) {
    const struct ArrowSchema *from = from_at;
    struct ArrowSchema *to = to_at;
    size_t name_bytes = from->name == NULL ? 0 : strlen(from->name) + 1;
    char name[ADI_PLACE_SIZE];
    adi_place_member(name, place, ".children", -1);
    size_t n = count_pointers(&adi_kind_schema, from);
    void **pointers = room(layout, ADI_REGION_STRUCTURE, 2 * n * sizeof *pointers + 1, name);
    if (pointers == NULL) return ENOMEM;
    *to = *from;
    ADI_TRY(
        put_string(layout, from->format, strlen(from->format) + 1, &to->format, place, ".format"));
    ADI_TRY(put_string(layout, from->name, name_bytes, &to->name, place, ".name"));
    ADI_TRY(put_string(layout, from->metadata, adi_metadata_bytes(from->metadata), &to->metadata,
                       place, ".metadata"));
    to->release = release_schema;
    ADI_TRY(put_family(layout, &adi_kind_schema, put_schema, from, to, pointers, place));
    memcpy(pointers + n, pointers, n * sizeof *pointers);
    return 0;
}

/* ---- the guarded input ---- */

void adi_guarded_open(struct adi_guarded *input, const struct adi_device *device,
                      struct adi_sink *sink) {
    memset(input, 0, sizeof *input);
    input->device = *device;
    adi_monitor_init(&input->monitor, sink, false, true);
    adi_guarded_list(input);
}

static int lay_out_schema(struct layout *layout, struct adi_guarded_pair *out) {
    struct adi_guarded *input = layout->input;
    size_t first;
    out->schema = room(layout, ADI_REGION_STRUCTURE, sizeof *out->schema, "schema");
    if (out->schema == NULL) return ENOMEM;
    ADI_TRY(put_schema(layout, &input->schema, out->schema, "schema"));
    return adi_monitor_add(&input->monitor, &adi_kind_schema, out->schema, &first);
}

/* What is the input's alone, for `n` structures. */
static int lay_out_own(struct layout *layout, size_t n) {
    struct adi_guarded *input = layout->input;
    input->arrays = calloc(n, sizeof *input->arrays);
    if (input->arrays == NULL) return adi_error_set(layout->error, ENOMEM, "out of memory");
    char *keys = room(layout, ADI_REGION_PRIVATE, (n + 1) * ADI_GUARDED_KEY, "private_data");
    input->private_data = keys == NULL ? NULL : keys + ADI_GUARDED_KEY;
    input->poison = room(layout, ADI_REGION_PRIVATE, 1, "what a released structure pointed to");
    if (keys == NULL || input->poison == NULL) return ENOMEM;
    input->n = n;
    adi_guard_retire(input->poison);
    return 0;
}

static int lay_out(struct adi_guarded *input, const struct adi_node *host,
                   struct adi_guarded_pair *out, struct adi_error *error) {
    struct layout layout = {.input = input, .host = host, .error = error};
    bool schema = input->schema.release != NULL;
    size_t n_arrays = adi_kind_count(&adi_kind_array, &input->real.array);
    size_t n = n_arrays + (schema ? adi_kind_count(&adi_kind_schema, &input->schema) : 0);
    atomic_init(&input->live_arrays, n_arrays);
    ADI_TRY(lay_out_own(&layout, n));
    out->array = room(&layout, ADI_REGION_STRUCTURE, sizeof *out->array, "array");
    if (out->array == NULL) return ENOMEM;
    *out->array = input->real;
    /* DV-014, DV-020: sync_event may be NULL where the data is there already. */
    if (input->event != NULL) {
        input->handle_at =
            room(&layout, ADI_REGION_STRUCTURE, sizeof *input->handle_at, "sync_event");
        if (input->handle_at == NULL) return ENOMEM;
        *input->handle_at = input->event;
        out->array->sync_event = input->handle_at;
    }
    ADI_TRY(put_array(&layout, &input->real.array, &out->array->array, "array"));
    size_t first;
    ADI_TRY(adi_monitor_add(&input->monitor, &adi_kind_array, &out->array->array, &first));
    return schema ? lay_out_schema(&layout, out) : 0;
}

static int put_all(struct adi_guarded *input, const struct adi_device *device,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   const struct adi_node *before, struct adi_guarded_pair *out,
                   struct adi_error *error) {
    ADI_TRY(adi_produce(&input->producing, schema, host, &input->real, error));
    /* Who does not wait is found where queues are paused, and not by what happens to be read. */
    if (adi_interceptor_drains() && !adi_interceptor_pauses(false))
        ADI_TRY(device->ops->wait_host(&input->producing, input->real.sync_event, error));
    adi_guarded_event_find(input);
    ADI_TRY(lay_out(input, before, out, error));
    adi_guard_seal();
    input->whole = true;
    return 0;
}

int adi_guarded_put(struct adi_guarded *input, struct ArrowSchema *schema, struct ArrowArray *host,
                    unsigned oddities, struct adi_guarded_pair *out, struct adi_error *error) {
    struct adi_device device = input->device;
    bool foreign = oddities & ADI_GUARDED_FOREIGN, keeps = !(oddities & ADI_GUARDED_NO_SCHEMA);
    bool is_cpu = adi_device_type_is_cpu(device.ops->type);
    struct adi_node *before = NULL;
    if (foreign || is_cpu)
        adi_guard_device(&device, &input->device, oddities & ADI_GUARDED_UNALIGNED ? 1 : 0,
                         foreign);
    adi_guarded_event_begin(input, &device);
    if (keeps) {
        adi_schema_move(schema, &input->schema);
        schema = &input->schema;
        input->thread = pthread_self();
    }
    if (!is_cpu && !foreign && (keeps || adi_view_lengths_any(schema)))
        before = adi_tree_copy_cpu(schema, host);
    if (keeps) input->before = before;
    int code = put_all(input, &device, schema, host, before, out, error);
    if (!keeps) adi_tree_free(before);
    return code;
}

int adi_guarded_put_schema(struct adi_guarded *input, const struct ArrowSchema *schema,
                           struct ArrowSchema **out, struct adi_error *error) {
    struct layout layout = {.input = input, .error = error};
    struct adi_guarded_pair pair = {.schema = NULL};
    ADI_TRY(adi_schema_export(schema, &input->schema, error));
    ADI_TRY(lay_out_own(&layout, adi_kind_count(&adi_kind_schema, &input->schema)));
    ADI_TRY(lay_out_schema(&layout, &pair));
    adi_guard_seal();
    input->whole = true;
    *out = pair.schema;
    return 0;
}

void adi_guarded_close(struct adi_guarded *input) {
    adi_guarded_unlist(input);
    if (input->whole) adi_monitor_finish(&input->monitor);
    adi_device_array_release(&input->real);
    adi_view_lengths_free(&input->lengths, &input->device);
    adi_schema_release(&input->schema);
    adi_tree_free(input->before);
    adi_monitor_free(&input->monitor);
    free(input->arrays);
    if (!adi_guarded_any() && !adi_guard_is_kept()) adi_guard_reset();
}
