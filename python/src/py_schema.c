/* SPDX-License-Identifier: Apache-2.0 */
#include "py_schema.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "metadata.h"
#include "move.h"
#include "py_capsule.h"
#include "py_error.h"
#include "safe_read.h"
#include "schema.h"
#include "tree.h"
#include "type.h"

struct object {
    PyObject_HEAD struct ArrowSchema schema;
};

static PyTypeObject *type;

/* ---- checking ---- */

#define DEEPEST 64      /* a schema that holds itself ends here */
#define LONGEST 1048576 /* bytes of a text that is looked at */

static int check(const struct ArrowSchema *schema, int depth, struct adi_error *error);

static int check_text(const char *text, const char *what, struct adi_error *error) {
    char *copy = NULL;
    int code = text == NULL ? 0 : adi_safe_reader_string(NULL, text, LONGEST, &copy);
    free(copy);
    return code == 0 || code == ENOMEM ? code : adi_error_set(error, EINVAL, "%s is none", what);
}

/* What is within another may not be there at all: it may be claimed only. */
static int check_within(const struct ArrowSchema *schema, const char *what, int depth,
                        struct adi_error *error) {
    struct ArrowSchema copy;
    uint8_t *metadata = NULL;
    int64_t size;
    if (schema == NULL) return adi_error_set(error, EINVAL, "%s is NULL", what);
    if ((uintptr_t)schema % _Alignof(struct ArrowSchema) != 0 ||
        adi_safe_read(&copy, schema, sizeof copy) != 0)
        return adi_error_set(error, EINVAL, "%s cannot be read", what);
    ADI_TRY(check_text(copy.format, "a format", error));
    ADI_TRY(check_text(copy.name, "a name", error));
    int code = copy.metadata == NULL
                   ? 0
                   : adi_safe_reader_metadata(NULL, copy.metadata, &metadata, &size, error);
    free(metadata);
    if (code != 0) return code == ENOMEM ? code : EINVAL;
    return check(schema, depth, error);
}

static int check_child(const struct ArrowSchema *schema, int64_t which, int depth,
                       struct adi_error *error) {
    struct ArrowSchema *child;
    if (adi_safe_read(&child, &schema->children[which], sizeof child) != 0)
        return adi_error_set(error, EINVAL, "children has no %lld entries",
                             (long long)schema->n_children);
    return check_within(child, "a child", depth, error);
}

static int check(const struct ArrowSchema *schema, int depth, struct adi_error *error) {
    struct adi_type parsed;
    if (schema == NULL) return adi_error_set(error, EINVAL, "a schema is NULL");
    if (schema->release == NULL) return adi_error_set(error, EINVAL, "a schema is released");
    if (depth > DEEPEST) return adi_error_set(error, EINVAL, "deeper than %d levels", DEEPEST);
    if (schema->format == NULL) return adi_error_set(error, EINVAL, "a format is NULL");
    ADI_TRY(adi_type_parse(schema->format, &parsed, error));
    if (schema->n_children < 0 ||
        (parsed.n_children >= 0 && schema->n_children != parsed.n_children) ||
        (schema->n_children > 0 && schema->children == NULL))
        return adi_error_set(error, EINVAL, "\"%s\" with %lld children", schema->format,
                             (long long)schema->n_children);
    for (int64_t i = 0; i < schema->n_children; i++)
        ADI_TRY(check_child(schema, i, depth + 1, error));
    if (schema->dictionary == NULL) return 0;
    if (!parsed.is_integer)
        return adi_error_set(error, EINVAL, "\"%s\" with a dictionary", schema->format);
    return check_within(schema->dictionary, "a dictionary", depth + 1, error);
}

int adi_py_schema_check(const struct ArrowSchema *schema, struct adi_error *error) {
    return check(schema, 0, error);
}

/* ---- objects ---- */

