/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_process.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "cmd.h"
#include "job.h"
#include "run_environment.h"
#include "run_need.h"

bool adi_replay_is_apart(void) {
    bool is_apart = getenv(ADI_WORKER_VARIABLE) != NULL;
    if (is_apart) prctl(PR_SET_PDEATHSIG, SIGKILL); /* it may hang: it goes with who waits for it */
    return is_apart;
}

int adi_replay_apart(int argc, const char **argv, const char *adapter) {
    char preload[512];
    char **words = adi_need(calloc((size_t)argc + 2, sizeof *words));
    words[0] = adi_need_text("adicheck");
    for (int i = 0; i < argc; i++) words[i + 1] = adi_need_text(argv[i]);
    adi_environment_preload(adapter, preload);
    char **environment = adi_environment_make(0, preload);
    pid_t pid;
    int status = 0, code = posix_spawn(&pid, "/proc/self/exe", NULL, NULL, words, environment);
    for (int i = 0; words[i] != NULL; i++) free(words[i]);
    free(words);
    adi_environment_free(environment);
    if (code == 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status))
        return WEXITSTATUS(status);
    if (code != 0) {
        fprintf(stderr, "adicheck replay: %s\n", strerror(code));
        return ADI_EXIT_UNDECIDED;
    }
    printf("\n\ncrash  the process died in this step: %s\n", strsignal(WTERMSIG(status)));
    return ADI_EXIT_BROKEN;
}
