/* SPDX-License-Identifier: Apache-2.0 */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapter_load.h"
#include "attribution.h"
#include "case.h"
#include "helper.h"
#include "lent_device.h"
#include "play.h"
#include "process.h"
#include "shortage.h"
#include "sim_engine.h"
#include "turns.h"
#include "worker_internal.h"

#define BROKEN_START 3   /* exit status: the worker could not even read its job */
#define ABOVE_ALL    512 /* where a descriptor of ours is in nobody's way */

static bool is_queue(const char *what) {
    const char *word = strrchr(what, '.');
    return word != NULL && (strcmp(word, ".queue") == 0 || strcmp(word, ".stream") == 0);
}

/* On the queue that the harness writes its arrays on, who does not wait would come behind all the
 * same. So another one is handed out, which counts as the implementation's. NULL: there is only
 * one. */
static void *queue_to_hand_out(struct adi_worker_host *host) {
    const struct adi_device_ops *ops = host->device.ops;
    if (host->handed_out != NULL || !ADI_DEVICE_HAS(ops, queue_open)) return host->handed_out;
    bool before = adi_attribution_enter(true);
    ops->queue_open(&host->device, &host->handed_out, NULL);
    adi_attribution_enter(before);
    return host->handed_out;
}

static const void *host_get(const struct adi_host *host_at, ArrowDeviceType type, int64_t id,
                            const char *what) {
    struct adi_worker_host *host = (struct adi_worker_host *)(uintptr_t)host_at;
    struct adi_device *device = &host->device;
    if (strcmp(what, "async.schedule") == 0) return adi_turns_offer();
    if (device->ops == NULL || device->ops->type != type || device->id != id) return NULL;
    if (!ADI_DEVICE_HAS(device->ops, native_handle)) return NULL;
    const void *own = device->ops->native_handle(device, what);
    void *other = own != NULL && is_queue(what) ? queue_to_hand_out(host) : NULL;
    return other != NULL ? other : own;
}

static void host_log(const struct adi_host *host, const char *text) {
    struct adi_log *log = ((const struct adi_worker_host *)host)->log;
    if (log != NULL && adi_log_room(log) > ADI_LOG_BYTES / 2)
        adi_log_write(log, ADI_LOG_NOTE, 0, ADI_BOTH, 0, "adapter", text, NULL, NULL);
}

static void host_imports(const struct adi_host *host, int begins) {
    adi_call_imports(((const struct adi_worker_host *)host)->log, begins != 0);
}

void adi_worker_charge(const struct adi_host *host, enum adi_party party) {
    struct adi_log *log = ((const struct adi_worker_host *)host)->log;
    adi_log_write(log, ADI_LOG_CRASH_RULE, -1, party, 0, NULL, NULL, NULL, NULL);
}

void adi_worker_offer(struct adi_worker_host *host) {
    host->host =
        (struct adi_host){sizeof host->host, ADI_ADAPTER_VERSION, host_get, host_log, host_imports};
}

int adi_worker_open(struct adi_worker_host *host, const char *path, struct adi_adapter **out) {
    struct adi_error error = {0};
    int code = adi_adapter_load(path, out, &error);
    if (code != 0) {
        adi_worker_say(host->log, adi_is_shortage(code) ? ADI_SAYS_FAILED : ADI_SAYS_REFUSAL, code,
                       0, error.text, NULL, NULL);
        return code;
    }
    adi_worker_offer(host);
    code = adi_call_open(*out, &host->host);
    if (code == 0) return 0;
    const char *why = adi_call_error(*out);
    adi_error_set(&error, code, "the adapter's open failed: %s%s%s", strerror(code),
                  *why != '\0' ? ": " : "", why);
    adi_worker_say(host->log, ADI_SAYS_FAILED, code, 0, error.text, NULL, NULL);
    return code;
}

/* Where all output goes: a copy, since an implementation may have other plans for standard error.
 */
static int output_fd = -1;
static struct stat output_status;

/* What is printed from now on is to be in the file when the next mark is set. */
static void open_output(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    output_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, ABOVE_ALL);
    fstat(output_fd, &output_status);
}

/* Says where the output of what comes now begins. */
static void say_output(struct adi_log *log) {
    struct stat now;
    if (fstat(output_fd, &now) == 0 && now.st_dev == output_status.st_dev &&
        now.st_ino == output_status.st_ino)
        adi_worker_say(log, ADI_SAYS_OUTPUT, now.st_size, 0, NULL, NULL, NULL);
}

/* The worker adopts what an implementation detaches, so whatever runs below it is seen. */
void adi_worker_say_children(struct adi_log *log) {
    static pid_t known[ADI_PROCESSES];
    static size_t n_known;
    siginfo_t info;
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return;
    pid_t now[ADI_PROCESSES];
    size_t n_now = adi_process_children(getpid(), now, ADI_PROCESSES);
    for (size_t i = 0; i < n_now; i++) {
        bool is_new = true;
        for (size_t j = 0; j < n_known; j++) is_new = is_new && known[j] != now[i];
        if (is_new) adi_worker_say(log, ADI_SAYS_CHILD, now[i], 0, NULL, NULL, NULL);
    }
    memcpy(known, now, n_now * sizeof *now);
    n_known = n_now;
}

int adi_worker_sim_log_error(void) {
    const struct adi_sim *sim = adi_sim_loaded();
    return sim == NULL ? 0 : sim->log_error();
}

/* Once: the rest of the log is not written either. */
static void say_sim_log(struct adi_log *log) {
    static bool said;
    int code = said ? 0 : adi_worker_sim_log_error();
    if (code == 0) return;
    said = true;
    adi_worker_say(log, ADI_SAYS_LOG, code, 0, NULL, NULL, NULL);
}

