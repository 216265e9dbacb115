/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of several devices ask of the built command: that what is wrong with a runtime
 * costs its own devices, and is nobody's fault. In the fixture of harness/shell.h.
 */
#ifndef TESTS_DEVICES_RUN_DEVICE_H
#define TESTS_DEVICES_RUN_DEVICE_H

/* With these settings ("ADI_ROCM=off") there are no devices whose names begin with `name`, for a
 * reason of these words (separated by `|`); the CPU is there, and judged; and who requires one of
 * them has no verdict. In the folder is a file `text`, which is no library. */
void expect_absent(const char *name, const char *settings, const char *why);
/* A runtime that hangs while it is looked for costs no more. */
void expect_hang_is_left(const char *name, const char *settings);

/* A planted defect is found in the case, with these words, under the policy of this number: 0, 1 or
 * 2. */
#define POLICIES 3
void expect_by_policy(int policy, const char *mutant, const char *test_case, const char *words);

/* What is run ("ADI_SIM_LOSE=3 $A run ...") is no verdict on anybody, after results that are
 * errors, for a reason of these words. */
void expect_no_blame(const char *line, const char *why);

#endif /* TESTS_DEVICES_RUN_DEVICE_H */
