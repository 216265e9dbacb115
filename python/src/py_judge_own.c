/* SPDX-License-Identifier: Apache-2.0
 *
 * The sample of a producer that takes none: what it exports itself, when it is asked for the first
 * time. All other exports are compared with that.
 */
#include <errno.h>
#include <string.h>

#include "device_types.h"
#include "devices.h"
#include "import.h"
#include "move.h"
#include "play_tensor.h"
#include "py_device.h"
#include "py_error.h"
#include "py_judge.h"
#include "py_stream.h"
#include "sample_own.h"

static struct adi_py_subject *const subject = &adi_py_subject;

#define MOST 8 /* chunks of a stream */

static struct {
    struct ArrowSchema schema;
    struct ArrowArray arrays[MOST]; /* one, but of a stream */
    size_t count;
    struct adi_py_stream_failure failure; /* behind them, or before */
    bool goes_on;                         /* there is more behind them, */
    bool is_cut;                          /* which the case of the stream alone looks at */
    struct adi_dlpack tensor;             /* in place of them, if it is one */
} own;

/* Stands for what cannot be read: the case of the export alone tells why that is. */
static int stand_for(struct adi_error *error) {
    own.count = 1;
    return adi_sample(adi_sample_type_named("int32"), adi_sample_shape_named("many"), 1,
                      &own.schema, &own.arrays[0], error);
}

/* What is not sound is not looked at any further. */
static int read_own(struct ArrowSchema *schema, struct ArrowDeviceArray *exported,
                    struct adi_error *error) {
    struct adi_error why = {""};
    int code = 0;
    if (adi_device_type_find(exported->device_type) == NULL) return EINVAL;
    struct adi_device *device = adi_py_device_of(exported, error);
    if (device == NULL) return ENODEV;
    subject->type = device->ops->type;
    subject->id = device->id;
    if (!adi_play_is_sound(schema, exported, device, &why)) return EINVAL;
    ADI_PY_WITH(device, code = adi_copy_to_host(device, schema, exported, &own.arrays[0], &why));
    if (code != 0) return EINVAL;
    adi_schema_move(schema, &own.schema);
    own.count = 1;
    return 0;
}

static int read_stream(PyObject *object) {
    struct adi_device *device;
    struct adi_error error = {""};
    struct adi_py_stream_bound bound = {
        .chunks = MOST, .rows = INT64_MAX, .bytes = ADI_PY_STREAM_BYTES, .keeps = true};
    size_t n = 0;
    int code =
        adi_py_own_stream(object, &own.schema, own.arrays, &n, &device, &bound, &own.failure);
    own.goes_on = bound.goes_on;
    own.is_cut = bound.is_cut;
    if (device != NULL) {
        subject->type = device->ops->type;
        subject->id = device->id;
    }
    if (code != 0 && !own.failure.of_schema) return -1;
    own.count = n;
    if (code == 0) return 0;
    adi_py_judge_overlook(); /* whatever its schema may be */
    return stand_for(&error) == 0 ? 0 : -1;
}

static void end(void) {
    adi_sample_own_set(NULL, NULL, NULL, 0);
    adi_tensor_sample_own_set(NULL);
    adi_dlpack_delete(&own.tensor);
    adi_schema_release(&own.schema);
    for (size_t i = 0; i < own.count; i++) adi_array_release(&own.arrays[i]);
    own.count = 0;
    own.failure = (struct adi_py_stream_failure){.code = 0};
    own.goes_on = own.is_cut = false;
    if (!subject->keeps_capsules) Py_XDECREF(subject->capsules);
    subject->capsules = NULL;
}

void adi_py_own_end(void) {
    ADI_PY_ASIDE(end());
}

/* Where it is is known also of what cannot be read. */
static int begin_tensor(PyObject *object) {
    struct adi_device *device = NULL;
    int code = adi_py_own_tensor(object, &own.tensor, &device);
    if (device != NULL) {
        subject->type = device->ops->type;
        subject->id = device->id;
    }
    return code;
}

/* AAX-27: that a tensor is refused is told, if it is said where that is. */
static bool is_refusal_of_tensor(PyObject *object) {
    PyObject *type, *value, *trace;
    if (!adi_py_is_tensor(subject->protocol)) return false;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *device = PyObject_CallMethod(object, "__dlpack_device__", NULL);
    bool is_there = device != NULL;
    Py_XDECREF(device);
    adi_py_judge_overlook();
    PyErr_Restore(type, value, trace);
    return is_there;
}

/* Does a case say why there is nothing? What the object has raised comes out of it as it is. */
static bool is_told_in_a_case(PyObject *object) {
    bool is_ours =
        PyErr_ExceptionMatches(PyExc_ValueError) || PyErr_ExceptionMatches(PyExc_TypeError);
    return is_ours && (!subject->is_refused || is_refusal_of_tensor(object));
}

int adi_py_own_begin(void) {
    struct ArrowSchema schema = {.release = NULL};
    struct ArrowDeviceArray exported = {.array.release = NULL};
    struct adi_error error = {""};
    bool is_tensor = adi_py_is_tensor(subject->protocol);
    int code;
    adi_py_own_end();
    subject->type = adi_device_at(0)->type;
    PyObject *object = PyObject_CallNoArgs(subject->callable);
    if (object == NULL) return -1;
    bool is_stream = (subject->protocol & ADI_PY_ARROW_STREAMS) != 0;
    code = is_tensor   ? begin_tensor(object)
           : is_stream ? read_stream(object)
                       : adi_py_ask_array(object, &schema, &exported);
    bool is_given = code == 0, is_told = is_given || is_told_in_a_case(object);
    /* While the object is there: what is gone with it is seen in a case. */
    if (is_given && !is_stream && !is_tensor) code = read_own(&schema, &exported, &error);
    adi_py_drop(object);
    if (!is_given) {
        if (!is_told) return -1;
        adi_py_judge_overlook();
        code = EINVAL;
    }
    subject->is_read = code == 0 && !own.is_cut;
    adi_device_array_release(&exported);
    adi_schema_release(&schema);
    if (code == 0 && is_tensor) adi_tensor_sample_own_set(&own.tensor);
    if (code == EINVAL || is_tensor) code = stand_for(&error);
    if (code == 0) {
        adi_sample_own_set(adi_py_cpu(), &own.schema, own.arrays, own.count);
        adi_sample_own_fails(own.failure.code, own.failure.of_schema);
        if (own.goes_on) adi_sample_own_goes_on();
        return 0;
    }
    adi_py_raise(code, PyExc_NotImplementedError, &error);
    return -1;
}
