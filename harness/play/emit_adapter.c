/* SPDX-License-Identifier: Apache-2.0
 *
 * A program with an implementation in it, as a program in C: the sample, the steps as words, and
 * emit_adapter.inc, which is the same for all: what plays them, with structures that insist on the
 * contract.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "execution.h"
#include "metadata.h"
#include "move.h"
#include "node.h"
#include "type.h"

#define COLUMNS 99
#define SAMPLES 6  /* the most: a ring of five comes round */
#define FEW     3  /* buffers whose size the type tells; as in the text, */
#define DATA    -1 /* which says what these are */

/* Line by line; the sample and the steps take the place of the comment @. */
static const char *const text[] = {
#include "emit_adapter.inc"
};
#define LINES (sizeof text / sizeof text[0])

struct writing {
    FILE *out;
    size_t nodes; /* written so far */
};

/* ---- the sample ---- */

/* What is no plain character is written as three octal digits, which no digit can make longer. */
static void write_string(FILE *out, const char *from) {
    if (from == NULL) {
        fputs("NULL", out);
        return;
    }
    fputc('"', out);
    for (; *from != '\0'; from++) {
        bool plain = *from >= ' ' && *from <= '~' && strchr("\"\\?", *from) == NULL;
        fprintf(out, plain ? "%c" : "\\%03o", (unsigned char)*from);
    }
    fputc('"', out);
}

static void write_bytes(FILE *out, const char *name, size_t node, int64_t index, const void *from,
                        size_t size) {
    const unsigned char *at = from;
    int column =
        fprintf(out, "static const unsigned char %s%zu_%" PRId64 "[] = {", name, node, index);
    for (size_t i = 0; i < size; i++) {
        char byte[8];
        int length = snprintf(byte, sizeof byte, "%u,", at[i]);
        if (column + length > COLUMNS) column = fprintf(out, "\n    ") - 1;
        column += fprintf(out, "%s", byte);
    }
    fputs("};\n", out);
}

static int write_buffers(struct writing *w, size_t me, const struct adi_type *type,
                         const struct ArrowArray *array, struct adi_error *error) {
    int64_t n = array->n_buffers, sizes;
    for (int64_t i = 0; i < n; i++) {
        if (array->buffers[i] == NULL) continue;
        ADI_TRY(adi_type_buffer_bytes(type, array, i, NULL, &sizes, error));
        if (sizes > 0) write_bytes(w->out, "data", me, i, array->buffers[i], (size_t)sizes);
    }
    if (n == 0) return 0;
    fprintf(w->out, "static const struct bytes buffers%zu[] = {", me);
    for (int64_t i = 0; i < n; i++) {
        sizes = 0;
        if (array->buffers[i] != NULL)
            ADI_TRY(adi_type_buffer_bytes(type, array, i, NULL, &sizes, error));
        if (sizes > 0)
            fprintf(w->out, "{data%zu_%" PRId64 ", %" PRId64 "},", me, i, sizes);
        else
            fputs(array->buffers[i] == NULL ? "{NULL, 0}," : "{\"\", 0},", w->out);
    }
    fputs("};\n", w->out);
    return 0;
}

/* The bits of a value in buffer `index`, below 0 those of one value more. */
static int64_t bits_of(const struct adi_type *type, int64_t index) {
    if (index >= adi_type_buffers(type)) return 0;
    enum adi_buffer_role role = adi_type_role(type, index, FEW);
    int64_t bits = role == ADI_BUFFER_DATA ? DATA : adi_bits_of_role(type, role);
    bool one_more = role == ADI_BUFFER_OFFSETS && type->layout != ADI_LAYOUT_DENSE_UNION &&
                    type->layout != ADI_LAYOUT_LIST_VIEW;
    return one_more ? -bits : bits;
}

/* Writes what the nodes point to, parents first; the nodes themselves go to `list`. */
static int write_node(struct writing *w, FILE *list, const struct ArrowSchema *schema,
                      const struct ArrowArray *array, struct adi_error *error) {
    struct adi_type type;
    size_t me = w->nodes++, metadata = 0;
    ADI_TRY(adi_type_parse(schema->format, &type, error));
    if (schema->metadata != NULL) {
        metadata = adi_metadata_bytes(schema->metadata);
        write_bytes(w->out, "metadata", me, 0, schema->metadata, metadata);
    }
    ADI_TRY(write_buffers(w, me, &type, array, error));
    fputs("    {", list);
    write_string(list, schema->format);
    fputs(", ", list);
    write_string(list, schema->name);
    if (metadata > 0)
        fprintf(list, ", {metadata%zu_0, %zu}", me, metadata);
    else
        fputs(", {NULL, 0}", list);
    fprintf(list, ", %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64, schema->flags, array->length,
            array->null_count, array->offset);
    fprintf(list, ", %" PRId64 ", %" PRId64 ", %d, %d", array->n_buffers, array->n_children,
            array->dictionary != NULL, type.layout == ADI_LAYOUT_VIEW);
    fprintf(list, ", {%" PRId64 ", %" PRId64 ", %" PRId64 "}, ", bits_of(&type, 0),
            bits_of(&type, 1), bits_of(&type, 2));
    fprintf(list, array->n_buffers == 0 ? "NULL},\n" : "buffers%zu},\n", me);
    for (int64_t i = 0; i < array->n_children; i++)
        ADI_TRY(write_node(w, list, schema->children[i], array->children[i], error));
    if (array->dictionary == NULL) return 0;
    return write_node(w, list, schema->dictionary, array->dictionary, error);
}

