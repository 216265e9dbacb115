/* SPDX-License-Identifier: Apache-2.0 */
#include "async_program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define LETTERS        "rRxc"
#define MOST_REQUESTED (ADI_ASYNC_BATCHES + 1)
#define MOST_CANCELS   2
#define POINTS_EACH    8 /* of an operation, about */

/* ---- as text ---- */

static int points_of(const struct adi_async_program *program) {
    return POINTS_EACH * (int)(strlen(program->first) + strlen(program->second) + 2);
}

static size_t take_operations(const char **at, char out[ADI_ASYNC_OPERATIONS + 1]) {
    size_t n = strspn(*at, LETTERS);
    if (n > ADI_ASYNC_OPERATIONS) return n;
    memcpy(out, *at, n);
    out[n] = '\0';
    *at += n;
    return n;
}

int adi_async_program_read(const char *text, struct adi_async_program *out) {
    memset(out, 0, sizeof *out);
    size_t n = take_operations(&text, out->first);
    if (*text != '|') return EINVAL;
    text++;
    n += take_operations(&text, out->second);
    if (n == 0 || n > ADI_ASYNC_OPERATIONS) return EINVAL;
    return adi_turns_plan_read(text, points_of(out), &out->plan);
}

const char *adi_async_program_write(const struct adi_async_program *program,
                                    char text[ADI_ASYNC_PROGRAM]) {
    char plan[ADI_TURNS_TEXT];
    snprintf(text, ADI_ASYNC_PROGRAM, "%s|%s%s", program->first, program->second,
             adi_turns_plan_write(&program->plan, plan));
    return text;
}

/* ---- a sample ---- */

static const char *const programs[] = {
    "r|",    "c|",     "r|c",    "R|c",    "r|r",    "rx|",     "rc|",     "rx|c",    "rr|x",
    "rc|r",  "rx|r",   "Rx|x",   "rxc|r",  "rr|cc",  "Rxx|",    "rxrx|",   "rxrx|c",  "rxr|xc",
    "Rx|xc", "rrx|rc", "rxcx|r", "rrr|xx", "rrxx|c", "rxrxcr|", "rxrx|rc", "rrx|xcr",
};

const char *adi_async_program_at(size_t i) {
    return i < sizeof programs / sizeof *programs ? programs[i] : NULL;
}

/* ---- all ---- */

struct state {
    const char *threads[2]; /* what is left */
    int requested, extracted;
    bool is_cancelled;
};

static bool ends(const struct state *from);

/* May this thread go on, and then all to their ends? */
static bool ends_with(struct state state, int thread) {
    char operation = *state.threads[thread]++;
    int there = state.requested < ADI_ASYNC_BATCHES ? state.requested : ADI_ASYNC_BATCHES;
    if (operation == '\0' || (operation == 'x' && there <= state.extracted)) return false;
    state.extracted += operation == 'x';
    state.is_cancelled = state.is_cancelled || operation == 'c';
    if (!state.is_cancelled) state.requested += operation == 'r' ? 1 : operation == 'R' ? 2 : 0;
    return ends(&state);
}

static bool ends(const struct state *from) {
    return (*from->threads[0] == '\0' && *from->threads[1] == '\0') || ends_with(*from, 0) ||
           ends_with(*from, 1);
}

static int count(const struct adi_async_program *program, char letter) {
    int n = 0;
    for (const char *at = program->first; *at != '\0'; at++) n += *at == letter;
    for (const char *at = program->second; *at != '\0'; at++) n += *at == letter;
    return n;
}

static bool is_one(const struct adi_async_program *program) {
    const struct state all = {{program->first, program->second}, 0, 0, false};
    size_t first = strlen(program->first), second = strlen(program->second);
    return (first > second || (first == second && strcmp(program->first, program->second) >= 0)) &&
           count(program, 'r') + 2 * count(program, 'R') <= MOST_REQUESTED &&
           count(program, 'c') <= MOST_CANCELS && ends(&all);
}

/* The next word of as many letters; false: back at the first one. */
static bool next_word(char *word) {
    for (size_t i = strlen(word); i > 0; i--) {
        const char *letter = strchr(LETTERS, word[i - 1]);
        bool is_last = letter[1] == '\0';
        word[i - 1] = is_last ? LETTERS[0] : letter[1];
        if (!is_last) return true;
    }
    return false;
}

static void fill(char *word, size_t n) {
    memset(word, LETTERS[0], n);
    word[n] = '\0';
}

/* All words of the same lengths, then one letter more on the second thread, then one in all. */
static bool next_of_all(struct adi_async_program *program) {
    size_t first = strlen(program->first), second = strlen(program->second);
    if (next_word(program->second) || next_word(program->first)) return true;
    bool is_longer = first <= second + 1;
    size_t n = first + second + is_longer;
    if (n > ADI_ASYNC_OPERATIONS) return false;
    fill(program->second, is_longer ? 0 : second + 1);
    fill(program->first, is_longer ? n : first - 1);
    return true;
}

bool adi_async_program_next(struct adi_async_program *program) {
    memset(&program->plan, 0, sizeof program->plan);
    do {
        if (!next_of_all(program)) return false;
    } while (!is_one(program));
    program->plan.points = points_of(program);
    return true;
}

bool adi_async_part_read(const char *wanted, struct adi_async_part *part) {
    int taken = 0;
    *part = (struct adi_async_part){1, 1};
    if (strcmp(wanted, "all") == 0) return true;
    return sscanf(wanted, "all %u/%u%n", &part->number, &part->of, &taken) == 2 &&
           wanted[taken] == '\0' && part->number >= 1 && part->number <= part->of;
}
