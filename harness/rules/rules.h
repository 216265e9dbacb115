/* SPDX-License-Identifier: Apache-2.0
 *
 * How a row of a family's .def reads. A file that includes rules/all.def defines RULE first; what
 * RULE is given for a row expands to consecutive members of struct adi_rule, in their order:
 *
 *   RULE(id, level, basis, party, WHERE, SINCE(major, minor), statement, FOUND, implies, mend)
 *
 * WHERE is one of the macros below. FOUND is CHECK(name, how) for a predicate adi_holds_NAME,
 * MONITOR(how), CASE(how), or IN_PYTHON(how): that only the package for Python sees.
 */
#ifndef ADI_RULES_H
#define ADI_RULES_H

/* The C data interface: a member of a structure, or a section. */
#define SCHEMA_MEMBER(member)   "C data interface", "ArrowSchema." #member, "c.ArrowSchema." #member
#define ARRAY_MEMBER(member)    "C data interface", "ArrowArray." #member, "c.ArrowArray." #member
#define C_DATA(section, anchor) "C data interface", section, anchor

/* The C Device data interface. */
#define DEVICE_MEMBER(member)                                                                      \
    "C Device data interface", "ArrowDeviceArray." #member, "c.ArrowDeviceArray." #member
#define DEVICE_STREAM_MEMBER(member)                                                               \
    "C Device data interface", "ArrowDeviceArrayStream." #member,                                  \
        "c.ArrowDeviceArrayStream." #member
#define C_DEVICE(section, anchor) "C Device data interface", section, anchor

/* Its asynchronous streams: a member of a structure. */
#define ASYNC_HANDLER(member)                                                                      \
    "C Device data interface", "ArrowAsyncDeviceStreamHandler." member,                            \
        "c.ArrowAsyncDeviceStreamHandler." member
#define ASYNC_PRODUCER(member)                                                                     \
    "C Device data interface", "ArrowAsyncProducer." member, "c.ArrowAsyncProducer." member
#define ASYNC_TASK(member)                                                                         \
    "C Device data interface", "ArrowArrayTask." member, "c.ArrowArrayTask." member

/* The C stream interface. */
#define C_STREAM(section, anchor) "C stream interface", section, anchor

/* The columnar format, which the C data interface refers to for the content of buffers. */
#define COLUMNAR(section, anchor) "Columnar format", section, anchor

/* DLPack: a member of a structure of dlpack.h, or a type; a section of its Python specification;
 * and of the Array API standard, which names the arguments. */
#define DLPACK(member, anchor)         "dlpack.h", member, anchor
#define DLPACK_PYTHON(section, anchor) "Python specification for DLPack", section, anchor
#define ARRAY_API(section)             "Array API standard", section, "array_api.array.__dlpack__"

/* The PyCapsule interface of Arrow. */
#define PYCAPSULE(section, anchor) "PyCapsule interface", section, anchor

/* Memory in Python: the CUDA Array Interface, NumPy's array interface, CPython's buffer protocol.
 */
#define CUDA_ARRAY(section, anchor)      "CUDA Array Interface", section, anchor
#define ARRAY_INTERFACE(section, anchor) "Array interface protocol", section, anchor
#define PY_BUFFER(section, anchor)       "Buffer protocol", section, anchor

/* What no Arrow document says: the contract of an adapter, and what a host program relies on. */
#define ADAPTER(section) "adicheck adapter contract", section, "adapter.h"

#define SINCE(major, minor) major, minor

#endif /* ADI_RULES_H */
