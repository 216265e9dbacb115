/* SPDX-License-Identifier: Apache-2.0
 *
 * How many processors there are for this process: those that it may run on (taskset,
 * sched_setaffinity), and no more than its control group may use (docker --cpus, systemd CPUQuota).
 */
#ifndef ADI_PROCESSORS_H
#define ADI_PROCESSORS_H

#include <stddef.h>

/* At least 1. Any thread. */
size_t adi_processors(void);

/* The quota of this process's control groups, of version 1 or 2, and of those above them, in
 * processors: the least. `root` stands in front of the paths under /proc and of the mount points;
 * "" for the machine itself. 0: there is no limit. One thread at a time. */
double adi_processor_quota(const char *root);

#endif /* ADI_PROCESSORS_H */
