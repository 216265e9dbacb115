/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "charge.h"
#include "crash_word.h"
#include "last_word.h"

/* Of the C++ ABI: the std::type_info of the exception at hand on this thread, or NULL. */
typedef const void *current_type_fn(void);

static struct {
    struct adi_sink *sink;
    struct adi_log *log;
    current_type_fn *current_type; /* NULL: no C++ runtime is loaded */
    struct sigaction before;
} watch;

/* The handler may not be the first to touch it on its thread: hence no lazy allocation. */
static _Thread_local volatile sig_atomic_t releases __attribute__((tls_model("initial-exec")));

static current_type_fn *find_runtime(void) {
    static const char *const runtimes[] = {"libstdc++.so.6", "libc++abi.so.1"};
    current_type_fn *found = NULL;
    for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0] && found == NULL; i++) {
        void *runtime = dlopen(runtimes[i], RTLD_LAZY | RTLD_NOLOAD);
        if (runtime == NULL) continue;
        void *symbol = dlsym(runtime, "__cxa_current_exception_type");
        memcpy(&found, &symbol, sizeof found);
        dlclose(runtime); /* the one who loaded it keeps it */
    }
    return found;
}

/* std::type_info begins with its vtable; the name follows. */
static const char *name_of(const void *type) {
    const char *name;
    memcpy(&name, (const char *)type + sizeof(void *), sizeof name);
    return *name == '*' ? name + 1 : name;
}

static void on_abort(int number, siginfo_t *info, void *context) {
    const void *type = releases > 0 && watch.current_type != NULL ? watch.current_type() : NULL;
    if (type != NULL) {
        adi_sink_last(watch.sink);
        adi_charge(watch.sink, ADI_CHARGE_THROW, false, ADI_PRODUCER, name_of(type), NULL);
        adi_last_word(watch.log);
    }
    if (adi_crash_word_pass(&watch.before, number, info, context)) return;
    if (sigaction(number, adi_crash_word_left(&watch.before), NULL) == 0)
        raise(number); /* when this is over: abort() and kill() mean it */
}

int adi_unwind_start(struct adi_sink *sink, struct adi_log *log) {
    struct sigaction now;
    watch.sink = sink;
    watch.log = log;
    if (watch.current_type == NULL) watch.current_type = find_runtime();
    if (sigaction(SIGABRT, NULL, &now) != 0) return errno;
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_abort) return 0;
    struct sigaction ours = {.sa_sigaction = on_abort, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&ours.sa_mask);
    watch.before = now;
    return sigaction(SIGABRT, &ours, NULL) == 0 ? 0 : errno;
}

void adi_unwind_enter(void) {
    releases++;
}

void adi_unwind_leave(void) {
    releases--;
}
