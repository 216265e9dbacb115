/* SPDX-License-Identifier: Apache-2.0 */
#include "hexagon_heap.h"

#define WORD  UINT64_C(0xdbdbdbdbdbdbdbdb)
#define LANES UINT64_C(0x00ff00ff00ff00ff)

static uint32_t pages_of(uint32_t bytes) {
    return bytes / ADI_HEXAGON_PAGE + (bytes % ADI_HEXAGON_PAGE != 0);
}

static void poison(struct adi_dsp_heap *heap, uint32_t page) {
    uint64_t *word = (uint64_t *)(void *)(heap->memory + page * ADI_HEXAGON_PAGE);
    for (uint32_t i = 0; i < ADI_HEXAGON_PAGE / sizeof *word; i++) word[i] = WORD;
}

/* So many free pages in a row, none of them round the end. What was freed comes late again. */
static int find(const struct adi_dsp_heap *heap, uint32_t n, uint32_t *first) {
    uint32_t run = 0;
    for (uint32_t i = 0; i < 2 * ADI_DSP_PAGES; i++) {
        uint32_t page = (heap->at + i) % ADI_DSP_PAGES;
        if (page == 0) run = 0;
        run = heap->owner[page] == 0 ? run + 1 : 0;
        *first = page + 1 - run;
        if (run == n) return 0;
    }
    return ADI_DSP_ENOMEM;
}

static int allocate(struct adi_dsp_heap *heap, uint32_t bytes, uint32_t *address) {
    uint32_t first, n = pages_of(bytes);
    if (n == 0 || n > ADI_DSP_PAGES || find(heap, n, &first) != 0) return ADI_DSP_ENOMEM;
    for (uint32_t page = first; page < first + n; page++) {
        if (!heap->used[page]) poison(heap, page);
        heap->used[page] = 1;
        heap->owner[page] = first + 1;
    }
    heap->bytes[first] = bytes;
    heap->at = (first + n) % ADI_DSP_PAGES;
    *address = heap->base + first * ADI_HEXAGON_PAGE;
    return 0;
}

static int give_back(struct adi_dsp_heap *heap, uint32_t address) {
    uint32_t first = (address - heap->base) / ADI_HEXAGON_PAGE;
    if (address % ADI_HEXAGON_PAGE != 0 || first >= ADI_DSP_PAGES ||
        heap->owner[first] != first + 1)
        return ADI_DSP_EINVAL;
    for (uint32_t page = first; page < first + pages_of(heap->bytes[first]); page++) {
        poison(heap, page);
        heap->owner[page] = 0;
    }
    return 0;
}

/* Where these bytes are, if they lie in one allocation; else 0. */
static unsigned char *find_bytes(const struct adi_dsp_heap *heap, uint32_t address,
                                 uint32_t bytes) {
    uint32_t at = address - heap->base, page = at / ADI_HEXAGON_PAGE;
    if (page >= ADI_DSP_PAGES || heap->owner[page] == 0) return 0;
    uint32_t first = heap->owner[page] - 1, before = at - first * ADI_HEXAGON_PAGE;
    if (before > heap->bytes[first] || bytes > heap->bytes[first] - before) return 0;
    return heap->memory + at;
}

static int copy(const struct adi_dsp_heap *heap, uint32_t to, uint32_t from, uint32_t bytes) {
    unsigned char *out = find_bytes(heap, to, bytes);
    const unsigned char *in = find_bytes(heap, from, bytes);
    if (out == 0 || in == 0) return ADI_DSP_EFAULT;
    if (to - from < bytes || from - to < bytes) return ADI_DSP_EINVAL;
    uint32_t done = 0;
    if (to % sizeof(uint64_t) == 0 && from % sizeof(uint64_t) == 0)
        for (; done + sizeof(uint64_t) <= bytes; done += (uint32_t)sizeof(uint64_t))
            *(uint64_t *)(void *)(out + done) = *(const uint64_t *)(const void *)(in + done);
    for (; done < bytes; done++) out[done] = in[done];
    return 0;
}

/* Of eight bytes at a time, in four lanes of 16 bits, which hold 128 times two of them. */
static uint64_t sum_words(const uint64_t *words, uint32_t n) {
    uint64_t sum = 0;
    while (n > 0) {
        uint64_t lanes = 0;
        for (uint32_t i = 0; i < 128 && n > 0; i++, n--, words++)
            lanes += (*words & LANES) + ((*words >> 8) & LANES);
        for (; lanes != 0; lanes >>= 16) sum += lanes & 0xffff;
    }
    return sum;
}

static int sum_bytes(const struct adi_dsp_heap *heap, uint32_t address, uint32_t bytes,
                     uint64_t *sum) {
    const unsigned char *at = find_bytes(heap, address, bytes);
    if (at == 0) return ADI_DSP_EFAULT;
    for (*sum = 0; bytes > 0 && address % sizeof(uint64_t) != 0; address++, bytes--) *sum += *at++;
    *sum += sum_words((const uint64_t *)(const void *)at, bytes / (uint32_t)sizeof(uint64_t));
    for (uint32_t i = bytes - bytes % (uint32_t)sizeof(uint64_t); i < bytes; i++) *sum += at[i];
    return 0;
}

static int transfer(const struct adi_dsp_heap *heap, const struct adi_dsp_request *request) {
    unsigned char *at = find_bytes(heap, request->address, request->bytes);
    if (at == 0) return ADI_DSP_EFAULT;
    if (request->at > ADI_DSP_WINDOW || request->bytes > ADI_DSP_WINDOW - request->at)
        return ADI_DSP_EINVAL;
    return request->command == ADI_DSP_IN ? heap->in(at, request->at, request->bytes)
                                          : heap->out(at, request->at, request->bytes);
}

void adi_dsp_serve(struct adi_dsp_heap *heap, const struct adi_dsp_request *request,
                   struct adi_dsp_reply *reply) {
    reply->code = ADI_DSP_EINVAL;
    reply->address = 0;
    reply->sum = 0;
    switch (request->command) {
    case ADI_DSP_ALLOC:
        reply->code = allocate(heap, request->bytes, &reply->address);
        break;
    case ADI_DSP_FREE:
        reply->code = give_back(heap, request->address);
        break;
    case ADI_DSP_IN:
    case ADI_DSP_OUT:
        reply->code = transfer(heap, request);
        break;
    case ADI_DSP_COPY:
        reply->code = copy(heap, request->address, request->at, request->bytes);
        break;
    case ADI_DSP_SUM:
        reply->code = sum_bytes(heap, request->address, request->bytes, &reply->sum);
        break;
    default:
        break;
    }
}
