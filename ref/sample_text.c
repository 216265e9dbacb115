/* SPDX-License-Identifier: Apache-2.0 */
#include "sample_build.h"

#include <errno.h>
#include <string.h>

#define VIEW_BYTES   16
#define INLINE_BYTES 12
#define PREFIX_BYTES 4
#define VARIADIC_MAX 4

#define TURNS(lengths)                                                                             \
    { lengths, (int64_t)(sizeof(lengths) / sizeof *(lengths)) }

/* The length of the text in a slot, by turns; `step` tells the arrays of a tree apart. The first is
 * never 0, so that a sample of one value has one to show. */
static int64_t text_bytes(enum adi_sample_text text, int64_t slot, int64_t step) {
    static const int64_t mixed[] = {31, 6, 0, 13, 1, 3, 12, 17, 4}, none[] = {0};
    static const int64_t fits[] = {5, 12, 0, 1, 11, 4, 7};
    static const struct {
        const int64_t *bytes;
        int64_t count;
    } turns[] = {
        [ADI_TEXT_MIXED] = TURNS(mixed),
        [ADI_TEXT_SHORT] = TURNS(fits),
        [ADI_TEXT_EMPTY] = TURNS(none),
        [ADI_TEXT_ZEROS] = TURNS(mixed),
    };
    return turns[text].bytes[slot * step % turns[text].count];
}

static int64_t draw_step(struct adi_sample_builder *builder) {
    static const int64_t steps[] = {1, 2, 4, 5, 8}; /* no divisor of 7 or 9 */
    return steps[adi_random_below(&builder->structure, sizeof steps / sizeof *steps)];
}

/* One code point of 1 to `room` bytes (at most 4) at `out`; returns its bytes. */
static int64_t write_code_point(struct adi_random *random, int64_t room, uint8_t *out) {
    const uint64_t most = room < 4 ? (uint64_t)room : 4;
    const uint64_t bytes =
        adi_random_below(random, 2) == 0 ? 1 : adi_random_below(random, most) + 1;
    const uint64_t bits = adi_random_next(random);
    static const uint8_t lead[] = {0x20, 0xc2, 0xe1, 0xf1};
    static const uint8_t leads[] = {95, 30, 12, 3}; /* short of what needs a closer look: surrogates
                                                       and overlong forms */
    out[0] = (uint8_t)(lead[bytes - 1] + bits % leads[bytes - 1]);
    for (uint64_t i = 1; i < bytes; i++) out[i] = (uint8_t)(0x80 | (bits >> (8 * i) & 0x3f));
    return (int64_t)bytes;
}

static void write_text(struct adi_sample_builder *builder, bool utf8, int64_t bytes, uint8_t *out) {
    struct adi_random *random = &builder->values;
    const bool zeros = builder->plan->text == ADI_TEXT_ZEROS;
    for (int64_t at = 0; at < bytes;) {
        if (zeros && at % 3 == 1)
            out[at++] = 0;
        else if (utf8)
            at += write_code_point(random, zeros ? 1 : bytes - at, out + at);
        else
            out[at++] = (uint8_t)adi_random_next(random);
    }
}

static bool is_utf8(const char *format) {
    return format[strlen(format) - 1] == 'u' || format[0] == 'U';
}

int adi_sample_fill_binary(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                           struct ArrowArray *out) {
    const struct adi_sample_plan *plan = builder->plan;
    const int64_t slots = adi_sample_values(node), bits = node->type.bits;
    const int64_t step = draw_step(builder), first = slots == 0 ? 0 : plan->first_offset;
    const bool omitted = slots == 0 && plan->offsets_omitted, utf8 = is_utf8(node->schema->format);
    uint8_t *offsets, *data;
    int64_t end = first;
    ADI_TRY(adi_sample_buffer(builder, omitted ? 0 : (slots + 1) * bits / 8, &offsets));
    for (int64_t i = 0; i < slots; i++) {
        adi_sample_put(offsets, i, bits, end);
        end += text_bytes(plan->text, i, step);
    }
    if (offsets != NULL) adi_sample_put(offsets, slots, bits, end);
    ADI_TRY(adi_sample_buffer(builder, end, &data));
    out->buffers[1] = offsets;
    out->buffers[2] = data;

    write_text(builder, utf8, first, data);
    for (int64_t i = 0, at = first; i < slots; i++) {
        const int64_t bytes = text_bytes(plan->text, i, step);
        if (bytes > 0) write_text(builder, utf8, bytes, data + at);
        at += bytes;
    }
    return 0;
}

