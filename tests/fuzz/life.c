/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the life cycle: bytes are a program of operations on exported arrays and streams
 * (program.h), the model looks up in the table of the life cycle (life/all.def) what each step
 * comes to, and what plays adicheck's own arrays and streams must agree: a legal step is no
 * finding, the first illegal one, or what is left behind at the end, is exactly one, of exactly the
 * rule in the table. The guard is kept on paper: there are no faults to wait for, and what nobody
 * is to touch is poison to AddressSanitizer. A switch of threads is left to the table, which knows
 * none between them.
 */
#include <string.h>

#include "execution.h"
#include "fuzz.h"
#include "life_sample.h"
#include "model.h"
#include "move.h"

/* libFuzzer takes what is in this section for counters of its own: which rows of the table have
 * been come to, and what was where a step leads. */
static uint8_t rows[ADI_LIFE_STATES][ADI_LIFE_OPERATIONS][ADI_LIFE_STATES]
    __attribute__((section("__libfuzzer_extra_counters")));

static void count_row(const struct adi_model *model, const struct adi_step *step) {
    rows[model->slots[step->slot].state][step->operation][model->slots[step->to].state] = 1;
}

/* ---- playing ---- */

static struct collector {
    struct adi_sink sink; /* first */
    const struct adi_rule *rule;
    size_t findings;
} collector;

static void on_finding(struct adi_sink *sink, const struct adi_found *finding) {
    (void)sink;
    collector.rule = finding->rule;
    collector.findings++;
}

static bool on_paper = true;

void life_in_guarded_memory(void) {
    on_paper = false;
}

/* It is there, and nobody's to give back. */
static void keep(struct ArrowArray *array) {
    (void)array;
}

struct adi_execution *life_execution(void) {
    static struct adi_execution execution;
    struct adi_error error = {""};
    if (execution.device != NULL) return &execution;
    collector.sink.violated = on_finding;
    int code = adi_guard_on_paper(on_paper);
    if (code == 0)
        code = adi_execution_open(&execution, life_device(), adi_sample_type_named("int8"),
                                  adi_sample_shape_named("one"), 1, &collector.sink, NULL, &error);
    FUZZ_REQUIRE(code == 0, "%d: %s", code, error.text);
    adi_schema_release(&execution.schema);
    adi_array_release(&execution.values[0]);
    execution.schema = life_type;
    for (size_t i = 0; i < ADI_EXECUTION_VALUES; i++) {
        execution.values[i] = life_array;
        execution.values[i].release = keep;
    }
    return &execution;
}

static const char *text_of(const struct adi_program *program) {
    static char text[ADI_STEP_TEXT * ADI_PROGRAM_STEPS];
    return adi_program_text(program, text, sizeof text);
}

/* What was reported must be this one rule; NULL: nothing. */
static void judge(const struct adi_program *program, size_t step, const char *rule) {
    const char *seen = collector.findings == 0 ? "nothing" : collector.rule->id;
    FUZZ_REQUIRE(collector.findings == (rule != NULL) && (rule == NULL || strcmp(seen, rule) == 0),
                 "step %zu of %s: %zu findings, %s; wanted %s", step + 1, text_of(program),
                 collector.findings, seen, rule == NULL ? "nothing" : rule);
}

/* What the end of the program breaks: the first slot that is not to be forgotten. */
static const char *rule_at_end(const struct adi_model *model) {
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++) {
        const char *rule = adi_life_edge(model->slots[i].state, ADI_DO_drop)->rule;
        if (rule != NULL) return rule;
    }
    return NULL;
}

static void play(struct adi_execution *on, const struct adi_program *program) {
    struct adi_model model;
    const char *rule = NULL;
    bool elsewhere = false;
    adi_model_init(&model);
    collector.findings = 0;
    for (size_t i = 0; i < program->n; i++) {
        const struct adi_step *step = &program->steps[i];
        count_row(&model, step);
        enum adi_model_verdict verdict =
            adi_model_step(&model, step, &on->schema, elsewhere, &rule);
        bool is_switch = step->operation == ADI_DO_release_elsewhere;
        if (is_switch) elsewhere = step->slot == 1;
        if (verdict == ADI_STEP_NOTHING || (is_switch && on_paper)) continue;
        int code = adi_execution_step(on, step);
        FUZZ_REQUIRE(code == 0, "step %zu of %s: %s", i + 1, text_of(program), on->error.text);
        judge(program, i, verdict == ADI_STEP_ILLEGAL ? rule : NULL);
        if (verdict == ADI_STEP_ILLEGAL) return;
    }
    adi_execution_finish(on);
    judge(program, program->n, rule_at_end(&model));
}

void adi_fuzz_life(const uint8_t *bytes, size_t count) {
    static struct adi_program program;
    struct adi_execution *on = life_execution();
    adi_program_of_bytes(bytes, count, &program);
    play(on, &program);
    int code = adi_execution_restart(on);
    FUZZ_REQUIRE(code == 0, "%d: %s", code, on->error.text);
}
