/* SPDX-License-Identifier: Apache-2.0 */
#include "emit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 99

#define BIT(name) (1u << ADI_DO_##name)
#define EXPORTS   (BIT(export) | BIT(export_pending))
#define MOVES     (BIT(move) | BIT(move_child) | BIT(move_dictionary) | BIT(relay))

#define LOOKS                                                                                      \
    (MOVES | BIT(release) | BIT(release_elsewhere) | BIT(wait) | BIT(read) | BIT(release_child))

/* The parts of the file, in their order, and the operations that need them. @ is how many
 * structures there are room for, $ the tree of an export. */
static const struct {
    unsigned needed_by; /* 0: all */
    const char *text;
} parts[] = {
    {BIT(release_elsewhere), "#include <pthread.h>\n"},
    {0,
     "#include <assert.h>\n"
     "#include <stdint.h>\n"
     "struct ArrowArray { int64_t length, null_count, offset, n_buffers, n_children; const void "
     "**buffers;\n"
     "  struct ArrowArray **children, *dictionary; void (*release)(struct ArrowArray *), "
     "*private_data; };\n"
     "struct ArrowDeviceArray { struct ArrowArray array; int64_t device_id; int32_t device_type;\n"
     "  void *sync_event; int64_t reserved[3]; } a[4];\n"
     "struct own { int value, done, parted; struct own *up, *root; const void *buffers[1];\n"
     "  struct ArrowArray here, *children[4]; } pool[@]; int used, live;\n"},
    {EXPORTS | BIT(release_elsewhere),
     "void *let(void *p) { struct ArrowArray *s = p; if (s && s->release) s->release(s); "
     "return 0; }\n"},
    {EXPORTS,
     "static void release(struct ArrowArray *s) { struct own *o = s->private_data;\n"
     "  assert(!o->done && (!o->up || o->up->done) && \"released twice, or before its parent\");\n"
     "  for (int i = o->done = 1; i <= s->n_children; i++) let(s->children[i - 1]);\n"
     "  let(s->dictionary), s->release = 0, live--; }\n"
     "static const char *make(struct ArrowArray *s, const char *t, struct own *up, int v) {\n"
     "  struct own *o = &pool[used++]; struct ArrowArray *c; live++;\n"
     "  o->buffers[0] = &o->value, o->value = v, o->up = up, o->root = up ? up->root : o;\n"
     "  *s = (struct ArrowArray){1, 0, 0, 1, 0, o->buffers, o->children, 0, release, o};\n"
     "  for (; c = &pool[used].here, *t != ')'; t = make(c, t + 1, o, v))\n"
     "    *(*t == '(' ? &o->children[s->n_children++] : &s->dictionary) = c;\n"
     "  return t + 1; }\n"
     "static void e(int i, void *event) { assert(!a[i].array.release && \"nobody releases it\");\n"
     "  make(&a[i].array, \"$\", 0, event ? 0 : 42), a[i].sync_event = event; }\n"},
    {LOOKS, "static struct own *look(int i) { assert(a[i].array.release); "
            "return a[i].array.private_data; }\n"},
    {BIT(read) | BIT(relay),
     "static void whole(struct own *o) { assert(!o->parted && (!o->up || o->up->done)); }\n"},
    {MOVES,
     "static void move(int i, struct ArrowArray *s, int j) { /* all of i, or a part of it, to j "
     "*/\n"
     "  struct own *o = look(i); int part = s != &a[i].array;\n"
     "  assert(!(part ? o->up && !o->up->done : o->parted) && \"a child was moved, its parent "
     "kept\");\n"
     "  assert(s->release && !a[j].array.release && \"moved twice, or over what is live\");\n"
     "  a[j] = a[i], a[j].array = *s, s->release = 0; if (part) o->parted = 1, a[j].sync_event = "
     "0; "
     "}\n"},
    {BIT(wait), "static void w(int i) { struct own *o = look(i); for (int n = 0; n < used; n++)\n"
                "  if (a[i].sync_event && pool[n].root == o) pool[n].value = 42; }\n"},
    {BIT(read),
     "static void r(int i) { whole(look(i));\n"
     "  assert(*(const int *)a[i].array.buffers[0] == 42 && \"read before the wait\"); }\n"},
    {BIT(release), "static void x(int i) { look(i), a[i].array.release(&a[i].array); }\n"},
    {BIT(release_elsewhere),
     "static void t(int i) { pthread_t there; look(i); /* as x, on another thread */\n"
     "  assert(!pthread_create(&there, 0, let, &a[i].array) && !pthread_join(there, 0)); }\n"},
};

/* ---- the program at hand ---- */

struct writing {
    FILE *out;
    size_t column;
    unsigned used;
    size_t exports;
    struct adi_program steps; /* up to the first that is illegal; without those that do nothing */
    const char *rule;
};

