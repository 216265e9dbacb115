/* SPDX-License-Identifier: Apache-2.0
 *
 * SPIR-V 1.6: a module is a header of five words and then instructions, each of which begins with
 * its number of words and its code. Decorations stand before types, and types before variables.
 */
#include "spirv.h"

#include <stdbool.h>
#include <string.h>

#define MAGIC     0x07230203u
#define HEADER    5
#define MOST_IDS  16384
#define MOST_DEEP 8 /* arrays of arrays */

enum {
    OP_TYPE_ARRAY = 28,
    OP_TYPE_RUNTIME_ARRAY = 29,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_VARIABLE = 59,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    BUFFER_BLOCK = 3,
    NON_WRITABLE = 24,
    BINDING = 33,
    DESCRIPTOR_SET = 34,
    CLASS_UNIFORM = 2,
    CLASS_STORAGE_BUFFER = 12,
};

/* What is known of a result so far. */
static struct id {
    uint32_t type;    /* what an array or a pointer is of */
    uint32_t members; /* of a structure, ... */
    uint32_t fixed;   /* ... and how many of them cannot be written */
    uint32_t set, binding;
    int read_only, buffer_block;
} ids[MOST_IDS];

static struct id *id_of(uint32_t number) {
    return &ids[number < MOST_IDS ? number : 0]; /* 0 is nobody's */
}

static void decorate(struct id *id, uint32_t decoration, uint32_t value) {
    switch (decoration) {
    case BUFFER_BLOCK:
        id->buffer_block = 1;
        break;
    case NON_WRITABLE:
        id->read_only = 1;
        break;
    case BINDING:
        id->binding = value;
        break;
    case DESCRIPTOR_SET:
        id->set = value;
        break;
    default:
        break;
    }
}

static void look_at_variable(uint32_t pointer, uint32_t number, uint32_t class,
                             uint32_t writes[MOST_SETS]) {
    const struct id *variable = id_of(number), *of = id_of(id_of(pointer)->type);
    for (int i = 0; i < MOST_DEEP && of->members == 0 && of->type != 0; i++) of = id_of(of->type);
    bool stores = class == CLASS_STORAGE_BUFFER || (class == CLASS_UNIFORM && of->buffer_block);
    bool read_only = variable->read_only || (of->members > 0 && of->fixed >= of->members);
    if (stores && !read_only && variable->set < MOST_SETS && variable->binding < 32)
        writes[variable->set] |= UINT32_C(1) << variable->binding;
}

static void look_at(const uint32_t *words, uint32_t n, uint32_t writes[MOST_SETS]) {
    switch (words[0] & 0xffff) {
    case OP_TYPE_ARRAY:
    case OP_TYPE_RUNTIME_ARRAY:
        if (n > 2) id_of(words[1])->type = words[2];
        break;
    case OP_TYPE_STRUCT:
        if (n > 1) id_of(words[1])->members = n - 2;
        break;
    case OP_TYPE_POINTER:
        if (n > 3) id_of(words[1])->type = words[3];
        break;
    case OP_DECORATE:
        if (n > 2) decorate(id_of(words[1]), words[2], n > 3 ? words[3] : 0);
        break;
    case OP_MEMBER_DECORATE:
        if (n > 3 && words[3] == NON_WRITABLE) id_of(words[1])->fixed++;
        break;
    case OP_VARIABLE:
        if (n > 3) look_at_variable(words[1], words[2], words[3], writes);
        break;
    default:
        break;
    }
}

void spirv_look(const uint32_t *words, size_t n, uint32_t writes[MOST_SETS]) {
    memset(writes, 0xff, MOST_SETS * sizeof *writes);
    if (words == NULL || n < HEADER || words[0] != MAGIC || words[3] > MOST_IDS) return;
    memset(ids, 0, sizeof ids);
    uint32_t found[MOST_SETS] = {0};
    for (size_t at = HEADER, length; at < n; at += length) {
        length = words[at] >> 16;
        if (length == 0 || length > n - at) return;
        look_at(words + at, (uint32_t)length, found);
    }
    memcpy(writes, found, sizeof found);
}
