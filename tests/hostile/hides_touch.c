/* SPDX-License-Identifier: Apache-2.0 */
/* Consumes: reads what it must not, and catches the fault itself, by the call that
 * ADI_HOSTILE_CALL names: signal or sigaction. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

#include "hostile.h"

static void misbehave(void) {}

static sigjmp_buf caught;

static void go_on(int number) {
    siglongjmp(caught, number);
}

static void catch (const char *call) {
    struct sigaction action = {.sa_handler = go_on, .sa_flags = SA_NODEFER};
    if (strcmp(call, "signal") == 0)
        signal(SIGSEGV, go_on);
    else
        sigaction(SIGSEGV, &action, NULL);
}

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    const char *call = getenv("ADI_HOSTILE_CALL");
    (void)self, (void)schema, (void)schema_out, (void)host_out;
    if (sigsetjmp(caught, 1) == 0) {
        catch (call == NULL ? "" : call);
        (void)*(volatile char *)in->array.private_data;
    }
    return ENOTSUP;
}

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self, (void)id;
    return type == ARROW_DEVICE_CPU ? ADI_CONSUMES : 0;
}

__attribute__((constructor)) static void change(void) {
    hostile.roles = roles;
    hostile.consume = consume;
}
