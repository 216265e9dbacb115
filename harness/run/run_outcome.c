/* SPDX-License-Identifier: Apache-2.0 */
#include "run_outcome.h"

#include <stdio.h>
#include <string.h>

#include "case.h"
#include "run_need.h"
#include "worker_internal.h"

#define CALLS_MOST ((size_t)64 << 10) /* bytes of lines before a finding */

/* ---- rows ---- */

bool adi_outcome_has_finding(const struct adi_outcome *outcome) {
    for (size_t i = 0; i < outcome->n_rows; i++)
        if (adi_result_is_finding(&outcome->rows[i])) return true;
    return false;
}

bool adi_outcome_has_doubt(const struct adi_outcome *outcome, enum adi_doubt doubt) {
    for (size_t i = 0; i < outcome->n_rows; i++)
        if (outcome->rows[i].doubt == doubt) return true;
    return false;
}

const struct adi_result *adi_outcome_find(const struct adi_outcome *outcome,
                                          const struct adi_result *like) {
    for (size_t i = 0; outcome != NULL && i < outcome->n_rows; i++)
        if (adi_result_is_like(&outcome->rows[i], like)) return &outcome->rows[i];
    return NULL;
}

static struct adi_result *append(struct adi_outcome *outcome, struct adi_result row) {
    outcome->rows =
        adi_need(reallocarray(outcome->rows, outcome->n_rows + 1, sizeof *outcome->rows));
    outcome->rows[outcome->n_rows] = row;
    return &outcome->rows[outcome->n_rows++];
}

struct adi_result *adi_outcome_add(struct adi_outcome *outcome, const struct adi_rule *rule,
                                   enum adi_party party, enum adi_verdict verdict,
                                   const char *message, const char *seen, const char *wanted) {
    struct adi_result *row = append(outcome, adi_result_new());
    row->rule = rule;
    row->party = party;
    row->verdict = verdict;
    if (message != NULL) adi_result_set(&row->message, "%s", message);
    if (seen != NULL) adi_result_set(&row->seen, "%s", seen);
    if (wanted != NULL) adi_result_set(&row->wanted, "%s", wanted);
    return row;
}

void adi_outcome_copy_row(struct adi_outcome *to, const struct adi_result *row) {
    append(to, adi_result_copy(row));
}

/* Is this row explained, or contradicted, by that one? */
static bool gives_way(const struct adi_result *row, size_t at, const struct adi_result *other,
                      size_t other_at) {
    if (!adi_result_is_finding(other) || row->rule == NULL || other->rule == NULL) return false;
    if (!adi_result_is_finding(row)) return adi_result_is_death(other) || row->rule == other->rule;
    if (row->verdict == ADI_ERROR || other->verdict == ADI_ERROR || row->rule == other->rule)
        return false;
    return adi_follows(row->rule, other->rule, other_at < at);
}

void adi_outcome_settle(struct adi_outcome *outcome) {
    bool *gone = adi_need(calloc(outcome->n_rows + 1, sizeof *gone));
    for (size_t i = 0; i < outcome->n_rows; i++)
        for (size_t j = 0; j < outcome->n_rows; j++)
            if (i != j && gives_way(&outcome->rows[i], i, &outcome->rows[j], j)) gone[i] = true;
    size_t kept = 0;
    for (size_t i = 0; i < outcome->n_rows; i++) {
        if (gone[i])
            adi_result_free(&outcome->rows[i]);
        else
            outcome->rows[kept++] = outcome->rows[i];
    }
    outcome->n_rows = kept;
    free(gone);
}

void adi_outcome_clear(struct adi_outcome *outcome) {
    for (size_t i = 0; i < outcome->n_rows; i++) adi_result_free(&outcome->rows[i]);
    for (size_t i = 0; i < outcome->n_steps; i++) free(outcome->steps[i]);
    free(outcome->rows);
    free(outcome->steps);
    free(outcome->program);
    free(outcome->output);
    free(outcome->calls);
    *outcome = (struct adi_outcome){0};
}

const char *adi_outcome_name(int64_t index) {
    static const char *const phases[] = {"", "load", "close", "exit"};
    if (index >= 0) {
        const struct adi_case *played = adi_case((size_t)index);
        return played == NULL ? "" : played->name;
    }
    return index >= ADI_PHASE_EXIT ? phases[-index] : "";
}

