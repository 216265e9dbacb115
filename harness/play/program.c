/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const struct {
    char letter;
    int most;
    const char *what;
} operands[] = {
    {'S', ADI_PROGRAM_SLOTS - 1, "a slot from 0 to 3"},
    {'T', ADI_PROGRAM_SLOTS - 1, "a slot from 0 to 3"},
    {'C', ADI_PROGRAM_CHILDREN - 1, "a child from 0 to 3"},
};

#define DIGIT      255 /* the values of a byte, but for 0 */
#define WORDS_MOST 1024

static int *operand(struct adi_step *step, char letter) {
    return letter == 'S' ? &step->slot : letter == 'C' ? &step->child : &step->to;
}

bool adi_step_has(const struct adi_step *step, char letter) {
    return strchr(adi_life_pattern(step->operation), letter) != NULL;
}

/* ---- all words ---- */

static struct adi_step words[WORDS_MOST];
static size_t n_words;
static pthread_once_t listed = PTHREAD_ONCE_INIT;

/* The largest value of an operand; 0 where the operation does not have it. */
static int most(const char *pattern, char letter) {
    if (letter == 'S' && *pattern == '+') return 1;
    for (size_t i = 0; i < sizeof operands / sizeof operands[0]; i++)
        if (operands[i].letter == letter && strchr(pattern, letter) != NULL)
            return operands[i].most;
    return 0;
}

static void list_words_of(enum adi_life_operation operation) {
    const char *pattern = adi_life_pattern(operation);
    for (int to = 0; to <= most(pattern, 'T'); to++)
        for (int child = 0; child <= most(pattern, 'C'); child++)
            for (int slot = 0; slot <= most(pattern, 'S'); slot++) {
                assert(n_words < WORDS_MOST);
                words[n_words++] = (struct adi_step){operation, slot, child, to};
            }
}

/* Those of the kinds, and then those that all kinds share. */
static void list_words(void) {
    for (int shared = 0; shared < 2; shared++)
        for (enum adi_life_operation o = 0; o < ADI_LIFE_OPERATIONS; o++)
            if (adi_life_letter(o) != 0 &&
                (adi_life_kind_of_operation(o) == ADI_LIFE_place) == shared)
                list_words_of(o);
}

size_t adi_step_count(void) {
    pthread_once(&listed, list_words);
    return n_words;
}

struct adi_step adi_step_at(size_t index) {
    assert(index < adi_step_count());
    return words[index];
}

/* The inverse of adi_step_at. */
static size_t index_of(const struct adi_step *step) {
    size_t index = 0;
    while (index < adi_step_count() && memcmp(&words[index], step, sizeof *step) != 0) index++;
    assert(index < n_words);
    return index;
}

void adi_program_of_bytes(const uint8_t *bytes, size_t n, struct adi_program *out) {
    size_t count = adi_step_count(), whole = n / ADI_WORD_BYTES;
    out->n = whole < ADI_PROGRAM_STEPS ? whole : ADI_PROGRAM_STEPS;
    for (size_t i = 0; i < out->n; i++, bytes += ADI_WORD_BYTES)
        out->steps[i] = words[(bytes[0] | (size_t)bytes[1] << 8) % count];
}

size_t adi_program_bytes(const struct adi_program *program, uint8_t out[ADI_PROGRAM_BYTES]) {
    for (size_t i = 0; i < program->n; i++) {
        size_t index = index_of(&program->steps[i]);
        *out++ = (uint8_t)(index & 0xff);
        *out++ = (uint8_t)(index >> 8);
    }
    return ADI_WORD_BYTES * program->n;
}

void adi_program_pack(const struct adi_program *program, char out[ADI_PROGRAM_PACKED]) {
    for (size_t i = 0; i < program->n; i++) {
        size_t index = index_of(&program->steps[i]);
        *out++ = (char)(1 + index % DIGIT);
        *out++ = (char)(1 + index / DIGIT);
    }
    *out = '\0';
}

void adi_program_unpack(const char *packed, struct adi_program *out) {
    size_t n = strnlen(packed, ADI_PROGRAM_BYTES);
    const uint8_t *digits = (const uint8_t *)packed;
    out->n = 0;
    for (size_t i = 0; i + 1 < n; i += ADI_WORD_BYTES) {
        size_t index = digits[i] - 1u + DIGIT * (digits[i + 1] - 1u);
        out->steps[out->n++] = adi_step_at(index % adi_step_count());
    }
}

