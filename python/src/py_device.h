/* SPDX-License-Identifier: Apache-2.0
 *
 * The devices that objects are on. Each is opened when it is first asked for, and stays open: what
 * was exported may be released at any time, on any thread, also when the interpreter is gone.
 */
#ifndef ADI_PY_DEVICE_H
#define ADI_PY_DEVICE_H

#include <stdbool.h>

#include "device.h"
#include "py.h"

/* NULL: there is none, or it cannot be opened. The GIL is held. */
struct adi_device *adi_py_device(ArrowDeviceType type, int64_t id, struct adi_error *error);
/* The first one of a type. */
struct adi_device *adi_py_device_first(ArrowDeviceType type, struct adi_error *error);
/* Where an array is; any device of the type where ids mean nothing by themselves. */
struct adi_device *adi_py_device_of(const struct ArrowDeviceArray *array, struct adi_error *error);
/* Of `name`: "cpu", "cuda", "cuda:1". NULL with ValueError: there is no such name; OSError: nor
 * such a device here. */
struct adi_device *adi_py_device_named(PyObject *name);
/* Has one been opened that is not the CPU? A process that is made by fork cannot use it. */
bool adi_py_device_is_opened(void);
/* Memory of the host. */
struct adi_device *adi_py_cpu(void);
bool adi_py_is_cpu(const struct adi_device *device);

/* "cuda:1", "cpu". */
PyObject *adi_py_device_text(const struct adi_device *device);
/* Every name that can be asked for: a tuple. */
PyObject *adi_py_devices(PyObject *module, PyObject *unused);
/* The types of which there is none, and why: a dict. */
PyObject *adi_py_devices_absent(PyObject *module, PyObject *unused);

/* Whoever calls a device that may wait lets go of the GIL meanwhile, since what it waits for may
 * need it; one thread at a time works with the devices, and may come back to them: what it calls
 * may give up an object of Python's whose memory is on one. Of the CPU's nothing is done. Between
 * the two nothing of Python's may be touched. */
PyThreadState *adi_py_device_enter(const struct adi_device *device);
void adi_py_device_leave(PyThreadState *state);
#define ADI_PY_WITH(device, call)                                                                  \
    do {                                                                                           \
        PyThreadState *adi_py_state_ = adi_py_device_enter(device);                                \
        call;                                                                                      \
        adi_py_device_leave(adi_py_state_);                                                        \
    } while (0)

#endif /* ADI_PY_DEVICE_H */
