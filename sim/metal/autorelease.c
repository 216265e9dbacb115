/* SPDX-License-Identifier: Apache-2.0
 *
 * Autorelease pools. What is given to a thread that has none stays until the thread ends.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "metal_classes.h"

#define FEW 16

struct later {
    struct metal_object *object;
    unsigned party;
};

/* Of one thread; a pool is the number of those that were there before it. */
struct stack {
    struct later few[FEW], *items; /* items: few, or on the heap */
    size_t n, capacity;            /* 0: nothing is known of the thread's end yet */
};

static _Thread_local struct stack of_thread;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void drop_down_to(struct stack *stack, size_t n) {
    while (stack->n > n) {
        const struct later *last = &stack->items[--stack->n];
        metal_drop(last->object, last->party);
    }
    if (stack->n > 0 || stack->items == stack->few) return;
    free(stack->items);
    stack->items = stack->few;
    stack->capacity = FEW;
}

static void end_of_thread(void *stack_at) {
    struct stack *stack = stack_at;
    if (metal_begin_surely("end of a thread")) {
        drop_down_to(stack, 0);
        metal_end();
    }
    stack->capacity = 0;
}

static void make_key(void) {
    pthread_key_create(&key, end_of_thread);
}

/* The key is for the end of the thread. */
static struct stack *stack_of_thread(void) {
    pthread_once(&once, make_key);
    if (of_thread.capacity > 0) return &of_thread;
    pthread_setspecific(key, &of_thread);
    of_thread.items = of_thread.few;
    of_thread.capacity = FEW;
    return &of_thread;
}

static bool grow(struct stack *stack) {
    bool was_few = stack->items == stack->few;
    struct later *grown =
        realloc(was_few ? NULL : stack->items, 2 * stack->capacity * sizeof *grown);
    if (grown == NULL) return false;
    if (was_few) memcpy(grown, stack->few, sizeof stack->few);
    stack->items = grown;
    stack->capacity *= 2;
    return true;
}

id metal_autorelease(struct metal_object *object) {
    struct stack *stack = stack_of_thread();
    if (stack->n < stack->capacity || grow(stack))
        stack->items[stack->n++] = (struct later){object, metal_party()};
    return object;
}

/* As the runtime of Apple has them; that of GNU has none. */
ADI_SIM_PUBLIC void *objc_autoreleasePoolPush(void);
ADI_SIM_PUBLIC void objc_autoreleasePoolPop(void *pool);

void *objc_autoreleasePoolPush(void) {
    const struct stack *stack = stack_of_thread();
    return (void *)(uintptr_t)(stack->n + 1);
}

void objc_autoreleasePoolPop(void *pool) {
    struct stack *stack = stack_of_thread();
    size_t n = (uintptr_t)pool - 1;
    if (pool == NULL || stack->n <= n) return;
    if (!metal_begin_surely("objc_autoreleasePoolPop")) return;
    drop_down_to(stack, n);
    metal_end();
}
