/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA_VISIBLE_DEVICES, or whatever the facade calls it: indices and UUIDs, in the order in which
 * the program sees the devices. What is no device ends the list (CUDA Programming Guide, "CUDA
 * Environment Variables"). A device that is named twice leaves none, as drivers have it and NVIDIA
 * does not say.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver_internal.h"

#define UUID_TEXT 41 /* with the NUL */

static struct {
    int index[ADI_SIM_DEVICES];
    int n;
} visible;

driver_uuid driver_uuid_of(int index) {
    driver_uuid id = {"adicheck-sim-00"};
    id.bytes[15] = (char)index;
    return id;
}

static void spell(int index, char out[UUID_TEXT]) {
    driver_uuid id = driver_uuid_of(index);
    char *at = out + sprintf(out, "GPU-");
    for (int i = 0; i < 16; i++)
        at += sprintf(at, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                      (unsigned)(unsigned char)id.bytes[i]);
}

/* The one device whose UUID begins so; -1: none, or several. */
static int by_uuid(const char *text, size_t length) {
    char uuid[UUID_TEXT];
    int found = -1;
    for (int i = 0; i < ADI_SIM_DEVICES; i++) {
        spell(i, uuid);
        if (length >= UUID_TEXT || strncmp(uuid, text, length) != 0) continue;
        if (found >= 0) return -1;
        found = i;
    }
    return found;
}

/* A number at its beginning counts, whatever comes behind. */
static int by_index(const char *text) {
    char *end;
    long index = strtol(text, &end, 10);
    return end == text || index < 0 || index >= ADI_SIM_DEVICES ? -1 : (int)index;
}

static bool is_listed(int index) {
    for (int i = 0; i < visible.n; i++)
        if (visible.index[i] == index) return true;
    return false;
}

static void read_list(void) {
    const char *text = getenv(driver_facade.visible);
    for (int i = 0; text == NULL && i < ADI_SIM_DEVICES; i++) visible.index[visible.n++] = i;
    while (text != NULL) {
        size_t length = strcspn(text, ",");
        int index = strncmp(text, "GPU-", 4) == 0 ? by_uuid(text, length) : by_index(text);
        if (index < 0) return;
        if (is_listed(index)) {
            visible.n = 0;
            return;
        }
        visible.index[visible.n++] = index;
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
}

static void see(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_list);
}

int driver_visible(void) {
    see();
    return visible.n;
}

bool driver_is_visible(int device) {
    return device >= 0 && device < driver_visible();
}

int driver_index(int device) {
    see();
    return visible.index[device];
}

int driver_device(int index) {
    see();
    for (int i = 0; i < visible.n; i++)
        if (visible.index[i] == index) return i;
    return index;
}
