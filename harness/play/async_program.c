/* SPDX-License-Identifier: Apache-2.0 */
#include "async_program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Up to six operations, of which no two programs differ only by what cannot be seen. */
static const char *const programs[] = {
    "r|",    "c|",     "r|c",    "R|c",    "r|r",    "rx|",     "rc|",     "rx|c",    "rr|x",
    "rc|r",  "rx|r",   "rx|x",   "rxc|r",  "rr|cc",  "Rxx|",    "rxrx|",   "rxrx|c",  "rxr|xc",
    "Rx|xc", "rrx|rc", "rxcx|r", "rrr|xx", "rrxx|c", "rxrxrx|", "rxrx|rc", "rrx|xcr",
};

const char *adi_async_program_at(size_t i) {
    return i < sizeof programs / sizeof *programs ? programs[i] : NULL;
}

static size_t take_operations(const char **at, char out[ADI_ASYNC_OPERATIONS + 1]) {
    size_t n = strspn(*at, "rRxc");
    if (n > ADI_ASYNC_OPERATIONS) return n;
    memcpy(out, *at, n);
    out[n] = '\0';
    *at += n;
    return n;
}

int adi_async_program_read(const char *text, struct adi_async_program *out) {
    int taken = 0;
    memset(out, 0, sizeof *out);
    size_t n = take_operations(&text, out->first);
    if (*text != '|') return EINVAL;
    text++;
    n += take_operations(&text, out->second);
    if (n == 0 || n > ADI_ASYNC_OPERATIONS) return EINVAL;
    if (sscanf(text, " ~%" SCNu64 "%n", &out->plan.random, &taken) == 1)
        return text[taken] == '\0' && out->plan.random != 0 ? 0 : EINVAL;
    for (int i = 0; i < ADI_TURNS_MOST && *text != '\0'; i++) {
        struct adi_preemption *next = &out->plan.preemptions[i];
        if (sscanf(text, " %d>%d%n", &next->at, &next->actor, &taken) != 2 || next->at < 1 ||
            next->actor < 0 || next->actor >= ADI_TURNS_ACTORS)
            return EINVAL;
        text += taken;
    }
    return *text == '\0' ? 0 : EINVAL;
}

const char *adi_async_program_write(const struct adi_async_program *program,
                                    char text[ADI_ASYNC_PROGRAM]) {
    const struct adi_turns_plan *plan = &program->plan;
    int n = snprintf(text, ADI_ASYNC_PROGRAM, "%s|%s", program->first, program->second);
    if (plan->random != 0)
        snprintf(text + n, (size_t)(ADI_ASYNC_PROGRAM - n), " ~%" PRIu64, plan->random);
    for (int i = 0; i < ADI_TURNS_MOST && plan->random == 0; i++)
        if (plan->preemptions[i].at > 0)
            n += snprintf(text + n, (size_t)(ADI_ASYNC_PROGRAM - n), " %d>%d",
                          plan->preemptions[i].at, plan->preemptions[i].actor);
    return text;
}