/* The variadic buffers of a view array: long texts go to them by turns. */
struct variadic {
    int64_t count, first; /* the first that holds anything */
    int64_t bytes[VARIADIC_MAX];
    uint8_t *data[VARIADIC_MAX];
};

static int64_t next_of(const struct variadic *variadic, int64_t after) {
    return after + 1 < variadic->count ? after + 1 : variadic->first;
}

static int plan_variadic(struct adi_sample_builder *builder, int64_t slots, int64_t step,
                         struct variadic *out) {
    const struct adi_sample_plan *plan = builder->plan;
    const int64_t asked = plan->variadic == 0 ? 1 : plan->variadic;
    int64_t to = -1;
    *out = (struct variadic){.count = asked, .first = plan->variadic_hole ? 1 : 0};
    for (int64_t i = 0; i < slots; i++) {
        const int64_t bytes = text_bytes(plan->text, i, step);
        if (bytes <= INLINE_BYTES) continue;
        to = to < 0 ? out->first : next_of(out, to);
        out->bytes[to] += bytes;
    }
    if (to < 0 && plan->variadic == 0) out->count = 0;
    for (int64_t i = 0; i < out->count; i++)
        ADI_TRY(adi_sample_buffer(builder, out->bytes[i], &out->data[i]));
    return 0;
}

static void write_views(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                        int64_t step, const struct variadic *variadic, uint8_t *views) {
    const bool utf8 = is_utf8(node->schema->format);
    int64_t filled[VARIADIC_MAX] = {0}, to = -1;
    for (int64_t i = 0; i < adi_sample_values(node); i++) {
        const int64_t bytes = text_bytes(builder->plan->text, i, step);
        uint8_t *view = views + i * VIEW_BYTES;
        adi_sample_put(view, 0, 32, bytes);
        if (bytes <= INLINE_BYTES) {
            write_text(builder, utf8, bytes, view + 4);
            continue;
        }
        to = to < 0 ? variadic->first : next_of(variadic, to);
        uint8_t *text = variadic->data[to] + filled[to];
        write_text(builder, utf8, bytes, text);
        memcpy(view + 4, text, PREFIX_BYTES);
        adi_sample_put(view, 2, 32, to);
        adi_sample_put(view, 3, 32, filled[to]);
        filled[to] += bytes;
    }
}

int adi_sample_fill_view(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                         struct ArrowArray *out) {
    const int64_t slots = adi_sample_values(node), step = draw_step(builder);
    struct variadic variadic;
    uint8_t *views, *lengths;
    ADI_TRY(adi_sample_buffer(builder, slots * VIEW_BYTES, &views));
    ADI_TRY(plan_variadic(builder, slots, step, &variadic));
    ADI_TRY(adi_sample_buffer(builder, variadic.count * 8, &lengths));
    write_views(builder, node, step, &variadic, views);

    const void *validity = out->buffers[0];
    out->n_buffers = 3 + variadic.count;
    out->buffers = adi_sample_scratch(builder, out->n_buffers, sizeof *out->buffers);
    if (out->buffers == NULL) return ENOMEM;
    out->buffers[0] = validity;
    out->buffers[1] = views;
    for (int64_t i = 0; i < variadic.count; i++) {
        out->buffers[2 + i] = variadic.data[i];
        adi_sample_put(lengths, i, 64, variadic.bytes[i]);
    }
    out->buffers[out->n_buffers - 1] = lengths;
    return 0;
}
