/* SPDX-License-Identifier: Apache-2.0
 *
 * Violations that differ in numbers alone (of calls, objects, bytes) are one cause that comes
 * again. The first ten are said in full, after that how many there have been, at each power of ten
 * and at the end: what is said depends on the order of calls and nothing else. Called from the
 * signal handler too: no allocation.
 */
#include <inttypes.h>
#include <stdatomic.h>

#include "engine.h"

#define GROUPS  1024 /* more are not kept apart: each of them is said */
#define IN_FULL 10

static struct group {
    uint64_t key, count, said;
    const char *violation;
    struct sim_site first;
    bool quiet; /* is not said on standard error */
} groups[GROUPS];
static size_t n_groups;
static atomic_size_t n_unsaid; /* groups with more than has been said */

/* FNV-1a. */
static void mix(uint64_t *key, unsigned char byte) {
    *key = (*key ^ byte) * 0x100000001B3U;
}

static bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

/* Of each number one digit counts, and it is 0. */
static void mix_text(uint64_t *key, const char *text) {
    for (const char *at = text; *at != '\0'; at++)
        if (!is_digit(*at))
            mix(key, (unsigned char)*at);
        else if (!is_digit(at[1]))
            mix(key, '0');
    mix(key, '\0');
}

static struct group *group_of(const char *violation, const char *text) {
    uint64_t key = 0xCBF29CE484222325U;
    mix_text(&key, violation);
    mix(&key, (unsigned char)sim.site.party);
    mix_text(&key, sim.site.name);
    mix_text(&key, sim.phase);
    mix_text(&key, text);
    for (size_t i = 0; i < n_groups; i++)
        if (groups[i].key == key) return &groups[i];
    if (n_groups == GROUPS) return NULL;
    groups[n_groups] = (struct group){.key = key, .violation = violation, .first = sim.site};
    return &groups[n_groups++];
}

static void say(struct group *group) {
    group->said = group->count;
    n_unsaid--;
    sim_log("\"merged\":\"%s\",\"first\":%" PRIu64 ",\"in\":\"%s\",\"count\":%" PRIu64
            ",\"call\":%" PRIu64,
            group->violation, group->first.call, group->first.name, group->count, sim.site.call);
    if (!group->quiet)
        sim_say("%s: %" PRIu64 " like that in %s (call %" PRIu64 ") by call %" PRIu64 "\n",
                group->violation, group->count, group->first.name, group->first.call,
                sim.site.call);
}

static bool is_power_of_ten(uint64_t count) {
    while (count % 10 == 0) count /= 10;
    return count == 1;
}

bool sim_merge(const char *violation, const char *text, bool quiet) {
    struct group *group = group_of(violation, text);
    if (group == NULL) return false;
    group->quiet = quiet;
    bool in_full = ++group->count <= IN_FULL;
    if (in_full) group->said = group->count;
    if (!in_full && group->said == group->count - 1) n_unsaid++;
    if (!in_full && is_power_of_ten(group->count)) say(group);
    return !in_full;
}

bool sim_merge_has_more(void) {
    return n_unsaid > 0;
}

void sim_merge_end(void) {
    for (size_t i = 0; i < n_groups; i++)
        if (groups[i].said < groups[i].count) say(&groups[i]);
}
