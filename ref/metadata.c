/* SPDX-License-Identifier: Apache-2.0 */
#include "metadata.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* CD-021: counts and lengths are int32 in the machine's own byte order. */
static int take_int32(struct adi_metadata_reader *reader, const char *what, int32_t *out,
                      struct adi_error *error) {
    if (reader->end != NULL && (size_t)(reader->end - reader->at) < sizeof *out)
        return adi_error_set(error, EINVAL, "metadata: %s needs 4 bytes, %td are left", what,
                             reader->end - reader->at);
    memcpy(out, reader->at, sizeof *out);
    if (*out < 0) return adi_error_set(error, EINVAL, "metadata: %s is %" PRId32, what, *out);
    reader->at += sizeof *out;
    return 0;
}

static int take_string(struct adi_metadata_reader *reader, const char *what, const char **out,
                       int32_t *bytes, struct adi_error *error) {
    ADI_TRY(take_int32(reader, what, bytes, error));
    if (reader->end != NULL && reader->end - reader->at < *bytes)
        return adi_error_set(error, EINVAL, "metadata: %s is %" PRId32 ", %td bytes are left", what,
                             *bytes, reader->end - reader->at);
    *out = reader->at;
    reader->at += *bytes;
    return 0;
}

int adi_metadata_open(const char *metadata, size_t bytes, struct adi_metadata_reader *out,
                      struct adi_error *error) {
    *out = (struct adi_metadata_reader){metadata, bytes == SIZE_MAX ? NULL : metadata + bytes, 0};
    return take_int32(out, "the count of pairs", &out->left, error);
}

int adi_metadata_next(struct adi_metadata_reader *reader, struct adi_pair *out,
                      struct adi_error *error) {
    if (reader->left == 0) return ENOENT;
    ADI_TRY(take_string(reader, "the length of a key", &out->key, &out->key_bytes, error));
    ADI_TRY(take_string(reader, "the length of a value", &out->value, &out->value_bytes, error));
    reader->left--;
    return 0;
}

size_t adi_metadata_bytes(const char *metadata) {
    struct adi_metadata_reader reader;
    struct adi_pair pair;
    if (metadata == NULL || adi_metadata_open(metadata, SIZE_MAX, &reader, NULL) != 0) return 0;
    while (adi_metadata_next(&reader, &pair, NULL) == 0) continue;
    return (size_t)(reader.at - metadata);
}

static size_t put(const void *from, size_t bytes, char *out, size_t at) {
    if (out != NULL && bytes > 0) memcpy(out + at, from, bytes);
    return at + bytes;
}

size_t adi_metadata_write(const struct adi_pair *pairs, int32_t count, char *out) {
    size_t at = put(&count, sizeof count, out, 0);
    for (int32_t i = 0; i < count; i++) {
        const struct adi_pair *pair = &pairs[i];
        at = put(&pair->key_bytes, sizeof pair->key_bytes, out, at);
        at = put(pair->key, (size_t)pair->key_bytes, out, at);
        at = put(&pair->value_bytes, sizeof pair->value_bytes, out, at);
        at = put(pair->value, (size_t)pair->value_bytes, out, at);
    }
    return at;
}