/* ---- text ---- */

static int wanted(struct adi_error *error, const char *text, const char *at, const char *what) {
    char seen[16];
    if (*at == '\0')
        snprintf(seen, sizeof seen, "its end");
    else if (isprint((unsigned char)*at))
        snprintf(seen, sizeof seen, "'%c'", *at);
    else
        snprintf(seen, sizeof seen, "'\\x%02x'", (unsigned)(unsigned char)*at);
    return adi_error_set(error, EINVAL, "character %td is %s, wanted %s", at - text + 1, seen,
                         what);
}

/* Takes what one letter of a pattern stands for. */
static int take(const char *text, const char *at, char pattern, struct adi_step *step,
                struct adi_error *error) {
    for (size_t i = 0; i < sizeof operands / sizeof operands[0]; i++) {
        if (operands[i].letter != pattern) continue;
        if (*at < '0' || *at > '0' + operands[i].most)
            return wanted(error, text, at, operands[i].what);
        *operand(step, pattern) = *at - '0';
        return 0;
    }
    if (pattern == '+') {
        if (*at != '+' && *at != '-') return wanted(error, text, at, "+ or -");
        step->slot = *at == '+';
        return 0;
    }
    char what[] = {'\'', pattern, '\'', '\0'};
    return *at == pattern ? 0 : wanted(error, text, at, what);
}

/* The prefix of the operation's kind and its letter: "e", "sn". */
static void name_of(enum adi_life_operation operation, char name[4]) {
    snprintf(name, 4, "%s%c", adi_life_prefix(adi_life_kind_of_operation(operation)),
             adi_life_letter(operation));
}

static int unknown_word(const char *text, const char *at, struct adi_error *error) {
    char what[256] = "an operation: one of", name[4];
    for (enum adi_life_operation o = 0; o < ADI_LIFE_OPERATIONS; o++) {
        size_t used = strlen(what);
        if (adi_life_letter(o) == 0) continue;
        name_of(o, name);
        snprintf(what + used, sizeof what - used, " %s", name);
    }
    return wanted(error, text, at, what);
}

static int parse_word(const char *text, const char **at, struct adi_step *step,
                      struct adi_error *error) {
    char name[4] = "";
    enum adi_life_operation o = 0;
    for (; o < ADI_LIFE_OPERATIONS; o++) {
        name_of(o, name);
        if (adi_life_letter(o) != 0 && strncmp(*at, name, strlen(name)) == 0) break;
    }
    if (o == ADI_LIFE_OPERATIONS) return unknown_word(text, *at, error);
    *step = (struct adi_step){.operation = o};
    *at += strlen(name);
    for (const char *pattern = adi_life_pattern(o); *pattern != '\0'; pattern++, (*at)++)
        ADI_TRY(take(text, *at, *pattern, step, error));
    if (**at != '\0' && **at != ' ') return wanted(error, text, *at, "a blank behind the word");
    return 0;
}

int adi_program_parse(const char *text, struct adi_program *out, struct adi_error *error) {
    out->n = 0;
    for (const char *at = text;;) {
        at += strspn(at, " ");
        if (*at == '\0') break;
        if (out->n == ADI_PROGRAM_STEPS)
            return adi_error_set(error, EINVAL, "character %td begins word %d, and %d are the most",
                                 at - text + 1, ADI_PROGRAM_STEPS + 1, ADI_PROGRAM_STEPS);
        ADI_TRY(parse_word(text, &at, &out->steps[out->n], error));
        out->n++;
    }
    if (out->n == 0) return wanted(error, text, text + strlen(text), "an operation, such as e0");
    return 0;
}

const char *adi_step_text(const struct adi_step *step, char text[ADI_STEP_TEXT]) {
    struct adi_step copy = *step;
    name_of(step->operation, text);
    char *to = text + strlen(text);
    for (const char *at = adi_life_pattern(step->operation); *at != '\0'; at++) {
        if (*at == '+')
            *to++ = step->slot ? '+' : '-';
        else if (isupper((unsigned char)*at))
            *to++ = (char)('0' + *operand(&copy, *at));
        else
            *to++ = *at;
    }
    *to = '\0';
    return text;
}

const char *adi_program_text(const struct adi_program *program, char *text, size_t size) {
    char word[ADI_STEP_TEXT];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < program->n && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? " " : "",
                                 adi_step_text(&program->steps[i], word));
    return text;
}