/* An implementation may leave these changed; the next case is not to suffer from it. */
static void tidy_up(void) {
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
}

int adi_worker_open_device(struct adi_worker_host *host, const struct adi_device_ops *ops,
                           int64_t id, struct adi_error *error) {
    adi_attribution_set(ADI_DEVICE_HAS(ops, interceptor) ? ops->interceptor() : NULL);
    adi_attribution_set_books(ADI_DEVICE_HAS(ops, runtime_keeps_books) &&
                              ops->runtime_keeps_books());
    adi_attribution_enter(false);
    return ops->open(id, &host->device, error);
}

void adi_worker_close_device(struct adi_worker_host *host) {
    const struct adi_device_ops *ops = host->device.ops;
    if (ops == NULL) return;
    adi_attribution_enter(true);
    if (host->handed_out != NULL && ADI_DEVICE_HAS(ops, queue_close))
        ops->queue_close(&host->device, host->handed_out);
    adi_attribution_enter(false); /* whoever was left in the middle of a call */
    if (!adi_lent_device_is_held(&host->device)) ops->close(&host->device);
    host->handed_out = NULL;
    host->device.ops = NULL;
}

static int open_device(struct adi_worker_host *host, const struct adi_job *job,
                       const struct adi_device_ops *ops) {
    struct adi_error error = {0};
    int code = ENODEV;
    if (ops == NULL)
        adi_error_set(&error, code, "device type %d is not there", (int)job->type);
    else
        code = adi_worker_open_device(host, ops, job->id, &error);
    if (code == 0) return 0;
    host->device.ops = NULL;
    adi_worker_say(host->log, ADI_SAYS_FAILED, code, 0, error.text, NULL, NULL);
    return code;
}

static void play_cases(const struct adi_job *job, struct adi_test *test) {
    for (size_t i = 0; i < job->n_numbers; i++) {
        /* A worker that has little room left ends early; the rest is played in a new one. */
        if (adi_log_room(test->log) < ADI_LOG_BYTES / 4) return;
        if (test->closed || test->lost || test->over) return; /* likewise */
        say_output(test->log);
        test->last = i + 1 == job->n_numbers;
        adi_case_play(test, job->numbers[i]);
        tidy_up();
        adi_worker_say_children(test->log);
        say_sim_log(test->log);
    }
}

bool adi_worker_play(struct adi_worker_host *host, const struct adi_job *job,
                     struct adi_adapter *adapter) {
    static struct adi_log_sink sink;
    static struct adi_test test; /* what close does wrong is told to it, too */
    if (job->n_numbers == 0) return true;
    adi_log_sink_init(&sink, host->log);
    test = (struct adi_test){.adapter = adapter,
                             .device = &host->device,
                             .seed = job->seed,
                             .program = job->program,
                             .step_ns = job->step_ns,
                             .losses = &host->losses,
                             .schedule = job->schedule,
                             .log = host->log,
                             .log_sink = &sink};
    play_cases(job, &test);
    adi_log_sink_flush(&sink);
    host->over = test.over;
    return !test.closed && !test.over;
}

/* What was imported once more another thread may still release, and needs the device for it. */
static bool may_release(const struct adi_worker_host *host) {
    return host->device.ops != NULL && adi_has_imported_once_more() && adi_other_threads() > 0;
}

static void work(struct adi_worker_host *host, const struct adi_job *job) {
    struct adi_adapter *adapter = NULL;
    bool playing = job->mode == ADI_JOB_PLAY, closes = true;
    adi_worker_say(host->log, ADI_SAYS_PHASE, 0, 0, "load", NULL, NULL);
    if (playing && !job->from_adapter &&
        open_device(host, job, adi_worker_ops(NULL, job->type, false)) != 0)
        return;
    if (adi_worker_open(host, job->adapter, &adapter) != 0) return;
    if (playing && job->from_adapter &&
        open_device(host, job, adi_worker_ops(adapter, job->type, true)) != 0)
        return;
    adi_worker_say_children(host->log);

    if (playing)
        closes = adi_worker_play(host, job, adapter);
    else
        adi_worker_probe(adapter, job, host->log);
    say_output(host->log);
    adi_worker_say(host->log, ADI_SAYS_PHASE, 0, 0, "close", NULL, NULL);
    if (closes) adi_call_end(adapter);
    if (may_release(host))
        host->over = true;
    else
        adi_worker_close_device(host);
    say_sim_log(host->log);
}

/* Nothing outlives the one who asked; no core files; what the implementation detaches is ours. */
static void settle(const struct adi_job *job) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != job->parent) _exit(BROKEN_START);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_NAME, "adicheck");
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

static bool was_forked;

void adi_worker_was_forked(void) {
    was_forked = true;
}

int adi_worker_main(int argc, char **argv) {
    static struct adi_worker_host host;
    struct adi_job job;
    void *memory = NULL;
    if (argc != 4) _exit(BROKEN_START);
    int log_fd = atoi(argv[2]), job_fd = atoi(argv[3]);
    host.log = adi_log_attach(log_fd);
    if (host.log == NULL || adi_job_read(job_fd, &job, &memory, NULL) != 0) _exit(BROKEN_START);
    settle(&job);
    open_output();
    close(log_fd);
    close(job_fd);
    work(&host, &job);
    free(memory);
    say_output(host.log);
    adi_log_write(host.log, ADI_LOG_END, 0, ADI_BOTH, 0, NULL, NULL, NULL, NULL);
    fflush(NULL);
    if (host.over || was_forked) _exit(0);
    exit(0);
}