PyObject *adi_py_schema_move(struct ArrowSchema *schema) {
    PyObject *self = PyType_GenericAlloc(type, 0);
    if (self == NULL)
        adi_schema_release(schema);
    else
        adi_schema_move(schema, &((struct object *)self)->schema);
    return self;
}

PyObject *adi_py_schema_copy(const struct ArrowSchema *schema) {
    struct ArrowSchema copy;
    struct adi_error error = {""};
    int code = adi_schema_export(schema, &copy, &error);
    if (code != 0) return adi_py_raise(code, PyExc_NotImplementedError, &error);
    return adi_py_schema_move(&copy);
}

const struct ArrowSchema *adi_py_schema_get(PyObject *object) {
    return Py_TYPE(object) == type ? &((struct object *)object)->schema : NULL;
}

/* The capsule's; NULL with an exception. */
static struct ArrowSchema *within(PyObject *capsule, const char *whose) {
    struct adi_error error = {""};
    struct ArrowSchema *schema = adi_py_capsule_get(capsule, "arrow_schema", whose);
    if (schema == NULL) return NULL;
    int code = adi_py_schema_check(schema, &error);
    if (code == 0) return schema;
    adi_py_raise(code, PyExc_NotImplementedError, &error);
    return NULL;
}

PyObject *adi_py_schema_take(PyObject *module, PyObject *capsule) {
    (void)module;
    struct ArrowSchema *schema = within(capsule, "__arrow_c_schema__"), moved;
    if (schema == NULL) return NULL;
    adi_schema_move(schema, &moved);
    return adi_py_schema_move(&moved);
}

PyObject *adi_py_schema_of(PyObject *module, PyObject *capsule) {
    (void)module;
    struct ArrowSchema *schema = within(capsule, "requested_schema");
    return schema == NULL ? NULL : adi_py_schema_copy(schema);
}

static void dealloc(PyObject *self) {
    PyTypeObject *of = Py_TYPE(self);
    freefunc free_object = (freefunc)PyType_GetSlot(of, Py_tp_free);
    ADI_PY_ASIDE(adi_schema_release(&((struct object *)self)->schema));
    free_object(self);
    Py_DECREF(of);
}

static PyObject *export_schema(PyObject *self, PyObject *unused) {
    (void)unused;
    struct ArrowSchema copy;
    struct adi_error error = {""};
    int code = adi_schema_export(&((struct object *)self)->schema, &copy, &error);
    if (code != 0) return adi_py_raise(code, PyExc_NotImplementedError, &error);
    return adi_py_capsule_schema(&copy);
}

/* ---- made of parts ---- */

/* One level: what it points to belongs to the arguments, until it is exported. */
struct parts {
    struct ArrowSchema schema;
    struct ArrowSchema **children;
    struct adi_pair *pairs;
    char *metadata;
};

static void free_parts(struct parts *parts) {
    free(parts->children);
    free(parts->pairs);
    free(parts->metadata);
}

static int fill_children(PyObject *children, struct parts *parts) {
    Py_ssize_t count = PyTuple_Size(children);
    parts->children = calloc((size_t)count + 1, sizeof *parts->children);
    if (parts->children == NULL) return PyErr_NoMemory() == NULL ? -1 : 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        const struct ArrowSchema *child = adi_py_schema_get(PyTuple_GetItem(children, i));
        if (child == NULL) {
            PyErr_SetString(PyExc_TypeError, "a child is a Schema");
            return -1;
        }
        parts->children[i] = (struct ArrowSchema *)(uintptr_t)child;
    }
    parts->schema.n_children = count;
    parts->schema.children = parts->children;
    return 0;
}

