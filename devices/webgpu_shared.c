/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "webgpu_internal.h"

static struct adi_webgpu shared[ADI_WEBGPU_IDS];
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

/* What is shared is the harness's, whoever opens it first: until `end` this thread's calls are. */
static bool own_begin(void) {
    const struct adi_interceptor *sees = adi_webgpu_interceptor();
    return sees != NULL && sees->enter(false);
}

static void own_end(bool before) {
    const struct adi_interceptor *sees = adi_webgpu_interceptor();
    if (sees != NULL) sees->enter(before);
}

int adi_webgpu_ids(const struct adi_webgpu_api *api) {
    return api->n_adapters == 1 ? 2 : (int)api->n_adapters;
}

static int make(struct adi_webgpu *webgpu, int64_t id, struct adi_error *error) {
    const struct adi_webgpu_api *api = adi_webgpu_api(error);
    struct adi_webgpu_told told = {.came = false};
    if (api == NULL) return ENODEV;
    if (id < 0 || id >= adi_webgpu_ids(api))
        return adi_error_set(error, ENODEV, "there is no webgpu:%" PRId64 ", only 0 to %d", id,
                             adi_webgpu_ids(api) - 1);
    memset(webgpu, 0, sizeof *webgpu);
    void *adapter = api->adapters[api->n_adapters == 1 ? 0 : id];
    api->layout->request_device(api, adapter, webgpu, &told);
    if (!told.came || !told.is_good || told.handle == NULL)
        return adi_error_set(error, ENODEV, "wgpuAdapterRequestDevice: %s",
                             told.text[0] != '\0' ? told.text : "no device came");
    webgpu->id = id;
    webgpu->api = api;
    webgpu->device = told.handle;
    webgpu->queue = api->DeviceGetQueue(webgpu->device);
    adi_webgpu_learn(webgpu);
    return 0;
}

int adi_webgpu_open(int64_t id, struct adi_webgpu **out, struct adi_error *error) {
    int code = 0;
    if (id < 0 || id >= ADI_WEBGPU_IDS)
        return adi_error_set(error, ENODEV, "there is no webgpu:%" PRId64, id);
    struct adi_webgpu *webgpu = &shared[id];
    pthread_mutex_lock(&opening);
    bool before = own_begin();
    if (webgpu->users == 0) code = make(webgpu, id, error);
    if (code == 0) webgpu->users++;
    own_end(before);
    pthread_mutex_unlock(&opening);
    *out = webgpu;
    return code;
}

void adi_webgpu_close(struct adi_webgpu *webgpu) {
    pthread_mutex_lock(&opening);
    bool before = own_begin();
    if (--webgpu->users == 0) {
        webgpu->api->QueueRelease(webgpu->queue);
        webgpu->api->DeviceRelease(webgpu->device);
    }
    own_end(before);
    pthread_mutex_unlock(&opening);
}
