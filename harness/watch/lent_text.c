/* SPDX-License-Identifier: Apache-2.0 */
#include "lent_text.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "finding.h"
#include "safe_read.h"

/* A sanitizer, which an adapter may bring, keeps freed memory as it was, and knows that it is. */
extern int __asan_address_is_poisoned(const volatile void *address) __attribute__((weak));

static bool is_poisoned(const char *text) {
    return __asan_address_is_poisoned != NULL && __asan_address_is_poisoned(text) != 0;
}

/* What malloc hands out anew was free: it asks for some blocks of each size that a text has. */
static bool is_handed_out_anew(const char *text) {
    enum {
        STEP = 16,
        SIZES = 64,
        EACH = 3
    };
    char *blocks[SIZES * EACH];
    bool is_free = false;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        size_t bytes = STEP * (1 + i / EACH);
        blocks[i] = malloc(bytes);
        is_free = is_free || (blocks[i] != NULL && text >= blocks[i] && text < blocks[i] + bytes);
    }
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    return is_free;
}

bool adi_lent_text_is_freed(const char *text) {
    return is_poisoned(text) || is_handed_out_anew(text);
}

bool adi_lent_text_is_below(const char *text, const void *frame) {
    pthread_attr_t attributes;
    void *low = NULL;
    size_t bytes = 0;
    if (text >= (const char *)frame || pthread_getattr_np(pthread_self(), &attributes) != 0)
        return false;
    int code = pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_destroy(&attributes);
    /* A callback may run on a stack of somebody's own. */
    return code == 0 && text >= (char *)low && (const char *)frame < (char *)low + bytes;
}

/* What wrote where the text was has it in its hands by now. */
static void reuse_memory(const char *copy) {
    enum {
        BLOCKS = 16,
        FEW = 4,
        LONG = 1 << 16
    };
    void *volatile blocks[BLOCKS];
    size_t length = strlen(copy), n = length < LONG ? BLOCKS : FEW;
    for (size_t i = 0; i < n; i++) {
        size_t bytes = length + 1 + i / 2 * 16; /* it may be a part of more */
        blocks[i] = malloc(bytes);
        if (blocks[i] != NULL) memset(blocks[i], ADI_POISON_BYTE, bytes);
    }
    for (size_t i = 0; i < n; i++) free(blocks[i]);
}

const char *adi_lent_text_changed(const char *text, const char *copy, size_t most) {
    char *again = NULL;
    reuse_memory(copy);
    int code = adi_safe_reader_string(NULL, text, most, &again);
    bool is_other = code == 0 && (is_poisoned(text) || strcmp(copy, again) != 0);
    free(again);
    return code == EFAULT ? "memory that cannot be read" : is_other ? "another text" : NULL;
}