static int fill_metadata(PyObject *metadata, struct parts *parts) {
    PyObject *key, *value;
    Py_ssize_t at = 0, count = PyDict_Size(metadata);
    if (count < 0) return -1;
    parts->pairs = calloc((size_t)count + 1, sizeof *parts->pairs);
    if (parts->pairs == NULL) return PyErr_NoMemory() == NULL ? -1 : 0;
    for (struct adi_pair *pair = parts->pairs; PyDict_Next(metadata, &at, &key, &value); pair++) {
        char *bytes[2];
        Py_ssize_t lengths[2];
        if (PyBytes_AsStringAndSize(key, &bytes[0], &lengths[0]) != 0 ||
            PyBytes_AsStringAndSize(value, &bytes[1], &lengths[1]) != 0)
            return -1;
        *pair = (struct adi_pair){bytes[0], bytes[1], (int32_t)lengths[0], (int32_t)lengths[1]};
    }
    parts->metadata = malloc(adi_metadata_write(parts->pairs, (int32_t)count, NULL));
    if (parts->metadata == NULL) return PyErr_NoMemory() == NULL ? -1 : 0;
    adi_metadata_write(parts->pairs, (int32_t)count, parts->metadata);
    parts->schema.metadata = parts->metadata;
    return 0;
}

static void release_nothing(struct ArrowSchema *schema) {
    schema->release = NULL;
}

PyObject *adi_py_schema(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *metadata, *children, *dictionary, *made = NULL;
    long long flags;
    struct parts parts = {.schema = {.release = release_nothing}};
    struct adi_error error = {""};
    if (!PyArg_ParseTuple(arguments, "szLOO!O", &parts.schema.format, &parts.schema.name, &flags,
                          &metadata, &PyTuple_Type, &children, &dictionary))
        return NULL;
    parts.schema.flags = flags;
    parts.schema.dictionary = (struct ArrowSchema *)(uintptr_t)adi_py_schema_get(dictionary);
    if (fill_children(children, &parts) == 0 &&
        (metadata == Py_None || fill_metadata(metadata, &parts) == 0)) {
        int code = adi_py_schema_check(&parts.schema, &error);
        made = code == 0 ? adi_py_schema_copy(&parts.schema)
                         : adi_py_raise(code, PyExc_NotImplementedError, &error);
    }
    free_parts(&parts);
    return made;
}

/* ---- what it says ---- */

static PyObject *text(const char *from) {
    if (from == NULL) Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(from, (Py_ssize_t)strlen(from), "replace");
}

static PyObject *get_format(PyObject *self, void *unused) {
    (void)unused;
    return text(((struct object *)self)->schema.format);
}

static PyObject *get_name(PyObject *self, void *unused) {
    (void)unused;
    return text(((struct object *)self)->schema.name);
}

static PyObject *get_flags(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLongLong(((struct object *)self)->schema.flags);
}

