/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of the program's that graphs keep alive. When the last reference has gone the program's
 * function is called as a function of the host, which it is: it must not call the driver.
 */
#include <stdlib.h>
#include <string.h>

#include "driver_graphs.h"

struct driver_user_of {
    struct driver_object object;
    driver_host_function end;
    void *data;
    unsigned count, held; /* references of the program's, and of graphs */
};

/* What graphs alone have ends with them. */
static void set_count(struct driver_user_of *user, unsigned count) {
    user->count = count;
    user->object.kept = count == 0;
}

static driver_code find(driver_user handle, struct driver_user_of **out) {
    *out = driver_object_find(DRIVER_USER, handle);
    return *out == NULL ? DRIVER_INVALID_VALUE : DRIVER_SUCCESS;
}

/* Without a context there is nobody to call it. */
static void call_end(const struct driver_user_of *user, adi_sim_event behind) {
    adi_sim_context context = NULL;
    adi_sim_queue queue;
    for (int device = 0; device < ADI_SIM_DEVICES && context == NULL; device++)
        context = driver_context_on(device);
    if (context == NULL || adi_sim_queue_create(context, ADI_SIM_OWN_QUEUE, &queue) != 0) return;
    if (behind != NULL && adi_sim_is_live(behind, NULL)) adi_sim_event_wait(queue, behind);
    adi_sim_host(queue, user->end, user->data);
    adi_sim_queue_destroy(queue);
}

static void look_for_end(struct driver_user_of *user, adi_sim_event behind) {
    if (user->count > 0 || user->held > 0) return;
    call_end(user, behind);
    driver_object_end(user);
}

driver_code driver_user_create(driver_user *user, void *data, driver_host_function end,
                               unsigned count, unsigned flags) {
    if (user == NULL || end == NULL || count == 0 || flags != DRIVER_USER_OBJECT_NO_DESTRUCTOR_SYNC)
        return DRIVER_INVALID_VALUE;
    struct driver_user_of *made = driver_object_new(DRIVER_USER, sizeof *made);
    if (made == NULL) return DRIVER_OUT_OF_MEMORY;
    made->end = end;
    made->data = data;
    made->count = count;
    *user = DRIVER_HANDLE(made);
    return DRIVER_SUCCESS;
}

driver_code driver_user_retain(driver_user handle, unsigned count) {
    struct driver_user_of *user;
    SIM_TRY(find(handle, &user));
    if (count == 0 || count > UINT32_MAX - user->count) return DRIVER_INVALID_VALUE;
    set_count(user, user->count + count);
    return DRIVER_SUCCESS;
}

driver_code driver_user_release(driver_user handle, unsigned count) {
    struct driver_user_of *user;
    SIM_TRY(find(handle, &user));
    if (count == 0 || count > user->count) return DRIVER_INVALID_VALUE;
    set_count(user, user->count - count);
    look_for_end(user, NULL);
    return DRIVER_SUCCESS;
}

/* ---- by graphs ---- */

static struct driver_reference *reference_to(struct driver_users *users,
                                             const struct driver_user_of *user) {
    for (size_t i = 0; i < users->n; i++)
        if (users->at[i].user == user) return &users->at[i];
    return NULL;
}

driver_code driver_users_add(struct driver_users *users, driver_user handle, unsigned count,
                             unsigned flags) {
    struct driver_user_of *user;
    SIM_TRY(find(handle, &user));
    bool moves = flags == DRIVER_GRAPH_USER_OBJECT_MOVE;
    if (count == 0 || flags > DRIVER_GRAPH_USER_OBJECT_MOVE || count > UINT32_MAX - user->held ||
        (moves && count > user->count))
        return DRIVER_INVALID_VALUE;
    struct driver_reference *found = reference_to(users, user);
    if (found == NULL) {
        void *grown = realloc(users->at, (users->n + 1) * sizeof *users->at);
        if (grown == NULL) return DRIVER_OUT_OF_MEMORY;
        users->at = grown;
        found = &users->at[users->n++];
        *found = (struct driver_reference){user, 0};
    }
    found->count += count;
    user->held += count;
    if (moves) set_count(user, user->count - count);
    return DRIVER_SUCCESS;
}

driver_code driver_users_take(struct driver_users *users, driver_user handle, unsigned count) {
    struct driver_user_of *user;
    SIM_TRY(find(handle, &user));
    struct driver_reference *found = reference_to(users, user);
    if (found == NULL || count == 0 || count > found->count) return DRIVER_INVALID_VALUE;
    found->count -= count;
    if (found->count == 0) *found = users->at[--users->n];
    user->held -= count;
    look_for_end(user, NULL);
    return DRIVER_SUCCESS;
}

driver_code driver_users_copy(const struct driver_users *users, struct driver_users *out) {
    if (users->n == 0) return DRIVER_SUCCESS;
    out->at = malloc(users->n * sizeof *out->at);
    if (out->at == NULL) return DRIVER_OUT_OF_MEMORY;
    for (; out->n < users->n; out->n++) {
        out->at[out->n] = (struct driver_reference){users->at[out->n].user, 1};
        users->at[out->n].user->held++;
    }
    return DRIVER_SUCCESS;
}

void driver_users_end(struct driver_users *users, adi_sim_event behind) {
    for (size_t i = 0; i < users->n; i++) {
        users->at[i].user->held -= users->at[i].count;
        look_for_end(users->at[i].user, behind);
    }
    free(users->at);
    *users = (struct driver_users){0};
}