const char *adi_outcome_program_text(const struct adi_outcome *outcome, char *text, size_t size) {
    const struct adi_case *played = adi_case((size_t)outcome->index);
    int used = snprintf(text, size, "%s/%s ", played->type->name, played->shape->name);
    adi_program_text(outcome->program, text + used, size - (size_t)used);
    return text;
}

/* ---- records ---- */

struct adi_outcome *adi_outcomes_now(struct adi_outcomes *outcomes) {
    if (outcomes->count == 0) return adi_outcomes_begin(outcomes, ADI_PHASE_LOAD, 0);
    return &outcomes->list[outcomes->count - 1];
}

struct adi_outcome *adi_outcomes_find(const struct adi_outcomes *outcomes, int64_t index) {
    for (size_t i = 0; i < outcomes->count; i++)
        if (outcomes->list[i].index == index) return &outcomes->list[i];
    return NULL;
}

struct adi_outcome *adi_outcomes_begin(struct adi_outcomes *outcomes, int64_t index,
                                       int64_t time_ns) {
    if ((outcomes->count & (outcomes->count + 1)) == 0)
        outcomes->list =
            adi_need(reallocarray(outcomes->list, 2 * outcomes->count + 2, sizeof *outcomes->list));
    struct adi_outcome *begun = &outcomes->list[outcomes->count++];
    *begun = (struct adi_outcome){
        .index = index, .begun_ns = time_ns, .output_from = outcomes->output_at};
    outcomes->mark_ns = time_ns;
    outcomes->crash_rule = -1;
    outcomes->crash_party = ADI_BOTH;
    return begun;
}

void adi_outcomes_clear(struct adi_outcomes *outcomes) {
    for (size_t i = 0; i < outcomes->count; i++) adi_outcome_clear(&outcomes->list[i]);
    free(outcomes->list);
    free(outcomes->refusal);
    outcomes->list = NULL;
    outcomes->refusal = NULL;
    outcomes->count = 0;
}

static const struct adi_scenario *scenario_of(const struct adi_outcome *outcome) {
    const struct adi_case *played = outcome->index < 0 ? NULL : adi_case((size_t)outcome->index);
    return played == NULL ? NULL : played->scenario;
}

enum adi_party adi_outcome_party(const struct adi_outcome *outcome) {
    const struct adi_scenario *scenario = scenario_of(outcome);
    return scenario == NULL ? ADI_BOTH : scenario->party;
}

static void take_begin(struct adi_outcomes *outcomes, const struct adi_log_record *record) {
    bool expected = outcomes->n_begun < outcomes->n_expected &&
                    (int64_t)outcomes->expected[outcomes->n_begun] == record->index &&
                    (outcomes->n_begun == 0 || adi_outcomes_now(outcomes)->ended);
    if (!expected) {
        outcomes->damaged = true;
        return;
    }
    if (outcomes->n_begun++ == 0) adi_outcomes_now(outcomes)->ended = true;
    adi_outcomes_begin(outcomes, record->index, record->time_ns);
}

static void take_end(struct adi_outcomes *outcomes, const struct adi_log_record *record) {
    struct adi_outcome *now = adi_outcomes_now(outcomes);
    if (now->index != record->index || now->ended) {
        outcomes->damaged = true;
        return;
    }
    now->ended = true;
    now->ms = (record->time_ns - now->begun_ns + 500000) / 1000000;
    outcomes->mark_ns = record->time_ns;
    outcomes->crash_rule = -1;
    outcomes->crash_party = ADI_BOTH;
    if (now->n_rows == 0)
        adi_outcome_add(now, adi_rule_named(scenario_of(now)->rule), scenario_of(now)->party,
                        ADI_ERROR, "the scenario came to no verdict", NULL, NULL);
}

static void add_step(struct adi_outcome *now, const char *text, const char *message) {
    if (now->n_steps == ADI_STEPS) return;
    now->steps = adi_need(reallocarray(now->steps, now->n_steps + 1, sizeof *now->steps));
    char **step = &now->steps[now->n_steps++];
    int length =
        *message == '\0' ? asprintf(step, "%s", text) : asprintf(step, "%-12s %s", text, message);
    if (length < 0) adi_need(NULL);
}