static PyObject *get_metadata(PyObject *self, void *unused) {
    (void)unused;
    const char *metadata = ((struct object *)self)->schema.metadata;
    struct adi_metadata_reader reader;
    struct adi_pair pair;
    if (metadata == NULL) Py_RETURN_NONE;
    PyObject *all = PyDict_New();
    int code = all == NULL ? ENOMEM : adi_metadata_open(metadata, SIZE_MAX, &reader, NULL);
    while (code == 0 && adi_metadata_next(&reader, &pair, NULL) == 0) {
        PyObject *key = PyBytes_FromStringAndSize(pair.key, pair.key_bytes);
        PyObject *value = PyBytes_FromStringAndSize(pair.value, pair.value_bytes);
        if (key == NULL || value == NULL || PyDict_SetItem(all, key, value) != 0) code = ENOMEM;
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    if (code == 0) return all;
    Py_XDECREF(all);
    return PyErr_Occurred() == NULL ? PyErr_NoMemory() : NULL;
}

static PyObject *get_children(PyObject *self, void *unused) {
    (void)unused;
    const struct ArrowSchema *schema = &((struct object *)self)->schema;
    PyObject *all = PyTuple_New((Py_ssize_t)schema->n_children);
    for (int64_t i = 0; all != NULL && i < schema->n_children; i++) {
        PyObject *child = adi_py_schema_copy(schema->children[i]);
        if (child != NULL && PyTuple_SetItem(all, (Py_ssize_t)i, child) == 0) continue;
        Py_DECREF(all);
        return NULL;
    }
    return all;
}

static PyObject *get_dictionary(PyObject *self, void *unused) {
    (void)unused;
    const struct ArrowSchema *schema = &((struct object *)self)->schema;
    if (schema->dictionary == NULL) Py_RETURN_NONE;
    return adi_py_schema_copy(schema->dictionary);
}

/* (layout, bits, size, type ids, is signed): what values.py builds by. */
static PyObject *get_layout(PyObject *self, void *unused) {
    (void)unused;
    static const char *const names[] = {
        [ADI_LAYOUT_NULL] = "null",
        [ADI_LAYOUT_FIXED] = "fixed",
        [ADI_LAYOUT_BINARY] = "binary",
        [ADI_LAYOUT_VIEW] = "view",
        [ADI_LAYOUT_LIST] = "list",
        [ADI_LAYOUT_LIST_VIEW] = "list_view",
        [ADI_LAYOUT_FIXED_LIST] = "fixed_list",
        [ADI_LAYOUT_STRUCT] = "struct",
        [ADI_LAYOUT_SPARSE_UNION] = "sparse_union",
        [ADI_LAYOUT_DENSE_UNION] = "dense_union",
        [ADI_LAYOUT_RUN_END] = "run_end",
    };
    struct adi_type parsed;
    struct adi_error error = {""};
    int code = adi_type_parse(((struct object *)self)->schema.format, &parsed, &error);
    if (code != 0) return adi_py_raise(code, PyExc_NotImplementedError, &error);
    PyObject *ids = PyTuple_New(parsed.n_type_ids);
    for (int32_t i = 0; ids != NULL && i < parsed.n_type_ids; i++)
        PyTuple_SetItem(ids, i, PyLong_FromLong(parsed.type_ids[i]));
    if (ids == NULL) return NULL;
    return Py_BuildValue("(sLiN)", names[parsed.layout], (long long)parsed.bits, (int)parsed.size,
                         ids);
}

static PyObject *repr(PyObject *self) {
    PyObject *format = get_format(self, NULL);
    if (format == NULL) return NULL;
    PyObject *said = PyUnicode_FromFormat("<adicheck.Schema \"%U\">", format);
    Py_DECREF(format);
    return said;
}

static PyObject *compare(PyObject *self, PyObject *other, int operation) {
    const struct ArrowSchema *a = adi_py_schema_get(self), *b = adi_py_schema_get(other);
    if (a == NULL || b == NULL || (operation != Py_EQ && operation != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    return PyBool_FromLong((adi_schema_compare(a, b, NULL) == 0) == (operation == Py_EQ));
}

static PyGetSetDef members[] = {
    {"format", get_format, NULL, "the format string of the C data interface", NULL},
    {"name", get_name, NULL, "the name of the field, or None", NULL},
    {"flags", get_flags, NULL, "bits of the ARROW_FLAG_ values", NULL},
    {"metadata", get_metadata, NULL, "keys and values as bytes, or None", NULL},
    {"children", get_children, NULL, "a tuple of Schemas", NULL},
    {"dictionary", get_dictionary, NULL, "the Schema of the values of a dictionary, or None", NULL},
    {"_layout", get_layout, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"__arrow_c_schema__", export_schema, METH_NOARGS, "The type, as a capsule."},
    {NULL, NULL, 0, NULL},
};

int adi_py_schema_begin(PyObject *module) {
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, dealloc},
        {Py_tp_repr, repr},
        {Py_tp_richcompare, compare},
        {Py_tp_hash, PyObject_HashNotImplemented},
        {Py_tp_getset, members},
        {Py_tp_methods, methods},
        {Py_tp_doc, "A type of Arrow's: adicheck.schema() makes one."},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "adicheck.Schema",
        .basicsize = sizeof(struct object),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    type = (PyTypeObject *)PyType_FromSpec(&spec);
    return type == NULL ? -1 : PyModule_AddObjectRef(module, "Schema", (PyObject *)type);
}
