/* SPDX-License-Identifier: Apache-2.0
 *
 * What is no text: was it exported so, or does it only lie where no value is? What an
 * implementation encodes in its own way is not UTF-8; where the bytes that were handed over lie
 * elsewhere, or only the end of the data is missing, the offsets or the data are wrong, and the
 * text is not.
 */
#include <string.h>

#include "node.h"
#include "play.h"
#include "tree.h"

#define TELLING 4 /* bytes that do not lie elsewhere by chance */

struct value {
    const uint8_t *bytes; /* NULL: it is null, or its offsets are no range of what was read */
    int64_t from, length;
};

static bool is_looked_at(const struct adi_node *node) {
    return node->type_known && node->type.layout == ADI_LAYOUT_BINARY &&
           adi_buffers_counted(node) && node->buffers[1].data != NULL &&
           node->buffers[2].data != NULL;
}

static struct value value_at(const struct adi_node *node, int64_t row) {
    const struct adi_bytes *data = &node->buffers[2];
    const int64_t i = node->array.offset + row;
    int64_t from = adi_integer(&node->buffers[1], node->type.bits, i);
    int64_t to = adi_integer(&node->buffers[1], node->type.bits, i + 1);
    if (from < 0 || to < from || to > data->size || !adi_value_is_valid(node, i))
        return (struct value){NULL, 0, 0};
    return (struct value){data->data + from, from, to - from};
}

/* Does all that was handed over of it lie at another place of the data? */
static bool is_misplaced(const struct adi_node *is, int64_t row, struct value got,
                         struct value wanted, struct adi_found *found) {
    const struct adi_bytes *data = &is->buffers[2];
    if (wanted.length < TELLING) return false;
    const uint8_t *at = memmem(data->data, (size_t)data->size, wanted.bytes, (size_t)wanted.length);
    if (at == NULL || at == got.bytes) return false;
    int64_t place = at - data->data;
    adi_see(found,
            adi_words("offsets %" PRId64 " to %" PRId64, got.from, got.from + got.length).text,
            adi_words("%" PRId64 " to %" PRId64, place, place + wanted.length).text,
            "%s is not where its offsets say: its bytes lie %" PRId64 " bytes %s",
            adi_at(is, "value [%" PRId64 "]", is->array.offset + row).text,
            place < got.from ? got.from - place : place - got.from,
            place < got.from ? "before" : "behind");
    return true;
}

/* Is it the last one, and right but for its end? */
static bool is_cut(const struct adi_node *is, int64_t row, struct value got, struct value wanted,
                   struct adi_found *found) {
    int64_t same = 0;
    if (got.length != wanted.length || got.from + got.length != is->buffers[2].size) return false;
    while (same < got.length && got.bytes[same] == wanted.bytes[same]) same++;
    for (int64_t i = same; i < got.length; i++)
        if (got.bytes[i] == wanted.bytes[i]) return false;
    if (same == 0 && got.length > 1) return false;
    adi_see(found, adi_words("%" PRId64 " bytes of it", same).text,
            adi_words("%" PRId64, wanted.length).text,
            "%s is not what was handed over from byte %" PRId64 " on, where the data ends",
            adi_at(is, "value [%" PRId64 "]", is->array.offset + row).text, same);
    return true;
}

static bool explain(const struct adi_node *is, const struct adi_node *should,
                    struct adi_found *found) {
    bool rows =
        is_looked_at(is) && is_looked_at(should) && is->array.length == should->array.length;
    for (int64_t row = 0; rows && row < is->array.length; row++) {
        struct value got = value_at(is, row), wanted = value_at(should, row);
        if (got.bytes == NULL || wanted.bytes == NULL || adi_utf8_error(got.bytes, got.length) < 0)
            continue;
        if (is_misplaced(is, row, got, wanted, found) || is_cut(is, row, got, wanted, found))
            return true;
    }
    for (int64_t i = 0; i < is->n_children && is->n_children == should->n_children; i++)
        if (explain(is->children[i], should->children[i], found)) return true;
    return is->dictionary != NULL && should->dictionary != NULL &&
           explain(is->dictionary, should->dictionary, found);
}

bool adi_play_explains_text(const struct adi_text_of *text, struct adi_device *device,
                            struct adi_found *found) {
    if (text->wanted == NULL || strcmp(found->rule->id, "array/not-utf8") != 0) return false;
    struct adi_node *is = adi_tree_copy(text->schema, text->array, device);
    struct adi_node *should = adi_tree_copy_cpu(text->wanted_schema, text->wanted);
    bool explained = is != NULL && should != NULL && explain(is, should, found);
    adi_tree_free(is);
    adi_tree_free(should);
    return explained;
}
