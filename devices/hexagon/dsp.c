/* SPDX-License-Identifier: Apache-2.0
 *
 * The program of the DSP, in Hexagon's own instructions: no library, and of an operating system six
 * calls. It ends when nobody can send requests any more.
 */
#include "hexagon_heap.h"

enum call {
    READ = 63,
    WRITE = 64,
    PREAD = 67,
    PWRITE = 68,
    EXIT_GROUP = 94,
    MMAP = 222,
};

enum file {
    REQUESTS = 0,
    REPLIES = 1,
    SHARED = 3,
};

#define EINTR     4
#define READWRITE 3    /* PROT_READ | PROT_WRITE */
#define AT_ONCE   0x32 /* MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS */

/* In bss: it has none of its memory yet when it starts. */
static struct adi_dsp_heap heap;

static int32_t call(enum call number, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e,
                    uint32_t f) {
    register uint32_t r0 __asm__("r0") = a;
    register uint32_t r1 __asm__("r1") = b;
    register uint32_t r2 __asm__("r2") = c;
    register uint32_t r3 __asm__("r3") = d;
    register uint32_t r4 __asm__("r4") = e;
    register uint32_t r5 __asm__("r5") = f;
    register uint32_t r6 __asm__("r6") = number;
    __asm__ volatile("trap0(#1)"
                     : "+r"(r0)
                     : "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5), "r"(r6)
                     : "memory");
    return (int32_t)r0;
}

static uint32_t address_of(const void *pointer) {
    return (uint32_t)(uintptr_t)pointer;
}

__attribute__((noreturn)) static void end(uint32_t status) {
    for (;;) call(EXIT_GROUP, status, 0, 0, 0, 0, 0);
}

/* All of it, or this is the end. */
static void move_all(enum call number, enum file file, void *data, uint32_t bytes) {
    char *at = data;
    while (bytes > 0) {
        int32_t n = call(number, file, address_of(at), bytes, 0, 0, 0);
        if (n == -EINTR) continue;
        if (n <= 0) end(n != 0);
        at += n;
        bytes -= (uint32_t)n;
    }
}

/* The offset is of 64 bits, in an even pair of registers. */
static int move_shared(enum call number, uint32_t at, uint32_t in_file, uint32_t bytes) {
    while (bytes > 0) {
        int32_t n = call(number, SHARED, at, bytes, 0, in_file, 0);
        if (n == -EINTR) continue;
        if (n <= 0) return ADI_DSP_EIO;
        at += (uint32_t)n;
        in_file += (uint32_t)n;
        bytes -= (uint32_t)n;
    }
    return 0;
}

static int in(void *to, uint32_t at, uint32_t bytes) {
    return move_shared(PREAD, address_of(to), at, bytes);
}

static int out(const void *from, uint32_t at, uint32_t bytes) {
    return move_shared(PWRITE, address_of(from), at, bytes);
}

static void start(const struct adi_dsp_request *request, struct adi_dsp_reply *reply) {
    int32_t got = call(MMAP, request->address, request->bytes, READWRITE, AT_ONCE, (uint32_t)-1, 0);
    reply->code = (uint32_t)got == request->address && request->bytes == ADI_HEXAGON_BYTES
                      ? 0
                      : ADI_DSP_ENOMEM;
    reply->address = request->address;
    reply->sum = ADI_DSP_VERSION;
    heap.memory = (unsigned char *)(uintptr_t)request->address;
    heap.base = request->address;
    heap.in = in;
    heap.out = out;
}

/* Nothing has been called that could have used the stack, so it is aligned as the system left it.
 */
void _start(void);
void _start(void) {
    struct adi_dsp_request request;
    struct adi_dsp_reply reply;
    uint32_t last = 0;
    for (uint32_t n = 1;; n++) {
        move_all(READ, REQUESTS, &request, sizeof request);
        if (request.command == ADI_DSP_START) last = request.at;
        if (n == last) end(0);
        if (request.command == ADI_DSP_START)
            start(&request, &reply);
        else
            adi_dsp_serve(&heap, &request, &reply);
        move_all(WRITE, REPLIES, &reply, sizeof reply);
    }
}
