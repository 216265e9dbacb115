/* SPDX-License-Identifier: Apache-2.0
 *
 * What /proc says of other processes. Nothing here fails: a process that has gone counts as empty.
 */
#ifndef ADI_PROCESS_H
#define ADI_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define ADI_PROCESSES 256 /* more than this below one worker is a bomb */

/* The children of a process (zombies too); returns how many were written, `most` at most. */
size_t adi_process_children(pid_t pid, pid_t *out, size_t most);

/* Has it ended, with or without having been waited for? */
bool adi_process_ended(pid_t pid);

/* Resident bytes of one process. */
int64_t adi_process_resident(pid_t pid);

/* The process and all below it; at most ADI_PROCESSES are looked at. */
struct adi_process_tree {
    size_t count;
    int64_t resident;
};
struct adi_process_tree adi_process_tree(pid_t root);

#define ADI_THREADS 64 /* of a process and those below it, that are told one by one */

/* How long a thread has run since it began. */
struct adi_thread_time {
    pid_t id;
    int64_t ran_ns;
};

/* What the scheduler knows of all threads of the process and of those below it: how long they ran,
 * how long they could have run and did not (a wait is counted when it is over), and whether any
 * could run now. 0 where the kernel does not count it. */
struct adi_process_time {
    int64_t ran_ns, waited_ns;
    bool is_ready;
    size_t n_threads; /* ADI_THREADS at most, though all are in the sums */
    struct adi_thread_time threads[ADI_THREADS];
};
struct adi_process_time adi_process_time(pid_t root);
/* The same of this process, but for the calling thread: a device may work in a process below it. */
struct adi_process_time adi_process_time_beside(void);

/* The value of a variable in the environment that the process was started with; false: it has
 * none. */
bool adi_process_variable(pid_t pid, const char *name, char *out, size_t size);

#endif /* ADI_PROCESS_H */