/* With other values for every export, as a run has them: what is laid over another shows. */
static int write_sample(struct writing *w, const struct adi_emit *emit, size_t which,
                        struct adi_error *error) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    char *list = NULL;
    size_t length;
    ADI_TRY(adi_sample(emit->type, emit->shape, emit->seed + which, &schema, &array, error));
    FILE *nodes = open_memstream(&list, &length);
    int code = nodes == NULL ? errno : write_node(w, nodes, &schema, &array, error);
    if (nodes != NULL && fclose(nodes) != 0 && code == 0) code = errno;
    if (code == 0) fprintf(w->out, "static const struct node sample%zu[] = {\n%s};\n", which, list);
    free(list);
    adi_array_release(&array);
    adi_schema_release(&schema);
    return code;
}

/* How many arrays come about by an export, at most. */
static size_t arrays_of(enum adi_life_operation operation) {
    if (!adi_life_puts(operation)) return 0;
    return adi_life_kind_of_operation(operation) == ADI_LIFE_array ? 1 : 2;
}

static int write_samples(struct writing *w, const struct adi_emit *emit, struct adi_error *error) {
    size_t n = 0;
    for (size_t i = 0; i < emit->program->n && n < ADI_EXECUTION_VALUES; i++)
        n += arrays_of(emit->program->steps[i].operation);
    if (n > ADI_EXECUTION_VALUES) n = ADI_EXECUTION_VALUES;
    for (size_t i = 0; i < n || i == 0; i++) ADI_TRY(write_sample(w, emit, i, error));
    fputs("static const struct node *const samples[] = {", w->out);
    for (size_t i = 0; i < n || i == 0; i++) fprintf(w->out, "%ssample%zu", i > 0 ? ", " : "", i);
    fputs("};\n", w->out);
    return 0;
}

/* ---- all of it ---- */

static void write_steps(const struct writing *w, const struct adi_emit *emit) {
    const struct adi_program *program = emit->program;
    char word[ADI_STEP_TEXT];
    fprintf(w->out, "\nstatic const char *const library = ");
    write_string(w->out, emit->library);
    fprintf(w->out, ";\nstatic const char *const as = ");
    write_string(w->out, emit->as);
    fprintf(w->out, ";\nstatic const char *const steps[] = {");
    for (size_t i = 0; i < program->n; i++)
        fprintf(w->out, "%s\"%s\",",
                i % 12 == 11 ? "\n    "
                : i > 0      ? " "
                             : "",
                adi_step_text(&program->steps[i], word));
    /* A step makes a tree of schemas and one of arrays at most; who makes a stream asks for as many
     * schemas as it likes, and there is room for some. Before the first asynchronous stream of the
     * program two others are tried. */
    fprintf(w->out, "};\nenum { OWN = %zu, SOURCES = %zu };\n",
            16 * w->nodes * (program->n + 1) + 1, program->n + 2);
}

int adi_emit_c_adapter(const struct adi_emit *emit, FILE *out, struct adi_error *error) {
    struct writing w = {.out = out};
    fprintf(
        out,
        "/* %s\n *\n"
        " *   cc $(pkg-config --cflags adicheck) it.c -o it -pthread -ldl && ./it [LIBRARY]\n"
        " *   cc -I build/include it.c -o it -pthread -ldl && ./it [LIBRARY]\n"
        " *\n"
        " * the second where nothing is installed: the folder that adicheck/adapter.h lies in.\n"
        " * Exits with 0 where every step keeps the life cycle, and with 2 where the\n"
        " * implementation refuses; else an assertion fails, or it faults. What leaks, and values\n"
        " * that were wrong when they came out, it does not see. */\n",
        emit->words);
    for (size_t i = 0; i < LINES; i++) {
        bool here = strcmp(text[i], "/* @ */\n") == 0;
        if (here) ADI_TRY(write_samples(&w, emit, error));
        if (here) write_steps(&w, emit);
        if (!here) fputs(text[i], out);
    }
    return fflush(out) == 0 ? 0 : adi_error_set(error, errno, "%s", strerror(errno));
}
