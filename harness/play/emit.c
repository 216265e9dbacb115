/* SPDX-License-Identifier: Apache-2.0 */
#include "emit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 99

#define BIT(name) (UINT64_C(1) << ADI_DO_##name)
/* What is done to whatever there is, done to something else than an array. */
#define FIRST_SHARED    48 /* bit */
#define OF_STREAM(name) (BIT(name) << FIRST_SHARED)
#define OF_SCHEMA(name) (BIT(name) << (FIRST_SHARED + 8))
_Static_assert(ADI_LIFE_OPERATIONS <= FIRST_SHARED, "bits of operations");

#define STREAM_EXPORTS                                                                             \
    (BIT(stream_export) | BIT(stream_export_pending) | BIT(stream_export_failing))
#define STREAMS                                                                                    \
    (STREAM_EXPORTS | BIT(stream_schema) | BIT(stream_next) | BIT(stream_error) |                  \
     BIT(stream_relay) | BIT(stream_consume) | BIT(schema_read) | OF_STREAM(move) |                \
     OF_STREAM(release) | OF_STREAM(release_elsewhere))
#define EXPORTS (BIT(export) | BIT(export_pending))
#define MOVES   (BIT(move) | BIT(move_child) | BIT(move_dictionary) | BIT(relay))

#define LOOKS                                                                                      \
    (MOVES | BIT(release) | BIT(release_elsewhere) | BIT(wait) | BIT(read) | BIT(release_child))

/* The parts of the file, in their order, and the operations that need them. @ is how many
 * structures there are room for, $ the tree of an export, ` how a slot is seen to be free. */
static const struct {
    uint64_t needed_by; /* 0: all */
    const char *text;
} parts[] = {
    {BIT(release_elsewhere) | OF_STREAM(release_elsewhere) | OF_SCHEMA(release_elsewhere),
     "#include <pthread.h>\n"},
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
    {STREAMS,
     "struct ArrowSchema { const char *format, *name, *metadata; int64_t flags, n_children;\n"
     "  struct ArrowSchema **children, *dictionary; void (*release)(struct ArrowSchema *);\n"
     "  void *private_data; } h[4];\n"
     "struct ArrowDeviceArrayStream { int32_t device_type;\n"
     "  int (*get_schema)(struct ArrowDeviceArrayStream *, struct ArrowSchema *);\n"
     "  int (*get_next)(struct ArrowDeviceArrayStream *, struct ArrowDeviceArray *);\n"
     "  const char *(*get_last_error)(struct ArrowDeviceArrayStream *);\n"
     "  void (*release)(struct ArrowDeviceArrayStream *); void *private_data; } s[4];\n"
     "int idle(int i) { return !a[i].array.release && !s[i].release && !h[i].release; }\n"},
    {EXPORTS | STREAM_EXPORTS | BIT(release_elsewhere),
     "void *let(void *p) { struct ArrowArray *s = p; if (s && s->release) s->release(s); "
     "return 0; }\n"},
    {EXPORTS | STREAM_EXPORTS,
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
     "  return t + 1; }\n"},
    {EXPORTS, "static void e(int i, void *event) { assert(` && \"nobody releases it\");\n"
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
     "  assert(s->release && `j && \"moved twice, or over what is live\");\n"
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
    {STREAMS, "struct from { int n, pending, fails, failed; } froms[@]; int made;\n"
              "struct from *from(int i) { assert(s[i].release); return s[i].private_data; }\n"},
    {STREAM_EXPORTS,
     "static void end(struct ArrowSchema *t) { t->release = 0, live--; }\n"
     "static int schema(struct ArrowDeviceArrayStream *t, struct ArrowSchema *out) {\n"
     "  ((struct from *)t->private_data)->failed = 0, live++;\n"
     "  return *out = (struct ArrowSchema){.format = \"+s\", .name = \"\", .release = end}, 0; }\n"
     "static int next(struct ArrowDeviceArrayStream *t, struct ArrowDeviceArray *out) {\n"
     "  struct from *f = t->private_data; if ((f->failed = !f->n && f->fails)) return 5;\n"
     "  if (!f->n) return out->array.release = 0, 0; /* the end */\n"
     "  f->n--, make(&out->array, \"$\", 0, f->pending ? 0 : 42);\n"
     "  out->sync_event = f->pending ? f : 0; return 0; }\n"
     "static const char *error(struct ArrowDeviceArrayStream *t) {\n"
     "  assert(((struct from *)t->private_data)->failed && \"nothing has failed\"); return 0; }\n"
     "static void over(struct ArrowDeviceArrayStream *t) { t->release = 0, live--; }\n"
     "static void se(int i, int pending, int fails) { assert(idle(i) && \"nobody releases it\");\n"
     "  froms[made] = (struct from){fails ? 1 : 2, pending, fails, 0}, live++;\n"
     "  s[i] = (struct ArrowDeviceArrayStream){1, schema, next, error, over, &froms[made++]}; "
     "}\n"},
    {BIT(stream_next),
     "static void sn(int i, int j) { from(i); assert(idle(j)); s[i].get_next(&s[i], &a[j]); }\n"},
    {BIT(stream_schema),
     "static void sh(int i, int j) { from(i); assert(idle(j)); s[i].get_schema(&s[i], &h[j]); }\n"},
    {BIT(stream_consume),
     "static void su(int i) { struct from *f = from(i); /* and each chunk is released */\n"
     "  for (struct ArrowDeviceArray c = {0}; !s[i].get_next(&s[i], &c) && c.array.release;) {\n"
     "    if (f->pending) ((struct own *)c.array.private_data)->value = 42; /* waited for */\n"
     "    assert(*(const int *)c.array.buffers[0] == 42), let(&c.array); }\n"
     "  s[i].release(&s[i]); }\n"},
    {OF_STREAM(move) | BIT(stream_relay),
     "static void sm(int i, int j) { from(i); assert(idle(j)); s[j] = s[i], s[i].release = 0; }\n"},
    {OF_SCHEMA(move), "static void hm(int i, int j) { assert(h[i].release && idle(j));\n"
                      "  h[j] = h[i], h[i].release = 0; }\n"},
    {OF_STREAM(release_elsewhere),
     "static void *sgo(void *p) { struct ArrowDeviceArrayStream *t = p; t->release(t); return 0; "
     "}\n"
     "static void st(int i) { pthread_t there; from(i); /* on another thread */\n"
     "  assert(!pthread_create(&there, 0, sgo, &s[i]) && !pthread_join(there, 0)); }\n"},
    {OF_SCHEMA(release_elsewhere),
     "static void *hgo(void *p) { struct ArrowSchema *t = p; t->release(t); return 0; }\n"
     "static void ht(int i) { pthread_t there; assert(h[i].release);\n"
     "  assert(!pthread_create(&there, 0, hgo, &h[i]) && !pthread_join(there, 0)); }\n"},
};

/* ---- the program at hand ---- */

struct writing {
    FILE *out;
    size_t column;
    uint64_t used;
    size_t exports;           /* arrays that come about */
    struct adi_program steps; /* up to the first that is illegal; without those that do nothing */
    enum adi_life_kind kinds[ADI_PROGRAM_STEPS]; /* what each is done to */
    const char *rule;
};

/* What an operation on whatever there is is done to: what lies, or last lay, in its slot. */
static enum adi_life_kind kind_of(const struct adi_step *step,
                                  const enum adi_life_kind last[ADI_PROGRAM_SLOTS]) {
    enum adi_life_kind kind = adi_life_kind_of_operation(step->operation);
    return kind == ADI_LIFE_place ? last[step->slot] : kind;
}

static void note_kinds(const struct adi_model *model, const struct adi_step *step,
                       enum adi_life_kind last[ADI_PROGRAM_SLOTS]) {
    bool gives = adi_step_has(step, 'T') && adi_life_is_free(model->slots[step->to].state);
    if (gives) last[step->to] = ADI_LIFE_array; /* it is the end of a stream, or nothing came */
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++)
        if (!adi_life_is_free(model->slots[i].state))
            last[i] = adi_life_kind_of(model->slots[i].state);
}