/* What was done under an earlier schedule is over. */
static void take_step(struct adi_outcomes *outcomes, const struct adi_log_record *record) {
    struct adi_outcome *now = adi_outcomes_now(outcomes);
    while (strcmp(record->text, "schedule") == 0 && now->n_steps > 0)
        free(now->steps[--now->n_steps]);
    add_step(now, record->text, record->message);
}

static void take_program(struct adi_outcomes *outcomes, const struct adi_log_record *record) {
    struct adi_outcome *now = adi_outcomes_now(outcomes);
    char text[ADI_OUTCOME_TEXT];
    if (scenario_of(now) == NULL) return;
    if (now->program == NULL) now->program = adi_need(malloc(sizeof *now->program));
    adi_program_unpack(record->message, now->program);
    while (now->n_steps > 0) free(now->steps[--now->n_steps]);
    add_step(now, "program", adi_outcome_program_text(now, text, sizeof text));
}

static void take_violation(struct adi_outcomes *outcomes, const struct adi_log_record *record) {
    struct adi_outcome *now = adi_outcomes_now(outcomes);
    const struct adi_rule *rule = record->index < 0 ? NULL : adi_rule((size_t)record->index);
    if (rule == NULL) {
        outcomes->damaged = true;
        return;
    }
    enum adi_party party = record->party == ADI_BOTH ? adi_outcome_party(now) : record->party;
    enum adi_verdict verdict = adi_verdict_of_violation(rule, outcomes->strict);
    struct adi_result like = {.rule = rule, .verdict = verdict};
    const struct adi_result *before = adi_outcome_find(now, &like);
    if (before != NULL) {
        now->rows[before - now->rows].times++;
    } else {
        struct adi_result *row = adi_outcome_add(now, rule, party, verdict, record->message,
                                                 record->seen, record->wanted);
        bool is_step = record->count > 0 && record->count <= ADI_PROGRAM_STEPS + 1;
        adi_result_set(&row->mend, "%s", record->text);
        row->step = now->n_steps;
        row->program_step = is_step ? (unsigned)record->count : 0;
        row->at_limit = now->waited;
        if (now->calls != NULL) adi_result_set(&row->calls, "%s", now->calls);
        free(now->calls);
        now->calls = NULL;
    }
    now->waited = false;
}

static void take_waited(struct adi_outcomes *outcomes, const struct adi_log_record *record) {
    (void)record;
    adi_outcomes_now(outcomes)->waited = true;
}

/* A finding has its own lines; those before it are forgotten. */
static void take_call(struct adi_outcomes *outcomes, const struct adi_log_record *record) {
    struct adi_outcome *now = adi_outcomes_now(outcomes);
    const char *before = record->index == 0 || now->calls == NULL ? "" : now->calls;
    char *calls = NULL;
    if (strlen(before) > CALLS_MOST) return;
    if (asprintf(&calls, "%s%s\n", before, record->text) < 0) adi_need(NULL);
    free(now->calls);
    now->calls = calls;
}

static void take_satisfied(struct adi_outcomes *outcomes, const struct adi_log_record *record) {
    if (record->index < 0 || record->index >= ADI_RULES || record->count < 0)
        outcomes->damaged = true;
    else
        outcomes->satisfied[record->index] += (uint64_t)record->count;
}

/* What became of the case: a row for the rule that it is there for. */
static void take_verdict(struct adi_outcomes *outcomes, const struct adi_log_record *record) {
    static const enum adi_verdict verdicts[ADI_LOG_END + 1] = {
        [ADI_LOG_PASS] = ADI_PASS,
        [ADI_LOG_SKIP] = ADI_SKIP,
        [ADI_LOG_REFUSED] = ADI_UNSUPPORTED,
        [ADI_LOG_ERROR] = ADI_ERROR,
    };
    struct adi_outcome *now = adi_outcomes_now(outcomes);
    const struct adi_scenario *scenario = scenario_of(now);
    if (scenario == NULL || now->ended) return;
    struct adi_result *last = now->n_rows > 0 ? &now->rows[now->n_rows - 1] : NULL;
    if (record->kind == ADI_LOG_ERROR && last != NULL && last->verdict == ADI_ERROR &&
        strcmp(last->message, record->message) == 0) {
        last->times++;
        return;
    }
    struct adi_result *row =
        adi_outcome_add(now, adi_rule_named(scenario->rule), scenario->party,
                        verdicts[record->kind], record->message, record->seen, record->wanted);
    adi_result_set(&row->mend, "%s", record->text);
}

