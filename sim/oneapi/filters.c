/* SPDX-License-Identifier: Apache-2.0
 *
 * Selectors by words: "gpu", "level_zero:gpu:1", "cpu,gpu:0".
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "oneapi.h"

struct word {
    const char *text;
    bool is_ours;
};

static const struct word backends[] = {{"level_zero", true},  {"*", true},    {"opencl", false},
                                       {"cuda", false},       {"hip", false}, {"host", false},
                                       {"native_cpu", false}, {NULL, false}},
                         types[] = {{"gpu", true},          {"*", true},
                                    {"cpu", false},         {"acc", false},
                                    {"accelerator", false}, {"fpga", false},
                                    {NULL, false}};

static const struct word *find(const struct word *words, const char *text, size_t n) {
    while (words->text != NULL &&
           (strlen(words->text) != n || strncasecmp(words->text, text, n) != 0))
        words++;
    return words->text == NULL ? NULL : words;
}

/* A filter, up to its comma or its end. */
struct filter {
    enum {
        NOTHING,
        BACKEND,
        TYPE,
        NUMBER
    } so_far;
    bool is_ours, is_one; /* is_one: it is one at all */
    size_t number;
};

static void take(struct filter *filter, const char *text, size_t n) {
    const struct word *backend = filter->so_far < BACKEND ? find(backends, text, n) : NULL;
    const struct word *type =
        backend == NULL && filter->so_far < TYPE ? find(types, text, n) : NULL;
    const struct word *word = backend != NULL ? backend : type;
    if (word != NULL) {
        filter->so_far = backend != NULL ? BACKEND : TYPE;
        filter->is_ours = filter->is_ours && word->is_ours;
    } else if (filter->so_far < NUMBER && n > 0 && strspn(text, "0123456789") >= n) {
        filter->so_far = NUMBER;
        filter->number = strtoul(text, NULL, 10);
    } else {
        filter->is_one = false;
    }
}

void *oneapi_filter(const char *text) {
    int device = ADI_SIM_DEVICES;
    bool all = text != NULL;
    for (const char *at = text; all; at++) {
        struct filter filter = {.is_ours = true, .is_one = true};
        for (;; at++) {
            size_t n = strcspn(at, ":,");
            take(&filter, at, n);
            at += n;
            if (*at != ':') break;
        }
        all = filter.is_one;
        if (filter.is_ours && filter.number < (size_t)device) device = (int)filter.number;
        if (*at == '\0') break;
    }
    if (!all) {
        adi_sim_remark("filter", "what is given for a filter is none: backend:type:number");
        return NULL;
    }
    bool found = device < ADI_SIM_DEVICES;
    return oneapi_make(
        (struct oneapi_object){.kind = ONEAPI_SELECTOR, .device = found ? device : -1});
}
