/* SPDX-License-Identifier: Apache-2.0
 *
 * A producer on METAL, one event of which is never signalled: not when the file named by
 * ADI_TEST_FILE is there, which it makes. So it shows once, as it does of an event that a busy
 * machine keeps from completing.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "../mutants/metal/metal.h"

static bool is_first(void) {
    const char *path = getenv("ADI_TEST_FILE");
    int fd = path == NULL ? -1 : open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

static int late_once(struct adi_device *device, void **sync_event, struct adi_error *error) {
    if (!is_first()) return base.right.event(device, sync_event, error);
    *sync_event = adi_mtl_newEvent(base_metal(device)->device);
    return *sync_event != NULL ? 0 : adi_error_set(error, 12, "no event");
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = late_once;
}
