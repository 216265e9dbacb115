/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: for each export a graph is made, instantiated and destroyed, an object of the program's
 * that graphs may keep, too, and memory is registered for a while.
 */
#include <errno.h>

#include "cuda/cuda.h"

static char own[9000];

static void let_go(void *unused) {
    (void)unused;
}

static int failed(void) {
    CUgraph graph;
    CUgraphNode node;
    CUgraphExec exec;
    CUuserObject object;
    return CU(cuGraphCreate)(&graph, 0) != 0 ||
           CU(cuGraphAddEmptyNode)(&node, graph, NULL, 0) != 0 ||
           CU(cuGraphInstantiateWithFlags)(&exec, graph, 0) != 0 ||
           CU(cuGraphDestroy)(graph) != 0 || CU(cuGraphExecDestroy)(exec) != 0 ||
           CU(cuUserObjectCreate)(&object, NULL, let_go, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC) !=
               0 ||
           CU(cuUserObjectRelease)(object, 1) != 0 ||
           CU(cuMemHostRegister)(own, sizeof own, 0) != 0 || CU(cuMemHostUnregister)(own) != 0;
}

static int event_behind_them(struct adi_device *device, void **sync_event,
                             struct adi_error *error) {
    return failed() ? EIO : base.right.event(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(OF_DEVICE);
    base.ops.event = event_behind_them;
}
