/* SPDX-License-Identifier: Apache-2.0 */
#include "life_page.h"

#include <string.h>

#include "life.h"

static const char intro[] =
    "# The life cycle of an exported array\n\n"
    "What may be done to an exported structure, and which rule is broken where it may not.\n"
    "`make docs` writes this page from `harness/life/`, the tables that the monitor judges by, "
    "that the\ncover and the fuzzers walk and that `adicheck explain` quotes.\n\n"
    "A state is that of a place which a structure can be at: a slot of a program, or the place "
    "of a child\nin its parent. A structure that is moved or relayed arrives in the state that "
    "it left in; a child or\ndictionary that is moved out arrives as `child`, or as "
    "`child_pending` where its parent could not be\nread yet.\n\n"
    "The rows are the same for an export and for the output of a relay. The cover also tells "
    "apart which party\nmade what is at a place, so that the output of a relay is moved, parted, "
    "read and released in all the ways\nthat an export is; and so is what a stream hands out, "
    "which "
    "it walks together with the stream. It tells apart what that party has "
    "done since: released something else, released the\nparent that the place was moved out of, "
    "or made something new after that, with other values.\n\n";

static bool leads(const struct adi_edge *edge) {
    return edge->kind == ADI_EDGE_GOES || edge->kind == ADI_EDGE_GIVES;
}

/* Does an earlier operation lead from one state to the other, so that the arrow is drawn? */
static bool is_drawn(enum adi_life_state from, const struct adi_edge *edge,
                     enum adi_life_operation before) {
    for (enum adi_life_operation o = 0; o < before; o++) {
        const struct adi_edge *other = adi_life_edge(from, o);
        if (leads(other) && other->to == edge->to) return true;
    }
    return false;
}

/* One arrow for all operations that lead from one state to the other. */
static void draw_arrow(FILE *out, enum adi_life_state from, enum adi_life_operation first) {
    const struct adi_edge *edge = adi_life_edge(from, first);
    fprintf(out, "    %s --> %s : %s", adi_life_state_name(from), adi_life_state_name(edge->to),
            adi_life_operation_name(first));
    for (enum adi_life_operation o = first + 1; o < ADI_LIFE_OPERATIONS; o++) {
        const struct adi_edge *other = adi_life_edge(from, o);
        if (leads(other) && other->to == edge->to) fprintf(out, ", %s", adi_life_operation_name(o));
    }
    fputc('\n', out);
}

/* Is it a state, or an operation, of the kind, or one that all kinds share? */
static bool concerns(enum adi_life_kind kind, enum adi_life_kind of) {
    return of == kind || of == ADI_LIFE_place;
}

static void draw(FILE *out, enum adi_life_kind kind) {
    fputs("```mermaid\nstateDiagram-v2\n    [*] --> empty\n", out);
    for (enum adi_life_state s = 0; s < ADI_LIFE_STATES; s++)
        for (enum adi_life_operation o = 0; o < ADI_LIFE_OPERATIONS; o++) {
            const struct adi_edge *edge = adi_life_edge(s, o);
            if (!concerns(kind, adi_life_kind_of(s)) ||
                !concerns(kind, adi_life_kind_of_operation(o)))
                continue;
            if (leads(edge) && edge->to != s && !is_drawn(s, edge, o)) draw_arrow(out, s, o);
        }
    fputs("```\n\n", out);
}

static void write_edge(FILE *out, const struct adi_edge *edge) {
    if (edge->kind == ADI_EDGE_GOES)
        fprintf(out, "`%s`", adi_life_state_name(edge->to));
    else if (edge->kind == ADI_EDGE_GIVES)
        fprintf(out, "`%s`, and what comes out is `%s`", adi_life_state_name(edge->to),
                adi_life_state_name(edge->other));
    else if (edge->kind == ADI_EDGE_TAKES)
        fputs("the state of what arrives", out);
    else
        fprintf(out, "breaks **%s**", edge->rule);
}

static void write_state(FILE *out, enum adi_life_state state) {
    fprintf(out, "### %s\n\n%s.\n\n| operation | leads to |\n|---|---|\n",
            adi_life_state_name(state), adi_life_state_what(state));
    for (enum adi_life_operation o = 0; o < ADI_LIFE_OPERATIONS; o++) {
        const struct adi_edge *edge = adi_life_edge(state, o);
        if (edge->kind == ADI_EDGE_CANNOT || !adi_life_has_row(state, o)) continue;
        fprintf(out, "| %s | ", adi_life_operation_name(o));
        write_edge(out, edge);
        fputs(" |\n", out);
    }
    fputc('\n', out);
}

static void write_operations(FILE *out, enum adi_life_kind kind) {
    fputs("| operation | in a program | what is done |\n|---|---|---|\n", out);
    for (enum adi_life_operation o = 0; o < ADI_LIFE_OPERATIONS; o++) {
        if (adi_life_kind_of_operation(o) != kind) continue;
        fprintf(out, "| %s | ", adi_life_operation_name(o));
        if (adi_life_letter(o) != 0)
            fprintf(out, "`%s%c`", adi_life_prefix(kind), adi_life_letter(o));
        fprintf(out, " | %s |\n", adi_life_operation_what(o));
    }
    fputc('\n', out);
}

static void write_kind(FILE *out, enum adi_life_kind kind) {
    fprintf(out, "## Of %s\n\n", adi_life_kind_what(kind));
    if (kind != ADI_LIFE_place) draw(out, kind);
    write_operations(out, kind);
    for (enum adi_life_state s = 0; s < ADI_LIFE_STATES; s++)
        if (adi_life_kind_of(s) == kind) write_state(out, s);
}

void adi_life_page(FILE *out) {
    fputs(intro, out);
    for (enum adi_life_kind kind = 0; kind < ADI_LIFE_KINDS; kind++) write_kind(out, kind);
}

void adi_life_explain(const char *rule, FILE *out) {
    const char *heading = "broken";
    for (enum adi_life_state s = 0; s < ADI_LIFE_STATES; s++) {
        size_t n = 0;
        for (enum adi_life_operation o = 0; o < ADI_LIFE_OPERATIONS; o++) {
            const struct adi_edge *edge = adi_life_edge(s, o);
            if (edge->kind != ADI_EDGE_VIOLATES || strcmp(edge->rule, rule) != 0) continue;
            if (n++ == 0)
                fprintf(out, "  %-9s in state %s (%s) by ", heading, adi_life_state_name(s),
                        adi_life_state_what(s));
            fprintf(out, "%s%s", n > 1 ? ", " : "", adi_life_operation_name(o));
            heading = "";
        }
        if (n > 0) fputc('\n', out);
    }
}
