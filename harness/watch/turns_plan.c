/* SPDX-License-Identifier: Apache-2.0 */
#include "turns_plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int adi_turns_plan_read(const char *text, int points, struct adi_turns_plan *out) {
    int taken = 0;
    *out = (struct adi_turns_plan){.points = points};
    if (sscanf(text, " ~%" SCNu64 "%n", &out->random, &taken) == 1)
        return text[taken] == '\0' && out->random != 0 ? 0 : EINVAL;
    for (int i = 0; i < ADI_TURNS_MOST && *text != '\0'; i++) {
        struct adi_turn *next = &out->turns[i];
        if (sscanf(text, " %d>%d%n", &next->at, &next->actor, &taken) != 2 || next->at < 1 ||
            next->actor < 0 || next->actor >= ADI_TURNS_ACTORS)
            return EINVAL;
        text += taken;
    }
    return *text == '\0' ? 0 : EINVAL;
}

const char *adi_turns_plan_write(const struct adi_turns_plan *plan, char text[ADI_TURNS_TEXT]) {
    int n = 0;
    text[0] = '\0';
    if (plan->random != 0) snprintf(text, ADI_TURNS_TEXT, " ~%" PRIu64, plan->random);
    for (int i = 0; i < ADI_TURNS_MOST && plan->random == 0; i++)
        if (plan->turns[i].at > 0 && n < ADI_TURNS_TEXT)
            n += snprintf(text + n, (size_t)(ADI_TURNS_TEXT - n), " %d>%d", plan->turns[i].at,
                          plan->turns[i].actor);
    return text;
}

/* ---- all of them ---- */

struct explorer {
    adi_turns_play *play;
    void *context;
    size_t played;
    bool goes;
};

static void explore(struct explorer *explorer, struct adi_turns_plan *plan, int n, int left);

/* All that differ first at this point. */
static void explore_at(struct explorer *explorer, struct adi_turns_plan *plan, int n, int at,
                       const struct adi_turns_point *point, int left) {
    for (int actor = 0; actor < ADI_TURNS_ACTORS && explorer->goes; actor++) {
        if (actor == point->went || (point->could >> actor & 1) == 0) continue;
        plan->turns[n] = (struct adi_turn){at, actor};
        explore(explorer, plan, n + 1, left - 1);
        plan->turns[n] = (struct adi_turn){0, 0};
    }
}

static void explore(struct explorer *explorer, struct adi_turns_plan *plan, int n, int left) {
    struct adi_turns_point noted[ADI_TURNS_NOTED];
    const struct adi_turns *turns = explorer->play(explorer->context, plan);
    explorer->goes = turns != NULL;
    if (!explorer->goes) return;
    explorer->played++;
    int last = n == 0 ? 0 : plan->turns[n - 1].at;
    int points = turns->points < ADI_TURNS_NOTED ? turns->points : ADI_TURNS_NOTED;
    memcpy(noted, turns->noted, sizeof noted);
    for (int at = last + 1; left > 0 && at <= points && explorer->goes; at++)
        explore_at(explorer, plan, n, at, &noted[at - 1], left);
}

size_t adi_turns_explore(adi_turns_play *play, void *context, int most) {
    struct adi_turns_plan plan = {.points = 0};
    struct explorer explorer = {play, context, 0, true};
    for (int turns = 0; turns <= most && explorer.goes; turns++) {
        explorer.played = 0;
        explore(&explorer, &plan, 0, turns);
    }
    return explorer.played;
}
