/* SPDX-License-Identifier: Apache-2.0
 *
 * A correct producer that is slow: the one of the README, which takes ADI_TEST_SLOW milliseconds a
 * call. With ADI_TEST_HANGS its call of that number never returns.
 */
#include <adapter.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long number_of(const char *variable) {
    const char *text = getenv(variable);
    return text == NULL ? 0 : strtol(text, NULL, 10);
}

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self, (void)id;
    return type == ARROW_DEVICE_CPU ? ADI_PRODUCES : 0;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    static long calls;
    (void)self, (void)id;
    long ms = number_of("ADI_TEST_SLOW");
    calls++;
    while (calls == number_of("ADI_TEST_HANGS")) pause();
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
    *schema_out = *schema;
    *out = (struct ArrowDeviceArray){.array = *host, .device_id = -1, .device_type = type};
    schema->release = NULL;
    host->release = NULL;
    return 0;
}

struct adi_adapter *adi_adapter(void) {
    static struct adi_adapter slow = {sizeof slow, ADI_ADAPTER_VERSION, "slow",
                                      "1",         .roles = roles,      .produce = produce};
    return &slow;
}
