/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls with garbage in them: every function of an interface, given by its name, its address and
 * the text of its parameters, with what is odd in each argument in turn and what is right in the
 * others; or with anything, in any order. What an argument is, its type and its name say. Belongs
 * to no test library: programs that are linked with an interface have it, too.
 */
#ifndef TESTS_SIM_GARBAGE_H
#define TESTS_SIM_GARBAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GARBAGE_ARGUMENTS 11 /* a structure is none of them */

struct garbage_function {
    const char *name;
    void (*call)(void);
    const char *parameters; /* "(CUevent *event, unsigned flags)" */
};

enum {
    GARBAGE_NEVER, /* a kind that is not varied; others are the interface's own */
    GARBAGE_FEW,   /* 0 or 1 where anything is tried: a bool, or a count of what is pointed to */
};

struct garbage_parameter {
    const char *text; /* the first row whose text is in the parameter's text counts */
    int kind;
    uintptr_t (*right)(void);
};

/* An interface. The rows of parameters end with one whose text is "". */
struct garbage {
    const struct garbage_function *functions;
    size_t n;
    const struct garbage_parameter *parameters;
    /* What is tried, and whether that is odd for the parameter. */
    const uintptr_t *odd;
    size_t n_odd;
    bool (*is_odd)(const struct garbage_parameter *parameter, uintptr_t value);
    bool (*is_the_answer)(const struct garbage_function *function,
                          const struct garbage_parameter *parameter, uintptr_t value, int code);
    /* (optional) A function whose arguments are no words, or that nothing odd can be given. */
    bool (*is_left_out)(const struct garbage_function *function);
    /* Something for a parameter where anything is tried; `which` is random. */
    uintptr_t (*anything)(const struct garbage_parameter *parameter, uint32_t which);
};

/* Calls all; says on standard error which answers were wrong. How many were; `calls` is how many
 * there were in all. */
size_t garbage_everywhere(const struct garbage *garbage, size_t *calls);

/* One call with what is right in each argument; what it answers. */
int garbage_call_rightly(const struct garbage *garbage, const struct garbage_function *function);

/* Handles and addresses that are none on any machine. */
#define GARBAGE_NUMBERS 8
extern const uintptr_t garbage_numbers[GARBAGE_NUMBERS];

/* Below `below`; the state is the caller's. */
uint32_t garbage_draw(uint64_t *state, uint32_t below);
/* One call of any function with anything; what it answers is nobody's to say. */
void garbage_call_anything(const struct garbage *garbage, uint64_t *state);

#endif /* TESTS_SIM_GARBAGE_H */
