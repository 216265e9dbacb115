/* SPDX-License-Identifier: Apache-2.0 */
#include "handles_page.h"

#include <string.h>

#include "kind.h"
#include "life.h"

static const char intro[] =
    "# Handles\n\n"
    "What producers and consumers hand to each other, as one table. `make docs` writes this page "
    "from\n`harness/handles.def`. Schemas, arrays and streams are watched: what the monitor knows "
    "of the structures\n(`harness/watch/kind.c`) is made from the same rows, and their life is "
    "that "
    "of [life-cycle.md](life-cycle.md).\n[adding-a-handle.md](adding-a-handle.md) says what "
    "another kind takes.\n\n"
    "A party is the *producer* or the *consumer* of the data, whichever of them fills a structure "
    "in. Bytes and\noffsets are those of LP64. A state has operations that are legal in it, and "
    "where they lead; and forbidden\nones, with the strength of the sentence that forbids them "
    "and who breaks it. *open*: the documents do not\nsay it; [ambiguities.md](ambiguities.md) "
    "says what we do. An operation that a state has in neither column\ncannot come about in it. "
    "Some need another handle to be in a certain state: *if producer.requested*.\n";

/* What the columns had to become so that every kind has a place in them. */
static const char lessons[] =
    "\n## What the kinds asked of the table\n\n"
    "- What says *released* is a column, not a member. Of an Arrow structure it is `release`, of a "
    "capsule its\n  name or what is behind it. A task, a tensor and a dictionary have no mark at "
    "all: whoever watches them\n  has to count the calls.\n"
    "- Who calls is a column. The consumer fills a handler in, and the producer owes it the "
    "release.\n"
    "- How it travels is a column. A task is copied, and no copy is marked; a handler, a producer "
    "and a tensor\n  stay at their address.\n"
    "- What comes out has a time of its own: until its own release, until the next call, until "
    "the callback\n  returns that it was a parameter of, or until an object ends that is named "
    "nowhere.\n"
    "- A state may ask for a state of another handle: a producer ends with its handler, a task "
    "comes if one was\n  requested.\n"
    "- A producer counts requests and tasks. Its states say how the two compare; nothing else "
    "decides what is\n  legal.\n"
    "- Some handles lie within others (the array of a device array, the description of a tensor) "
    "or behind them\n  (what a capsule points to): they end together.\n";

static const struct {
    const char *letter, *title, *text;
} documents[] = {
#define DOCUMENT(letter, title, text) {#letter, title, text},
#include "../handles.def"
};

static const struct {
    const char *column, *word, *meaning;
} words[] = {
#define WORD(column, word, meaning) {#column, #word, meaning},
#include "../handles.def"
};

