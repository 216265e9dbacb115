/* SPDX-License-Identifier: Apache-2.0
 *
 * One thread beside the test's own, which sleeps or turns in a circle until it is told to end.
 */
#ifndef BESIDE_H
#define BESIDE_H

/* What it does. */
void *sleep_on(void *unused);
void *work_on(void *unused);

void begin_thread(void *(*run)(void *));
void end_thread(void);

#endif /* BESIDE_H */
