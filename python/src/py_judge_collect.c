/* SPDX-License-Identifier: Apache-2.0
 *
 * What waits for the collector of cycles is no leak: it is asked before anybody weighs.
 */
#include "attribution.h"
#include "heap.h"
#include "py_judge.h"

void adi_py_collect_cycles(void) {
    const bool is_enabled = PyGC_IsEnabled() == 1;
    PyGC_Enable();
    PyGC_Collect();
    if (!is_enabled) PyGC_Disable();
}

/* What a consumer keeps in cycles is to be gone. */
void adi_py_judge_collect(void) {
    PyGILState_STATE state = PyGILState_Ensure();
    Py_CLEAR(adi_py_subject.raised);
    adi_py_collect_cycles();
    PyGILState_Release(state);
}

void adi_py_judge_close(struct adi_adapter *adapter) {
    (void)adapter;
    adi_py_judge_collect();
}

struct held {
    int64_t bytes;
    size_t objects; /* of a device's runtime */
};

static struct held held(void) {
    const struct adi_interceptor *interceptor = adi_interceptor_current();
    return (struct held){adi_heap_bytes(), interceptor == NULL ? 0 : interceptor->references()};
}

/* It takes its time, and is asked where more is held than the last time. */
int64_t adi_py_judge_before_weighing(struct adi_adapter *adapter) {
    static struct held last;
    struct held now = held();
    (void)adapter;
    if (now.bytes > last.bytes || now.objects > last.objects) {
        PyGILState_STATE state = PyGILState_Ensure();
        adi_py_collect_cycles();
        PyGILState_Release(state);
        adi_interceptor_settle(); /* of what the collector has freed */
        now = held();
    }
    last = now;
    return -1;
}
