/* SPDX-License-Identifier: Apache-2.0 */
#include "nearest.h"

#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "case.h"
#include "device_types.h"
#include "rule.h"

#define MOST      160 /* characters of a name that count */
#define FARTHER   2   /* than the nearest, and still suggested */
#define BEGINNING 3   /* characters that tell what is meant */

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* The table of Wagner and Fischer of a glob and a text, of which three columns are kept:
 * column[j % 3][i] is the distance of glob[0..i] to text[0..j]. */
typedef uint16_t columns[3][MOST + 1];

static size_t cell(columns column, const char *glob, const char *text, size_t j, size_t i) {
    bool any = i > 0 && glob[i - 1] == '*';
    const uint16_t *now = column[j % 3], *before = column[(j + 2) % 3];
    if (i == 0) return j;
    if (j == 0) return now[i - 1] + (size_t)!any;
    if (any) return least(now[i - 1], before[i]);
    bool same = glob[i - 1] == '?' || glob[i - 1] == text[j - 1];
    size_t distance = least(before[i - 1] + (size_t)!same, least(before[i], now[i - 1]) + 1u);
    if (i > 1 && j > 1 && glob[i - 1] == text[j - 2] && glob[i - 2] == text[j - 1])
        distance = least(distance, column[(j + 1) % 3][i - 2] + 1u);
    return distance;
}

/* SIZE_MAX: it is not below `limit`. From a column on it does not get less; a swap leaves one out.
 */
static size_t distance_below(const char *glob, const char *text, size_t limit) {
    size_t m = least(strlen(glob), MOST), n = least(strlen(text), MOST), before = 0;
    columns column;
    for (size_t j = 0; j <= n; j++) {
        size_t smallest = MOST;
        for (size_t i = 0; i <= m; i++) {
            column[j % 3][i] = (uint16_t)cell(column, glob, text, j, i);
            smallest = least(smallest, column[j % 3][i]);
        }
        if (before >= limit && smallest >= limit) return SIZE_MAX;
        before = smallest;
    }
    return column[n % 3][m] < limit ? column[n % 3][m] : SIZE_MAX;
}

size_t adi_edit_distance(const char *glob, const char *text) {
    return distance_below(glob, text, SIZE_MAX);
}

/* Who types a beginning means what begins so, however much is left to type. */
static size_t distance_of(const char *word, const char *name, size_t limit) {
    size_t length = strlen(word);
    bool begins = length >= BEGINNING && strncmp(word, name, length) == 0 && name[length] != '\0';
    return begins && limit > 1 ? 1 : distance_below(word, name, limit);
}

size_t adi_nearest(const char *word, adi_name_at *names, const char *out[ADI_NEAREST]) {
    size_t distances[ADI_NEAREST] = {0}, found = 0, limit = SIZE_MAX;
    const char *name;
    for (size_t i = 0; (name = names(i)) != NULL; i++) {
        size_t distance = distance_of(word, name, limit), at = found;
        if (distance == SIZE_MAX) continue;
        while (at > 0 && distance < distances[at - 1]) at--;
        size_t last = found < ADI_NEAREST ? found++ : ADI_NEAREST - 1;
        memmove(&out[at + 1], &out[at], (last - at) * sizeof *out);
        memmove(&distances[at + 1], &distances[at], (last - at) * sizeof *distances);
        out[at] = name;
        distances[at] = distance;
        limit = distances[0] + FARTHER + 1;
        if (found == ADI_NEAREST) limit = least(limit, distances[ADI_NEAREST - 1]);
    }
    while (found > 1 && distances[found - 1] > distances[0] + FARTHER) found--;
    return found;
}

void adi_nearest_text(const char *word, adi_name_at *names, struct adi_error *out) {
    const char *near[ADI_NEAREST];
    size_t n = adi_nearest(word, names, near);
    size_t at = 0;
    out->text[0] = '\0';
    for (size_t i = 0; i < n && at < sizeof out->text; i++)
        at += (size_t)snprintf(out->text + at, sizeof out->text - at, "%s%s",
                               i == 0 ? "; nearest: " : ", ", near[i]);
}

bool adi_glob_matches(const char *glob, const char *name) {
    return glob == NULL || fnmatch(glob, name, FNM_EXTMATCH) == 0;
}

bool adi_glob_matches_device(const char *glob, const char *device) {
    if (adi_glob_matches(glob, device)) return true;
    char type[64];
    size_t length = strcspn(device, ":");
    if (length >= sizeof type) return false;
    memcpy(type, device, length);
    type[length] = '\0';
    return adi_glob_matches(glob, type);
}

bool adi_glob_may_match_type(const char *glob, const char *type) {
    char pattern[64];
    if (glob == NULL) return true;
    size_t length = strcspn(glob, ":");
    /* One that names ids within brackets is not taken apart. */
    if (length >= sizeof pattern || strpbrk(glob + length, ")|]") != NULL) return true;
    memcpy(pattern, glob, length);
    pattern[length] = '\0';
    return adi_glob_matches(pattern, type);
}

bool adi_glob_matches_any(const char *glob, adi_name_at *names) {
    const char *name;
    for (size_t i = 0; (name = names(i)) != NULL; i++)
        if (adi_glob_matches(glob, name)) return true;
    return false;
}

const char *adi_rule_id_at(size_t index) {
    const struct adi_rule *rule = adi_rule(index);
    return rule == NULL ? NULL : rule->id;
}

const char *adi_case_name_at(size_t index) {
    const struct adi_case *a_case = adi_case(index);
    return a_case == NULL ? NULL : a_case->name;
}

const char *adi_device_type_name_at(size_t index) {
    const struct adi_device_type *type = adi_device_type_at(index);
    return type == NULL ? NULL : type->name;
}
