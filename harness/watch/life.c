/* SPDX-License-Identifier: Apache-2.0 */
#include "life.h"

#include <string.h>

#define GOES(state)                                                                                \
    { ADI_EDGE_GOES, ADI_IS_##state, NULL }
#define TAKES                                                                                      \
    { ADI_EDGE_TAKES, ADI_IS_empty, NULL }
#define VIOLATES(rule)                                                                             \
    { ADI_EDGE_VIOLATES, ADI_IS_empty, rule }
#define CANNOT                                                                                     \
    { ADI_EDGE_CANNOT, ADI_IS_empty, NULL }

static const struct adi_edge edges[ADI_LIFE_STATES][ADI_LIFE_OPERATIONS] = {
#define EDGE(state, operation, outcome) [ADI_IS_##state][ADI_DO_##operation] = outcome,
#include "../life_cycle.def"
};

static const struct {
    const char *name, *what;
} states[] = {
#define STATE(name, what) {#name, what},
#include "../life_cycle.def"
};

static const struct {
    const char *name, *what;
    char letter;
} operations[] = {
#define OPERATION(name, letter, what) {#name, what, letter},
#include "../life_cycle.def"
};

const struct adi_edge *adi_life_edge(enum adi_life_state state, enum adi_life_operation operation) {
    return &edges[state][operation];
}

const char *adi_life_state_name(enum adi_life_state state) {
    return states[state].name;
}

const char *adi_life_state_what(enum adi_life_state state) {
    return states[state].what;
}

const char *adi_life_operation_name(enum adi_life_operation operation) {
    return operations[operation].name;
}

const char *adi_life_operation_what(enum adi_life_operation operation) {
    return operations[operation].what;
}

char adi_life_letter(enum adi_life_operation operation) {
    return operations[operation].letter;
}

bool adi_life_is_free(enum adi_life_state state) {
    return edges[state][ADI_DO_receive].kind == ADI_EDGE_TAKES;
}

bool adi_life_is_unready(enum adi_life_state state) {
    const char *rule = edges[state][ADI_DO_read].rule;
    return rule != NULL && strcmp(rule, "sync/read-before-wait") == 0;
}

enum adi_life_state adi_life_child_of(enum adi_life_state parent) {
    return adi_life_is_unready(parent) ? ADI_IS_child_pending : ADI_IS_child;
}
