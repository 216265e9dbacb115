/* SPDX-License-Identifier: Apache-2.0
 *
 * The stream of the CUDA Array Interface, judged with queues that are held: what is not waited for
 * has not happened. None where nothing sees the calls of the runtime: nobody is judged there.
 */
#ifndef ADI_PY_CUDA_ORDER_H
#define ADI_PY_CUDA_ORDER_H

#include "py.h"

/* order_consumer(call, shown_of, device, is_later): (what call(shown_of(pointer, stream)) gives,
 * sentences about what it did too early, has it written to it?). Two rows of three int32, 1 to 6,
 * which the stream still has to write. With `is_later` they are there, and the stream writes them
 * anew when `call` has returned: the sentences are about that. */
PyObject *adi_py_order_consumer(PyObject *module, PyObject *arguments);

/* touches(call, argument, device): (what call(argument) gives, sentences about memory of the device
 * that the CPU touched meanwhile; none, where nothing sees that). */
PyObject *adi_py_order_touches(PyObject *module, PyObject *arguments);

/* order_producer(object): what is wrong with the stream that its __cuda_array_interface__ names, a
 * list of (rule, message, seen, wanted): it is asked for while the queues of whoever made it are
 * held. The object is what `make` gives: order_producer(make, device). */
PyObject *adi_py_order_producer(PyObject *module, PyObject *arguments);

/* finish(device): waits for all that this package has queued there. */
PyObject *adi_py_order_finish(PyObject *module, PyObject *name);

#endif /* ADI_PY_CUDA_ORDER_H */
