/* SPDX-License-Identifier: Apache-2.0 */
#include "failing.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
char *__real_strdup(const char *text);
int __real_posix_memalign(void **memory, size_t align, size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
char *__wrap_strdup(const char *text);
int __wrap_posix_memalign(void **memory, size_t align, size_t bytes);
void __wrap_free(void *memory);

static bool open;
static int fail_at;
static struct failing count;

void failing_open(void) {
    count = (struct failing){0};
    fail_at = 0;
    open = true;
}

void failing_at(int n) {
    count.calls = 0;
    fail_at = n;
}

struct failing failing_now(void) {
    return count;
}

struct failing failing_close(void) {
    open = false;
    return count;
}

static bool fails(void) {
    if (!open || ++count.calls != fail_at) return false;
    errno = ENOMEM;
    return count.has_failed = true;
}

static void *made(void *memory) {
    if (open && memory != NULL) count.live++;
    return memory;
}

void *__wrap_malloc(size_t bytes) {
    return fails() ? NULL : made(__real_malloc(bytes));
}

void *__wrap_calloc(size_t number, size_t bytes) {
    return fails() ? NULL : made(__real_calloc(number, bytes));
}

void *__wrap_realloc(void *memory, size_t bytes) {
    if (fails()) return NULL;
    return memory == NULL ? made(__real_realloc(memory, bytes)) : __real_realloc(memory, bytes);
}

char *__wrap_strdup(const char *text) {
    return fails() ? NULL : made(__real_strdup(text));
}

int __wrap_posix_memalign(void **memory, size_t align, size_t bytes) {
    if (fails()) return ENOMEM;
    int code = __real_posix_memalign(memory, align, bytes);
    if (code == 0) made(*memory);
    return code;
}

void __wrap_free(void *memory) {
    if (open && memory != NULL) count.live--;
    __real_free(memory);
}