static void take_crash_rule(struct adi_outcomes *outcomes, const struct adi_log_record *record) {
    bool known = record->index >= 0 && adi_rule((size_t)record->index) != NULL;
    outcomes->crash_rule = known ? record->index : -1;
    outcomes->crash_party = record->party;
}

static void take_fatal(struct adi_outcomes *outcomes, const struct adi_log_record *record) {
    (void)record;
    adi_outcomes_now(outcomes)->fatal = true;
}

static void take_finish(struct adi_outcomes *outcomes, const struct adi_log_record *record) {
    adi_outcomes_now(outcomes)->ended = true;
    outcomes->finished = true;
    adi_outcomes_begin(outcomes, ADI_PHASE_EXIT, record->time_ns);
}

static void take_info(struct adi_outcomes *outcomes, const struct adi_log_record *record) {
    if (strcmp(record->text, ADI_SAYS_PHASE) == 0) {
        bool closes = strcmp(record->message, "close") == 0;
        if (outcomes->count > 0) adi_outcomes_now(outcomes)->ended = true;
        adi_outcomes_begin(outcomes, closes ? ADI_PHASE_CLOSE : ADI_PHASE_LOAD, record->time_ns);
    } else if (strcmp(record->text, ADI_SAYS_REFUSAL) == 0) {
        free(outcomes->refusal);
        outcomes->refusal = adi_need_text(record->message);
    } else if (strcmp(record->text, ADI_SAYS_FAILED) == 0) {
        adi_outcome_add(adi_outcomes_now(outcomes), NULL, ADI_BOTH, ADI_ERROR, record->message,
                        NULL, NULL);
    } else if (strcmp(record->text, ADI_SAYS_OUTPUT) == 0) {
        if (record->index > outcomes->output_at) outcomes->output_at = record->index;
    } else if (strcmp(record->text, ADI_SAYS_LOG) == 0) {
        outcomes->sim_log_error = (int)record->index;
    } else if (strcmp(record->text, ADI_SAYS_CHILD) == 0) {
        if (outcomes->n_children == ADI_CHILDREN) return;
        outcomes->children[outcomes->n_children++] = (struct adi_child){
            .pid = (pid_t)record->index, .index = adi_outcomes_now(outcomes)->index};
    } else if (outcomes->info != NULL) {
        outcomes->info(outcomes->context, record);
    }
}

void adi_outcomes_take(struct adi_outcomes *outcomes, const struct adi_log_record *record) {
    static void (*const takers[])(struct adi_outcomes *, const struct adi_log_record *) = {
        [ADI_LOG_CASE_BEGIN] = take_begin,    [ADI_LOG_CASE_END] = take_end,
        [ADI_LOG_STEP] = take_step,           [ADI_LOG_PROGRAM] = take_program,
        [ADI_LOG_VIOLATION] = take_violation, [ADI_LOG_SATISFIED] = take_satisfied,
        [ADI_LOG_CALL] = take_call,           [ADI_LOG_PASS] = take_verdict,
        [ADI_LOG_SKIP] = take_verdict,        [ADI_LOG_REFUSED] = take_verdict,
        [ADI_LOG_ERROR] = take_verdict,       [ADI_LOG_CRASH_RULE] = take_crash_rule,
        [ADI_LOG_WAITED] = take_waited,       [ADI_LOG_FATAL] = take_fatal,
        [ADI_LOG_NOTE] = take_step,           [ADI_LOG_INFO] = take_info,
        [ADI_LOG_END] = take_finish,
    };
    /* A thread that the implementation left running may still have something to say. */
    if (!outcomes->finished) takers[record->kind](outcomes, record);
}

void adi_outcomes_read(struct adi_outcomes *outcomes, struct adi_log_reader *reader) {
    struct adi_log_record record;
    while (!outcomes->damaged && adi_log_next(reader, &record, &outcomes->damaged))
        adi_outcomes_take(outcomes, &record);
}
