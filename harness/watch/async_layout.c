/* SPDX-License-Identifier: Apache-2.0 */
#include "async_layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "safe_read.h"

enum content {
    NOTHING,  /* NULL */
    METADATA, /* it cannot be anything else by chance: a pair at least, and keys that are texts */
    MAYBE,    /* it can be read as metadata */
    CODE,
    ANOTHER,
};

/* No call of the C library says it of what was made at run time. */
static bool is_code(const void *address) {
    char line[512], access[8];
    uintmax_t from, to, at = (uintptr_t)address;
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL) return false;
    while (!found && fgets(line, sizeof line, maps) != NULL)
        found = sscanf(line, "%" SCNxMAX "-%" SCNxMAX " %7s", &from, &to, access) == 3 &&
                at >= from && at < to && access[2] == 'x';
    fclose(maps);
    return found;
}

static const uint8_t *next_int(const uint8_t *at, int32_t *out) {
    memcpy(out, at, sizeof *out);
    return at + sizeof *out;
}

/* Of what can be read as metadata. A key is a text: pointers and numbers have zeroes. */
static enum content judge_keys(const uint8_t *at) {
    int32_t pairs, bytes;
    at = next_int(at, &pairs);
    enum content content = pairs > 0 ? METADATA : MAYBE;
    for (int32_t i = 0; i < pairs; i++) {
        at = next_int(at, &bytes);
        if (bytes == 0) content = MAYBE;
        if (memchr(at, 0, (size_t)bytes) != NULL) return ANOTHER;
        at = next_int(at + bytes, &bytes);
        at += bytes;
    }
    return content;
}

static enum content content_of(const void *member) {
    struct adi_error why = {""};
    uint8_t *copy = NULL;
    int64_t bytes = 0;
    enum content content = ANOTHER;
    if (member == NULL) return NOTHING;
    if (adi_safe_reader_metadata(NULL, member, &copy, &bytes, &why) == 0)
        content = judge_keys(copy);
    free(copy);
    return content;
}

enum adi_async_evidence adi_async_layout_of(const union adi_any_producer *producer,
                                            enum adi_async_layout stated) {
    enum content third = content_of(producer->shipped.additional_metadata);
    const enum content fourth = content_of(producer->shipped.private_data);
    enum adi_async_layout layout = stated;
    /* A linker may put constants with the code, and anything may be private_data. */
    if (third == ANOTHER && is_code(producer->shipped.additional_metadata)) third = CODE;
    if (third == CODE || (third == NOTHING && fourth == METADATA))
        layout = ADI_ASYNC_WITH_RELEASE;
    else if (third == METADATA || third == MAYBE || (third == NOTHING && fourth == ANOTHER))
        layout = ADI_ASYNC_SHIPPED;
    else
        return ADI_LAYOUT_UNKNOWN;
    return layout == stated ? ADI_LAYOUT_RIGHT : ADI_LAYOUT_WRONG;
}