static uint64_t uses(const struct writing *w, const struct adi_step *step, enum adi_life_kind kind,
                     bool elsewhere) {
    bool releases = step->operation == ADI_DO_release || step->operation == ADI_DO_consume;
    uint64_t used = 0;
    if (step->operation == ADI_DO_release_elsewhere) return used;
    if (releases) used = elsewhere ? BIT(release_elsewhere) : BIT(release);
    if (step->operation == ADI_DO_consume)
        used |= BIT(read) |
                (w->used & (BIT(export_pending) | BIT(stream_export_pending)) ? BIT(wait) : 0);
    if (!releases) used |= UINT64_C(1) << step->operation;
    if (adi_life_kind_of_operation(step->operation) != ADI_LIFE_place) return used;
    return kind == ADI_LIFE_stream   ? used << FIRST_SHARED
           : kind == ADI_LIFE_schema ? used << (FIRST_SHARED + 8)
                                     : used;
}

/* What it does, on paper. */
static void understand(struct writing *w, const struct adi_program *program,
                       const struct ArrowSchema *schema) {
    struct adi_model model;
    enum adi_life_kind last[ADI_PROGRAM_SLOTS];
    bool elsewhere = false;
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++) last[i] = ADI_LIFE_array;
    adi_model_init(&model);
    w->rule = NULL;
    for (size_t i = 0; i < program->n && w->rule == NULL; i++) {
        const struct adi_step *step = &program->steps[i];
        const enum adi_life_kind kind = kind_of(step, last);
        if (adi_model_step(&model, step, schema, elsewhere, &w->rule) == ADI_STEP_NOTHING) continue;
        if (step->operation == ADI_DO_release_elsewhere) elsewhere = step->slot == 1;
        w->kinds[w->steps.n] = kind;
        w->steps.steps[w->steps.n++] = *step;
        w->exports += (EXPORTS >> step->operation) & 1;
        w->exports += 2 * ((STREAM_EXPORTS >> step->operation) & 1);
        w->used |= uses(w, step, kind, elsewhere);
        note_kinds(&model, step, last);
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

/* That a slot is free: "`j" of slot j, "`" of slot i. Returns how many characters it took. */
static int write_free(const struct writing *w, char slot) {
    bool named = slot == 'j';
    fprintf(w->out, w->used & STREAMS ? "idle(%c)" : "!a[%c].array.release", named ? 'j' : 'i');
    return named;
}

static void write_part(const struct writing *w, const char *text,
                       const struct ArrowSchema *schema) {
    for (; *text != '\0'; text++) {
        if (*text == '@')
            fprintf(w->out, "%zu", write_tree(NULL, schema) * w->exports + 1);
        else if (*text == '$')
            write_tree(w->out, schema);
        else if (*text == '`')
            text += write_free(w, text[1]);
        else
            fputc(*text, w->out);
    }
}

/* ---- main ---- */

/* Writes a statement in which @ is the step's slot, $ where it goes, # the child. NULL: it has none
 * of them. */
static void say(struct writing *w, const char *pattern, const struct adi_step *step) {
    static const struct adi_step none;
    if (step == NULL) step = &none;
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
    [ADI_DO_stream_export] = "se(@, 0, 0);",
    [ADI_DO_stream_export_pending] = "se(@, 1, 0);",
    [ADI_DO_stream_export_failing] = "se(@, 0, 1);",
    [ADI_DO_stream_next] = "sn(@, $);",
    [ADI_DO_stream_schema] = "sh(@, $);",
    [ADI_DO_stream_relay] = "sm(@, $);",
    [ADI_DO_stream_consume] = "su(@);",
    [ADI_DO_stream_error] = "from(@), s[@].get_last_error(&s[@]);",
    [ADI_DO_schema_read] = "assert(h[@].release);",
};

/* What is done to whatever there is. */
static const struct on_kind {
    enum adi_life_kind kind;
    const char *move, *drop, *release, *elsewhere;
} on_kinds[] = {
    {ADI_LIFE_stream, "sm(@, $);", "s[@].release = 0;", "from(@), s[@].release(&s[@]);", "st(@);"},
    {ADI_LIFE_schema, "hm(@, $);", "h[@].release = 0;",
     "assert(h[@].release), h[@].release(&h[@]);", "ht(@);"},
};

static const char *pattern_of(enum adi_life_operation operation, enum adi_life_kind kind,
                              bool elsewhere) {
    if (adi_life_kind_of_operation(operation) == ADI_LIFE_place)
        for (size_t i = 0; i < sizeof on_kinds / sizeof *on_kinds; i++)
            if (on_kinds[i].kind == kind)
                return operation == ADI_DO_move   ? on_kinds[i].move
                       : operation == ADI_DO_drop ? on_kinds[i].drop
                       : elsewhere                ? on_kinds[i].elsewhere
                                                  : on_kinds[i].release;
    if (operation == ADI_DO_release) return elsewhere ? "t(@);" : "x(@);";
    return patterns[operation];
}

static void write_main(struct writing *w) {
    bool elsewhere = false;
    w->column = (size_t)fprintf(w->out, "int main(void) {");
    for (size_t i = 0; i < w->steps.n; i++) {
        const struct adi_step *step = &w->steps.steps[i];
        bool is_switch = step->operation == ADI_DO_release_elsewhere;
        if (is_switch) elsewhere = step->slot == 1;
        if (is_switch) continue;
        if (step->operation == ADI_DO_consume && w->used & BIT(wait)) say(w, "w(@);", step);
        say(w, pattern_of(step->operation, w->kinds[i], elsewhere), step);
        if (step->operation == ADI_DO_consume) say(w, elsewhere ? "t(@);" : "x(@);", step);
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

/* Is there C for all that it does? */
static bool is_known(const struct adi_program *program) {
    for (size_t i = 0; i < program->n; i++) {
        enum adi_life_operation operation = program->steps[i].operation;
        bool shared = adi_life_kind_of_operation(operation) == ADI_LIFE_place;
        if (!shared && patterns[operation] == NULL) return false;
    }
    return true;
}

int adi_emit_c(const struct adi_program *program, const struct ArrowSchema *schema,
               const char *words, FILE *out, struct adi_error *error) {
    struct writing w = {.column = 0};
    char *text = NULL;
    size_t length, lines = 0;
    if (!is_known(program))
        return adi_error_set(error, ENOTSUP, "it writes programs of arrays and streams alone");
    w.out = open_memstream(&text, &length);
    if (w.out == NULL) return adi_error_set(error, errno, "no memory for a program");
    understand(&w, program, schema);
    write_all(&w, schema, words);
    const size_t most = w.used & STREAMS ? ADI_EMIT_LINES_OF_STREAMS : ADI_EMIT_LINES;
    int code = fclose(w.out) == 0 ? 0 : adi_error_set(error, errno, "no memory for a program");
    for (const char *at = text; code == 0 && *at != '\0'; at++) lines += *at == '\n';
    if (lines > most)
        code = adi_error_set(error, E2BIG, "the program does not fit into %zu lines", most);
    if (code == 0) fputs(text, out);
    free(text);
    return code;
}
