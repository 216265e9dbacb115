/* SPDX-License-Identifier: Apache-2.0 */
#include "nearest.h"

#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "case.h"
#include "device_types.h"
#include "rule.h"

#define MOST 160 /* characters of a name that count */

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* One line of the table of Wagner and Fischer: `now[j]` is the distance of glob[0..i] to
 * text[0..j]; `before` and `before2` are the lines above. */
static void fill_line(const char *glob, size_t i, const char *text, size_t n, const size_t *before2,
                      const size_t *before, size_t *now) {
    bool any = glob[i] == '*';
    now[0] = before[0] + !any;
    for (size_t j = 1; j <= n; j++) {
        if (any) {
            now[j] = least(before[j], now[j - 1]);
            continue;
        }
        bool same = glob[i] == '?' || glob[i] == text[j - 1];
        now[j] = least(before[j - 1] + !same, least(before[j], now[j - 1]) + 1);
        if (i > 0 && j > 1 && glob[i] == text[j - 2] && glob[i - 1] == text[j - 1])
            now[j] = least(now[j], before2[j - 2] + 1);
    }
}

size_t adi_edit_distance(const char *glob, const char *text) {
    size_t lines[3][MOST + 1];
    size_t m = least(strlen(glob), MOST), n = least(strlen(text), MOST);
    for (size_t j = 0; j <= n; j++) lines[0][j] = j;
    for (size_t i = 0; i < m; i++)
        fill_line(glob, i, text, n, lines[(i + 2) % 3], lines[i % 3], lines[(i + 1) % 3]);
    return lines[m % 3][n];
}

size_t adi_nearest(const char *word, adi_name_at *names, const char *out[ADI_NEAREST]) {
    size_t distances[ADI_NEAREST] = {0}, found = 0;
    const char *name;
    for (size_t i = 0; (name = names(i)) != NULL; i++) {
        size_t distance = adi_edit_distance(word, name), at = found;
        while (at > 0 && distance < distances[at - 1]) at--;
        if (at == ADI_NEAREST) continue;
        size_t last = found < ADI_NEAREST ? found++ : ADI_NEAREST - 1;
        memmove(&out[at + 1], &out[at], (last - at) * sizeof *out);
        memmove(&distances[at + 1], &distances[at], (last - at) * sizeof *distances);
        out[at] = name;
        distances[at] = distance;
    }
    while (found > 1 && distances[found - 1] > distances[0] + 2) found--;
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
