/* SPDX-License-Identifier: Apache-2.0 */
#include "planted.h"

#include <string.h>

#include "devices.h"
#include "metadata.h"

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array) {
    array->release = NULL;
}

static void fill(struct planted_field *field, const char *format, int64_t length,
                 int64_t n_buffers) {
    if (field->array == NULL) field->array = &field->array_here;
    field->schema = &field->schema_here;
    *field->schema = (struct ArrowSchema){.format = format,
                                          .flags = ARROW_FLAG_NULLABLE,
                                          .children = field->schemas,
                                          .release = release_schema};
    *field->array = (struct ArrowArray){.length = length,
                                        .n_buffers = n_buffers,
                                        .buffers = field->buffers,
                                        .children = field->arrays,
                                        .release = release_array};
}

static void join(struct planted_field *parent, struct planted_field *child) {
    parent->schemas[parent->schema->n_children++] = child->schema;
    parent->arrays[parent->array->n_children++] = child->array;
}

static void fill_flat(struct planted *p) {
    struct planted_field *c = p->column;
    fill(&c[PLANTED_INT], "i", 4, 2);
    c[PLANTED_INT].array->null_count = 1;
    c[PLANTED_INT].buffers[0] = p->bits;
    c[PLANTED_INT].buffers[1] = p->ints;
    fill(&c[PLANTED_TEXT], "u", 4, 3);
    c[PLANTED_TEXT].buffers[1] = p->text_offsets;
    c[PLANTED_TEXT].buffers[2] = p->text;
    fill(&c[PLANTED_VIEW], "vu", 4, 4);
    c[PLANTED_VIEW].buffers[1] = p->views;
    c[PLANTED_VIEW].buffers[2] = p->far;
    c[PLANTED_VIEW].buffers[3] = p->lengths;
    fill(&c[PLANTED_NULL], "n", 4, 0);
    c[PLANTED_NULL].array->null_count = 4;
    fill(&c[PLANTED_STAMP], "tsu:UTC", 4, 2);
    c[PLANTED_STAMP].buffers[1] = p->stamps;
    c[PLANTED_STAMP].schema->metadata = p->metadata;
    fill(&p->words, "u", 4, 3);
    p->words.buffers[1] = p->word_offsets;
    p->words.buffers[2] = p->text;
    fill(&c[PLANTED_INDEX], "c", 4, 2);
    c[PLANTED_INDEX].buffers[1] = p->indices;
    c[PLANTED_INDEX].schema->dictionary = p->words.schema;
    c[PLANTED_INDEX].array->dictionary = p->words.array;
}

static void fill_lists(struct planted *p) {
    struct planted_field *c = p->column;
    for (int i = 0; i < 3; i++) {
        fill(&p->items[i], "i", 8, 2);
        p->items[i].buffers[1] = p->ints;
    }
    fill(&c[PLANTED_LIST], "+l", 4, 2);
    c[PLANTED_LIST].buffers[1] = p->offsets;
    join(&c[PLANTED_LIST], &p->items[0]);
    fill(&c[PLANTED_VIEWS], "+vl", 4, 3);
    c[PLANTED_VIEWS].buffers[1] = p->starts;
    c[PLANTED_VIEWS].buffers[2] = p->sizes;
    join(&c[PLANTED_VIEWS], &p->items[1]);
    fill(&c[PLANTED_FIXED], "+w:2", 4, 1);
    join(&c[PLANTED_FIXED], &p->items[2]);

    fill(&p->key, "i", 8, 2);
    fill(&p->value, "i", 8, 2);
    p->key.buffers[1] = p->value.buffers[1] = p->ints;
    fill(&p->entries, "+s", 8, 1);
    join(&p->entries, &p->key);
    join(&p->entries, &p->value);
    fill(&c[PLANTED_MAP], "+m", 4, 2);
    c[PLANTED_MAP].buffers[1] = p->offsets;
    join(&c[PLANTED_MAP], &p->entries);
}

static void fill_unions(struct planted *p) {
    struct planted_field *c = p->column;
    fill(&p->of_dense[0], "i", 4, 2);
    p->of_dense[0].buffers[1] = p->ints;
    fill(&p->of_dense[1], "u", 0, 3);
    p->of_dense[1].buffers[1] = p->no_text;
    fill(&c[PLANTED_DENSE], "+ud:5,9", 4, 2);
    c[PLANTED_DENSE].buffers[0] = p->dense_ids;
    c[PLANTED_DENSE].buffers[1] = p->dense;
    join(&c[PLANTED_DENSE], &p->of_dense[0]);
    join(&c[PLANTED_DENSE], &p->of_dense[1]);
    fill(&c[PLANTED_SPARSE], "+us:0", 4, 1);
    c[PLANTED_SPARSE].buffers[0] = p->sparse_ids;
    fill(&p->of_sparse, "i", 4, 2);
    p->of_sparse.buffers[1] = p->ints;
    join(&c[PLANTED_SPARSE], &p->of_sparse);

    fill(&p->runs[0], "i", 2, 2);
    p->runs[0].buffers[1] = p->ends;
    fill(&p->runs[1], "i", 2, 2);
    p->runs[1].buffers[1] = p->ints;
    fill(&c[PLANTED_RUNS], "+r", 4, 0);
    join(&c[PLANTED_RUNS], &p->runs[0]);
    join(&c[PLANTED_RUNS], &p->runs[1]);
}

static void fill_data(struct planted *p) {
    static const struct planted data = {
        .bits = {0x0d},
        .ints = {1, 2, 3, 4, 5, 6, 7, 8},
        .text_offsets = {0, 2, 2, 4, 5},
        .word_offsets = {0, 2, 2, 4, 5},
        .text = "ab\xc3\xa9z",
        .offsets = {0, 3, 3, 7, 8},
        .starts = {4, 0, 0, 8},
        .sizes = {4, 3, 0, 0},
        .ends = {1, 4},
        .dense = {0, 1, 1, 3},
        .far = "0123456789abcdefghijklm",
        .lengths = {23},
        .stamps = {1, 2, 3, 4},
        .indices = {0, 3, 1, 2},
        .dense_ids = {5, 5, 5, 5},
    };
    static const struct {
        int32_t length;
        char prefix[4];
        int32_t index, offset;
    } views[] = {{2, "hi", 0, 0},
                 {13, {'0', '1', '2', '3'}, 0, 0},
                 {0, "", 0, 0},
                 {14, {'9', 'a', 'b', 'c'}, 0, 9}};
    static const struct adi_pair pairs[] = {{"ARROW:extension:name", "x", 20, 1},
                                            {"ARROW:extension:metadata", "", 24, 0}};
    *p = data;
    adi_metadata_write(pairs, 2, p->metadata);
    memcpy(p->views, views, sizeof p->views);
}

void planted_tree(struct planted *p) {
    fill_data(p);
    p->ops = adi_device_cpu;
    p->device = (struct adi_device){.ops = &p->ops, .id = -1};
    p->array.device_type = p->ops.type;
    p->array.device_id = -1;
    fill_flat(p);
    fill_lists(p);
    fill_unions(p);
    p->root.array = &p->array.array;
    fill(&p->root, "+s", 4, 1);
    for (int i = 0; i < PLANTED_COLUMNS; i++) join(&p->root, &p->column[i]);
}
