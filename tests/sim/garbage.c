/* SPDX-License-Identifier: Apache-2.0 */
#include "garbage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*any)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                   uintptr_t, uintptr_t, uintptr_t, uintptr_t);

const uintptr_t garbage_numbers[GARBAGE_NUMBERS] = {
    3, 8, 64, 0xdeadbeef, (uintptr_t)1 << 47, UINTPTR_MAX / 2, UINTPTR_MAX - 7, UINTPTR_MAX,
};

static const struct garbage_parameter *parameter_of(const struct garbage *garbage,
                                                    const char *text) {
    const struct garbage_parameter *at = garbage->parameters;
    while (strstr(text, at->text) == NULL) at++;
    return at;
}

/* Takes the parameters of a function apart; how many there are. */
static size_t take_apart(const struct garbage *garbage, const struct garbage_function *function,
                         const struct garbage_parameter *found[GARBAGE_ARGUMENTS]) {
    char part[512], *at = part;
    size_t n = 0;
    snprintf(part, sizeof part, "%s", function->parameters + 1);
    if (strcmp(part, "void)") == 0) return 0;
    for (char *next; at != NULL; at = next) {
        if (n == GARBAGE_ARGUMENTS) abort();
        next = strchr(at, ',');
        if (next != NULL) *next++ = '\0';
        found[n++] = parameter_of(garbage, at);
    }
    return n;
}

static int call(const struct garbage_function *function, const uintptr_t with[GARBAGE_ARGUMENTS]) {
    return ((any)function->call)(with[0], with[1], with[2], with[3], with[4], with[5], with[6],
                                 with[7], with[8], with[9], with[10]);
}

int garbage_call_rightly(const struct garbage *garbage, const struct garbage_function *function) {
    const struct garbage_parameter *found[GARBAGE_ARGUMENTS];
    uintptr_t with[GARBAGE_ARGUMENTS] = {0};
    size_t n = take_apart(garbage, function, found);
    for (size_t i = 0; i < n; i++) with[i] = found[i]->right();
    return call(function, with);
}

static bool is_left_out(const struct garbage *garbage, const struct garbage_function *function) {
    return garbage->is_left_out != NULL && garbage->is_left_out(function);
}

/* ---- in each argument ---- */

static bool is_refused(const struct garbage *garbage, const struct garbage_function *function,
                       const struct garbage_parameter *const *found, size_t n, size_t which,
                       uintptr_t value) {
    uintptr_t with[GARBAGE_ARGUMENTS] = {0};
    for (size_t i = 0; i < n; i++) with[i] = i == which ? value : found[i]->right();
    int code = call(function, with);
    if (garbage->is_the_answer(function, found[which], value, code)) return true;
    fprintf(stderr, "%s%s with %#zx in number %zu: %d\n", function->name, function->parameters,
            (size_t)value, which + 1, code);
    return false;
}

static size_t call_with_all(const struct garbage *garbage, const struct garbage_function *function,
                            size_t *calls) {
    const struct garbage_parameter *found[GARBAGE_ARGUMENTS];
    size_t n = take_apart(garbage, function, found), wrong = 0;
    for (size_t which = 0; which < n; which++) {
        for (size_t i = 0; i < garbage->n_odd; i++) {
            if (!garbage->is_odd(found[which], garbage->odd[i])) continue;
            wrong += !is_refused(garbage, function, found, n, which, garbage->odd[i]);
            ++*calls;
        }
    }
    return wrong;
}

size_t garbage_everywhere(const struct garbage *garbage, size_t *calls) {
    size_t wrong = 0;
    *calls = 0;
    for (size_t i = 0; i < garbage->n; i++)
        if (!is_left_out(garbage, &garbage->functions[i]))
            wrong += call_with_all(garbage, &garbage->functions[i], calls);
    return wrong;
}

/* ---- anything in any order ---- */

uint32_t garbage_draw(uint64_t *state, uint32_t below) {
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(*state >> 33) % below;
}

static uintptr_t draw_value(const struct garbage *garbage,
                            const struct garbage_parameter *parameter, uint64_t *state) {
    uint32_t which = garbage_draw(state, 2);
    if (parameter->kind == GARBAGE_FEW) return which;
    if (which == 0) return parameter->right();
    return garbage->anything(parameter, garbage_draw(state, UINT32_MAX));
}

void garbage_call_anything(const struct garbage *garbage, uint64_t *state) {
    const struct garbage_parameter *found[GARBAGE_ARGUMENTS];
    uintptr_t with[GARBAGE_ARGUMENTS] = {0};
    const struct garbage_function *function =
        &garbage->functions[garbage_draw(state, (uint32_t)garbage->n)];
    if (is_left_out(garbage, function)) return;
    size_t n = take_apart(garbage, function, found);
    for (size_t i = 0; i < n; i++) with[i] = draw_value(garbage, found[i], state);
    call(function, with);
}
