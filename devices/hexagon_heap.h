/* SPDX-License-Identifier: Apache-2.0
 *
 * What a DSP does on request: it owns a heap, copies and sums. Freestanding C that is compiled
 * twice, for Hexagon (devices/hexagon/dsp.c) and for the host, where it stands in for a DSP that
 * cannot be run. All numbers are little-endian.
 *
 * A program that speaks this may be run in the place of ours (ADI_HEXAGON=PATH): requests come in
 * on its file descriptor 0, one reply to each goes out on 1, and 3 is the shared file.
 */
#ifndef ADI_HEXAGON_HEAP_H
#define ADI_HEXAGON_HEAP_H

#include <stdint.h>

#include "hexagon_driver.h"

#define ADI_DSP_WINDOW  UINT32_C(0x100000) /* bytes of the shared file */
#define ADI_DSP_VERSION 1
#define ADI_DSP_PAGES   (ADI_HEXAGON_BYTES / ADI_HEXAGON_PAGE)

enum adi_dsp_command {
    ADI_DSP_START = 1, /* your memory is `bytes` from `address` on; `at`: end with that request,
                          counted from this one; 0: with none. `sum` of the reply is the version */
    ADI_DSP_ALLOC,     /* `bytes`; the reply has the address */
    ADI_DSP_FREE,      /* what begins at `address` */
    ADI_DSP_IN,        /* copy `bytes` from `at` of the shared file to `address` */
    ADI_DSP_OUT,       /* the other way round */
    ADI_DSP_COPY,      /* copy `bytes` from the address `at` to `address`; they do not overlap */
    ADI_DSP_SUM,       /* of `bytes` bytes from `address` on */
};

struct adi_dsp_request {
    uint32_t command, address, bytes, at;
};

/* Errno values of Linux: there is no header of them on a DSP. */
enum adi_dsp_code {
    ADI_DSP_EIO = 5,
    ADI_DSP_ENOMEM = 12,
    ADI_DSP_EFAULT = 14,
    ADI_DSP_EINVAL = 22,
};

struct adi_dsp_reply {
    int32_t code; /* 0, or one of them */
    uint32_t address;
    uint64_t sum;
};

struct adi_dsp_heap {
    unsigned char *memory; /* where `base` can be reached */
    uint32_t base;
    uint32_t at;                   /* the page where the search for room goes on */
    uint32_t owner[ADI_DSP_PAGES]; /* of each page: the first of its allocation, from 1 */
    uint32_t bytes[ADI_DSP_PAGES]; /* of the allocation that begins there */
    uint8_t used[ADI_DSP_PAGES];   /* it was allocated once, and is poison when it is free */
    /* Copies between the shared file and memory. 0 or an adi_dsp_code. */
    int (*in)(void *to, uint32_t at, uint32_t bytes);
    int (*out)(const void *from, uint32_t at, uint32_t bytes);
};

/* Does what is requested, but for ADI_DSP_START. */
void adi_dsp_serve(struct adi_dsp_heap *heap, const struct adi_dsp_request *request,
                   struct adi_dsp_reply *reply);

#endif /* ADI_HEXAGON_HEAP_H */