/* What it does, on paper. */
static void understand(struct writing *w, const struct adi_program *program,
                       const struct ArrowSchema *schema) {
    struct adi_model model;
    bool elsewhere = false;
    adi_model_init(&model);
    w->rule = NULL;
    for (size_t i = 0; i < program->n && w->rule == NULL; i++) {
        const struct adi_step *step = &program->steps[i];
        bool releases = step->operation == ADI_DO_release || step->operation == ADI_DO_consume;
        if (adi_model_step(&model, step, schema, elsewhere, &w->rule) == ADI_STEP_NOTHING) continue;
        if (step->operation == ADI_DO_release_elsewhere) elsewhere = step->slot == 1;
        w->steps.steps[w->steps.n++] = *step;
        w->exports += (EXPORTS >> step->operation) & 1;
        if (releases) w->used |= elsewhere ? BIT(release_elsewhere) : BIT(release);
        if (step->operation == ADI_DO_consume)
            w->used |= BIT(read) | (w->used & BIT(export_pending) ? BIT(wait) : 0);
        else if (!releases && step->operation != ADI_DO_release_elsewhere)
            w->used |= 1u << step->operation;
    }
    if (w->rule == NULL && !adi_model_is_clean(&model)) w->rule = "life/never-released";
}

/* The tree as brackets behind its opening one: '(' begins a child, '[' the dictionary. Returns how
 * many structures it has. */
static size_t write_tree(FILE *out, const struct ArrowSchema *schema) {
    size_t nodes = 1;
    for (int64_t i = 0; i < schema->n_children && i < ADI_PROGRAM_CHILDREN; i++) {
        if (out != NULL) fputc('(', out);
        nodes += write_tree(out, schema->children[i]);
    }
    if (schema->dictionary != NULL) {
        if (out != NULL) fputc('[', out);
        nodes += write_tree(out, schema->dictionary);
    }
    if (out != NULL) fputc(')', out);
    return nodes;
}

static void write_part(const struct writing *w, const char *text,
                       const struct ArrowSchema *schema) {
    for (; *text != '\0'; text++) {
        if (*text == '@')
            fprintf(w->out, "%zu", write_tree(NULL, schema) * w->exports + 1);
        else if (*text == '$')
            write_tree(w->out, schema);
        else
            fputc(*text, w->out);
    }
}

/* ---- main ---- */

/* Writes a statement in which @ is the step's slot, $ where it goes, # the child. */
static void say(struct writing *w, const char *pattern, const struct adi_step *step) {
    char text[160];
    size_t n = 0;
    for (const char *at = pattern; *at != '\0' && n + 1 < sizeof text; at++)
        text[n++] = *at == '@'   ? (char)('0' + step->slot)
                    : *at == '$' ? (char)('0' + step->to)
                    : *at == '#' ? (char)('0' + step->child)
                                 : *at;
    text[n] = '\0';
    if (w->column > 0 && w->column + 1 + n > COLUMNS) {
        fputc('\n', w->out);
        w->column = 0;
    }
    fprintf(w->out, "%s%s", w->column == 0 ? "  " : " ", text);
    w->column += n + (w->column == 0 ? 2 : 1);
}

static void write_main(struct writing *w) {
    static const char *const patterns[ADI_LIFE_OPERATIONS] = {
        [ADI_DO_export] = "e(@, 0);",
        [ADI_DO_export_pending] = "e(@, a);",
        [ADI_DO_move] = "move(@, &a[@].array, $);",
        [ADI_DO_move_child] = "move(@, a[@].array.children[#], $);",
        [ADI_DO_move_dictionary] = "move(@, a[@].array.dictionary, $);",
        [ADI_DO_wait] = "w(@);",
        [ADI_DO_read] = "r(@);",
        [ADI_DO_relay] = "whole(look(@)), move(@, &a[@].array, $);",
        [ADI_DO_consume] = "r(@);",
        [ADI_DO_release_child] = "look(@), release(a[@].array.children[#]);",
        [ADI_DO_drop] = "a[@].array.release = 0;",
    };
    bool elsewhere = false;
    w->column = (size_t)fprintf(w->out, "int main(void) {");
    for (size_t i = 0; i < w->steps.n; i++) {
        const struct adi_step *step = &w->steps.steps[i];
        bool releases = step->operation == ADI_DO_release || step->operation == ADI_DO_consume;
        if (step->operation == ADI_DO_release_elsewhere) elsewhere = step->slot == 1;
        if (step->operation == ADI_DO_consume && w->used & BIT(wait)) say(w, "w(@);", step);
        if (patterns[step->operation] != NULL) say(w, patterns[step->operation], step);
        if (releases) say(w, elsewhere ? "t(@);" : "x(@);", step);
    }
    say(w, "assert(!live && \"never released\"); }", NULL);
    fputc('\n', w->out);
}

/* ---- all of it ---- */

static void write_all(struct writing *w, const struct ArrowSchema *schema, const char *words) {
    const char *verdict = w->rule == NULL ? "legal" : w->rule;
    fprintf(w->out, "/* %.*s: %s */\n", COLUMNS - 8 - (int)strlen(verdict), words, verdict);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].needed_by == 0 || parts[i].needed_by & w->used)
            write_part(w, parts[i].text, schema);
    write_main(w);
}

int adi_emit_c(const struct adi_program *program, const struct ArrowSchema *schema,
               const char *words, FILE *out) {
    struct writing w = {.column = 0};
    char *text = NULL;
    size_t length, lines = 0;
    w.out = open_memstream(&text, &length);
    if (w.out == NULL) return errno;
    understand(&w, program, schema);
    write_all(&w, schema, words);
    int code = fclose(w.out) == 0 ? 0 : errno;
    for (const char *at = text; code == 0 && *at != '\0'; at++) lines += *at == '\n';
    if (lines > ADI_EMIT_LINES) code = E2BIG;
    if (code == 0) fputs(text, out);
    free(text);
    return code;
}