static const struct {
    const char *structure, *maker, *travels, *ends, *life, *document, *section, *what, *id;
    int bytes;
} handles[] = {
#define HANDLE(where, id, structure, bytes, maker, travels, ends, life, document, section, what)   \
    {#structure, #maker, #travels, #ends, #life, #document, section, what, #id, bytes},
#include "../handles.def"
};

static const struct {
    enum adi_kind_id handle;
    const char *name, *role, *kept, *what;
    int offset, bytes;
} members[] = {
#define MEMBER(where, id, structure, member, offset, bytes, role, kept, what)                      \
    {ADI_KIND_##id, #member, #role, #kept, what, offset, bytes},
#include "../handles.def"
};

static const struct {
    enum adi_kind_id handle;
    const char *name, *caller, *threads, *order, *answer;
} callbacks[] = {
#define CALLBACK(id, callback, caller, threads, order, answer)                                     \
    {ADI_KIND_##id, #callback, #caller, threads, order, answer},
#include "../handles.def"
};

static const struct {
    enum adi_kind_id handle;
    const char *how, *through, *what, *lasts;
} outs[] = {
#define COMES_OUT(id, how, through, what, lasts) {ADI_KIND_##id, #how, through, what, lasts},
#include "../handles.def"
};

static const struct {
    enum adi_kind_id handle;
    const char *name, *what, *legal, *forbidden;
} states[] = {
#define STATE(id, state, what, legal, forbidden) {ADI_KIND_##id, #state, what, legal, forbidden},
#include "../handles.def"
};

#define FOR_EACH(i, rows) for (size_t i = 0; i < sizeof(rows) / sizeof *(rows); i++)

static const char *meaning(const char *column, const char *word) {
    FOR_EACH(i, words)
    if (strcmp(words[i].column, column) == 0 && strcmp(words[i].word, word) == 0)
        return words[i].meaning;
    return "";
}

static const char *title(const char *letter) {
    FOR_EACH(i, documents)
    if (strcmp(documents[i].letter, letter) == 0) return documents[i].title;
    return "";
}

static void write_overview(FILE *out) {
    fputs("\n| handle | structure | bytes | filled in by | handed on | released, if |\n"
          "|---|---|---|---|---|---|\n",
          out);
    FOR_EACH(i, handles) {
        fprintf(out, "| [%s](#%s) | `%s` | ", handles[i].id, handles[i].id, handles[i].structure);
        if (handles[i].bytes > 0) fprintf(out, "%d", handles[i].bytes);
        fprintf(out, " | %s | %s | %s |\n", handles[i].maker,
                meaning("travels", handles[i].travels), meaning("ends", handles[i].ends));
    }
}

static void write_words(FILE *out) {
    fputs("\n| operation | what is done |\n|---|---|\n", out);
    FOR_EACH(i, words)
    if (strcmp(words[i].column, "operation") == 0)
        fprintf(out, "| %s | %s |\n", words[i].word, words[i].meaning);
    fprintf(out, "\n**kept** is what is %s.\n", meaning("kept", "KEPT"));
    fputs("\nDocuments, and what was read of them:\n\n", out);
    FOR_EACH(i, documents)
    fprintf(out, "- **%s**: %s\n", documents[i].title, documents[i].text);
}

static void write_members(FILE *out, enum adi_kind_id handle) {
    fputs("\n| member | at | bytes | is | |\n|---|---|---|---|---|\n", out);
    FOR_EACH(i, members) {
        if (members[i].handle != handle) continue;
        fprintf(out, "| `%s` | ", members[i].name);
        if (members[i].bytes > 0) fprintf(out, "%d | %d", members[i].offset, members[i].bytes);
        fprintf(out, "%s | %s%s | %s |\n", members[i].bytes > 0 ? "" : " | ",
                meaning("role", members[i].role),
                strcmp(members[i].kept, "KEPT") == 0 ? "; **kept**" : "", members[i].what);
    }
}

static void write_callbacks(FILE *out, enum adi_kind_id handle) {
    size_t n = 0;
    FOR_EACH(i, callbacks) {
        if (callbacks[i].handle != handle) continue;
        if (n++ == 0)
            fputs("\n| callback | who calls | thread | when | answers |\n|---|---|---|---|---|\n",
                  out);
        fprintf(out, "| `%s` | %s calls %s | %s | %s | %s |\n", callbacks[i].name,
                callbacks[i].caller, handles[handle].maker, callbacks[i].threads,
                callbacks[i].order, callbacks[i].answer);
    }
    if (n == 0) fputs("\nIt has no callback.\n", out);
}

static void write_outs(FILE *out, enum adi_kind_id handle) {
    size_t n = 0;
    FOR_EACH(i, outs) {
        if (outs[i].handle != handle) continue;
        if (n++ == 0) fputs("\n| comes out | how | valid |\n|---|---|---|\n", out);
        fprintf(out, "| %s | `%s`, %s | %s |\n", outs[i].what, outs[i].through,
                meaning("how", outs[i].how), outs[i].lasts);
    }
    if (n == 0) fputs("\nNothing comes out of it but itself.\n", out);
}

/* What life/all.def allows; which rule all else breaks is on its own page. */
static void write_edges(FILE *out, enum adi_life_state state) {
    const char *between = "";
    for (enum adi_life_operation o = 0; o < ADI_LIFE_OPERATIONS; o++) {
        const struct adi_edge *edge = adi_life_edge(state, o);
        if (edge->kind != ADI_EDGE_GOES) continue;
        fprintf(out, "%s%s: %s", between, adi_life_operation_name(o),
                adi_life_state_name(edge->to));
        between = "; ";
    }
}

static void write_life(FILE *out, enum adi_kind_id handle) {
    const char *life = handles[handle].life;
    bool is_life_def = strcmp(life, "life_def") == 0;
    if (is_life_def) life = handles[ADI_KIND_device_array].id;
    if (strcmp(life, handles[handle].id) != 0) {
        fprintf(out, "\nIts states are those of [%s](#%s).\n", life, life);
        return;
    }
    fputs("\n| state | | legal, and what it leads to | forbidden |\n|---|---|---|---|\n", out);
    FOR_EACH(i, states)
    if (states[i].handle == handle)
        fprintf(out, "| `%s` | %s | %s | %s |\n", states[i].name, states[i].what, states[i].legal,
                states[i].forbidden);
    for (enum adi_life_state s = 0; is_life_def && s < ADI_LIFE_STATES; s++) {
        fprintf(out, "| `%s` | %s | ", adi_life_state_name(s), adi_life_state_what(s));
        write_edges(out, s);
        fputs(" | [all else](life-cycle.md) |\n", out);
    }
}

void adi_handles_page(FILE *out) {
    fputs(intro, out);
    write_overview(out);
    write_words(out);
    for (enum adi_kind_id h = 0; h < ADI_KINDS; h++) {
        fprintf(out, "\n## %s\n\n`%s`: %s\n%s, \"%s\".\n", handles[h].id, handles[h].structure,
                handles[h].what, title(handles[h].document), handles[h].section);
        write_members(out, h);
        write_callbacks(out, h);
        write_outs(out, h);
        write_life(out, h);
    }
    fputs(lessons, out);
}
