/* SPDX-License-Identifier: Apache-2.0
 *
 * Misuse of a CUDA driver (cuda_answers.def), for whichever driver it is: the simulated one or that
 * of a machine with a GPU.
 */
#ifndef TESTS_SIM_CUDA_MISUSE_H
#define TESTS_SIM_CUDA_MISUSE_H

#include <stdbool.h>

#include "cuda_abi.h"

/* The driver's functions; the caller fills them in. */
extern struct cuda_functions {
#define CALL(base, since, name, begin, parameters, ...)           CUresult(*name) parameters;
#define STREAM(base, since, name, suffix, begin, parameters, ...) CUresult(*name) parameters;
#define PLAIN(base, since, name, parameters, ...)                 CUresult(*name) parameters;
#define BY_NAME(base, since, name, begin, parameters, ...)
#define ALIAS(older, name)
#include "functions.def"
#undef CALL
#undef BY_NAME
#undef STREAM
#undef PLAIN
#undef ALIAS
} cu;

enum cuda_source {
    DOCUMENTED,
    USUAL,
    DISPUTED,
    OURS,
};

struct cuda_misuse {
    const char *name;
    CUresult (*play)(void); /* in a process of its own; its answer */
    CUresult answer;
    enum cuda_source source;
    const char *where;
};

extern const struct cuda_misuse cuda_misuses[];
extern const size_t cuda_n_misuses;

#endif /* TESTS_SIM_CUDA_MISUSE_H */
