/* SPDX-License-Identifier: Apache-2.0
 *
 * ArrowDeviceResolve of a METAL device reads through NULL where nanoarrow was built without Metal,
 * so that an array of such a device crashes its consumer instead of being refused.
 */
#include <nanoarrow/nanoarrow_device.h>

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) _exit(ArrowDeviceResolve(ARROW_DEVICE_METAL, 0) != NULL);
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    int crashed = WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
    printf("ArrowDeviceResolve(ARROW_DEVICE_METAL, 0): %s\n", crashed ? "SIGSEGV" : "returned");
    return crashed ? 0 : 1;
}
