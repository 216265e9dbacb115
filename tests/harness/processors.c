/* SPDX-License-Identifier: Apache-2.0
 *
 * How many processors there are, on machines of paper.
 */
#include "processors.h"

#include <check.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "busy.h"

Suite *harness_processors_suite(void);

static char root[64];

static void write_file(const char *path, const char *text) {
    char full[512];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *at = full + strlen(root) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        mkdir(full, 0700);
        *at = '/';
    }
    FILE *file = fopen(full, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

#define MOUNT_2 "29 23 0:26 / /cg rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"
#define MOUNT_1 "33 23 0:30 / /cg/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"

static const struct machine {
    const char *what, *cgroup, *mounts;
    struct {
        const char *path, *text;
    } files[3];
    double quota;
} machines[] = {
    {"no control groups", "", "", {{0}}, 0},
    {"2: none", "0::/a\n", MOUNT_2, {{"/cg/a/cpu.max", "max 100000\n"}}, 0},
    {"2: half", "0::/a\n", MOUNT_2, {{"/cg/a/cpu.max", "50000 100000\n"}}, 0.5},
    {"2: of the group above",
     "0::/a/b\n",
     MOUNT_2,
     {{"/cg/a/cpu.max", "300000 100000\n"}, {"/cg/a/b/cpu.max", "max 100000\n"}},
     3},
    {"2: the least of all",
     "0::/a/b\n",
     MOUNT_2,
     {{"/cg/a/cpu.max", "150000 100000\n"}, {"/cg/a/b/cpu.max", "700000 100000\n"}},
     1.5},
    {"2: at the root of a container", "0::/\n", MOUNT_2, {{"/cg/cpu.max", "200000 100000\n"}}, 2},
    {"2: garbage", "0::/a\n", MOUNT_2, {{"/cg/a/cpu.max", "garbage\n"}}, 0},
    {"1: none",
     "4:cpu,cpuacct:/a\n",
     MOUNT_1,
     {{"/cg/cpu,cpuacct/a/cpu.cfs_quota_us", "-1\n"},
      {"/cg/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"}},
     0},
    {"1: two",
     "5:cpuset:/\n4:cpu,cpuacct:/a\n0::/\n",
     MOUNT_1,
     {{"/cg/cpu,cpuacct/a/cpu.cfs_quota_us", "200000\n"},
      {"/cg/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"}},
     2},
    {"1: in a container that sees its own group only",
     "4:cpu,cpuacct:/docker/c1\n",
     "33 23 0:30 /docker/c1 /cg/cpu ro - cgroup cgroup rw,cpu,cpuacct\n",
     {{"/cg/cpu/cpu.cfs_quota_us", "100000\n"}, {"/cg/cpu/cpu.cfs_period_us", "50000\n"}},
     2},
    {"1: and none of cpuset's", "4:cpuset:/a\n", MOUNT_1, {{0}}, 0},
};

START_TEST(the_quota_of_a_control_group_counts)
{
    const struct machine *machine = &machines[_i];
    char command[96];
    strcpy(root, "/tmp/adicheck-quota-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    write_file("/proc/self/cgroup", machine->cgroup);
    write_file("/proc/self/mountinfo", machine->mounts);
    for (size_t i = 0; i < 3 && machine->files[i].path != NULL; i++)
        write_file(machine->files[i].path, machine->files[i].text);
    double quota = adi_processor_quota(root);
    snprintf(command, sizeof command, "rm -r %s", root);
    ck_assert_int_eq(system(command), 0);
    ck_assert_msg(quota > machine->quota - 0.01 && quota < machine->quota + 0.01, "%s: %g",
                  machine->what, quota);
}
END_TEST

START_TEST(only_processors_that_it_may_run_on_count)
{
    cpu_set_t all;
    ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
    ck_assert_uint_ge(adi_processors(), 1);
    ck_assert_uint_le(adi_processors(), (size_t)CPU_COUNT(&all));
    pin_to_one_processor();
    ck_assert_uint_eq(adi_processors(), 1);
}
END_TEST

Suite *harness_processors_suite(void) {
    Suite *suite = suite_create("harness_processors");
    TCase *tests = tcase_create("processors");
    tcase_add_loop_test(tests, the_quota_of_a_control_group_counts, 0,
                        (int)(sizeof machines / sizeof *machines));
    tcase_add_test(tests, only_processors_that_it_may_run_on_count);
    suite_add_tcase(suite, tests);
    return suite;
}
