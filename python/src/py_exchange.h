/* SPDX-License-Identifier: Apache-2.0
 *
 * DLPack's exchange API: a table of C functions over Python's objects, which the class of an object
 * has as an attribute. dlpack.h, "DLPackExchangeAPI": of 1.3 a capsule, of 1.2 an integer. There is
 * no prose beside the header.
 *
 * What the functions hand out is ordered behind nothing but the current work stream of its device,
 * which is that of our own work. The CPU has none, and devices whose streams have no numbers are
 * not handed out so (docs/ambiguities.md, 79).
 */
#ifndef ADI_PY_EXCHANGE_H
#define ADI_PY_EXCHANGE_H

#include <stdbool.h>

#include "dlpack.h"
#include "py.h"
#include "py_array.h"

#define ADI_PY_EXCHANGE_NAME    "dlpack_exchange_api"
#define ADI_PY_EXCHANGE_CAPSULE "__dlpack_c_exchange_api__"
#define ADI_PY_EXCHANGE_ADDRESS "__c_dlpack_exchange_api__"

/* The reference's table; static. */
const DLPackExchangeAPI *adi_py_exchange_api(void);

/* What its classes have: a capsule, and the address. New references. */
PyObject *adi_py_exchange_capsule(void);
PyObject *adi_py_exchange_address(void);
/* Can the array be handed out so? */
bool adi_py_exchange_is_had(struct adi_py_array *self);

/* The table of a class of somebody else's, of our major version, or an older one that it leads to.
 * NULL without an exception: the class has none; with one: it is none of ours, or no table. */
const DLPackExchangeAPI *adi_py_exchange_of(PyTypeObject *type);

/* The handle of a stream as the number that the Array API has for it: the default one is NULL. */
int64_t adi_py_exchange_number(int32_t device_type, void *handle);

/* The tensor of `object` by such a table, as the caller's, and the stream that it is ordered by in
 * `*stream`. -1 with an exception. */
int adi_py_exchange_ask(const DLPackExchangeAPI *api, PyObject *object, struct adi_dlpack *out,
                        int64_t *stream);

#endif /* ADI_PY_EXCHANGE_H */
