/* SPDX-License-Identifier: Apache-2.0 */
#include "adicheck.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "device_types.h"
#include "devices.h"
#include "findings.h"
#include "tree.h"

#define FINDINGS_MOST 256

struct entry {
    struct adi_finding finding;
    struct adi_found of_rule;
};

/* All memory is taken at the start: a finding may be made in a signal handler. An entry is touched
 * when there is something to enter. */
struct adi_findings {
    struct adi_sink sink; /* first */
    atomic_size_t next;
    atomic_bool filled[FINDINGS_MOST]; /* behind it nothing is cleared */
    struct entry entries[FINDINGS_MOST];
};

static void append(struct adi_sink *sink, const struct adi_found *finding) {
    struct adi_findings *findings = (struct adi_findings *)sink;
    size_t index = atomic_fetch_add(&findings->next, 1);
    if (index >= FINDINGS_MOST) return;
    struct entry *entry = &findings->entries[index];
    const struct adi_rule *rule = finding->rule;
    entry->of_rule = *finding;
    entry->finding = (struct adi_finding){
        .rule = rule->id,
        .level = adi_level_name(rule->level),
        .basis = adi_basis_name(rule->basis),
        .party = adi_party_name(finding->party),
        .document = rule->document,
        .section = rule->section,
        .message = entry->of_rule.message,
        .seen = entry->of_rule.seen,
        .wanted = entry->of_rule.wanted,
        .mend = rule->mend,
        .breaks_conformance = adi_rule_binds(rule),
    };
    atomic_store(&findings->filled[index], true);
}

struct adi_findings *adi_findings_new(void) {
    struct adi_findings *findings = malloc(sizeof *findings);
    if (findings == NULL) return NULL;
    adi_findings_clear(findings);
    return findings;
}

void adi_findings_clear(struct adi_findings *findings) {
    memset(findings, 0, offsetof(struct adi_findings, entries));
    findings->sink.violated = append;
}

void adi_findings_free(struct adi_findings *findings) {
    free(findings);
}

struct adi_sink *adi_findings_sink(struct adi_findings *findings) {
    return &findings->sink;
}

struct adi_findings *adi_findings_of(struct adi_sink *sink) {
    return (struct adi_findings *)sink;
}

void adi_findings_append(struct adi_findings *findings, const struct adi_findings *more) {
    for (size_t i = 0; i < adi_findings_count(more); i++)
        append(&findings->sink, &more->entries[i].of_rule);
}

size_t adi_findings_count(const struct adi_findings *findings) {
    size_t count = 0;
    while (count < FINDINGS_MOST && atomic_load(&findings->filled[count])) count++;
    return count;
}

const struct adi_finding *adi_findings_get(const struct adi_findings *findings, size_t index) {
    return index < adi_findings_count(findings) ? &findings->entries[index].finding : NULL;
}

static bool is_on_cpu(const struct ArrowDeviceArray *array) {
    struct ArrowDeviceArray copy;
    return adi_safe_read(&copy, array, sizeof copy) == 0 &&
           adi_device_type_is_cpu(copy.device_type);
}

int adi_check_device_array(const struct ArrowSchema *schema, const struct ArrowDeviceArray *array,
                           struct adi_findings *findings) {
    struct adi_sink *sink = adi_findings_sink(findings);
    size_t before = adi_findings_count(findings);
    bool sound = adi_check_schema(schema, sink);
    if (sound && array != NULL) {
        struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
        sound = adi_check_array(schema, array, is_on_cpu(array) ? &cpu : NULL, sink);
    }
    return sound || adi_findings_count(findings) > before ? 0 : ENOMEM;
}
