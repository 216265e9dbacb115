/* SPDX-License-Identifier: Apache-2.0
 *
 * Passes up what a call has answered, unless that is 0.
 */
#ifndef SIM_TRY_H
#define SIM_TRY_H

#define SIM_TRY(call)                                                                              \
    do {                                                                                           \
        __typeof__(call) sim_answer_ = (call);                                                     \
        if (sim_answer_ != 0) return sim_answer_;                                                  \
    } while (0)

#endif /* SIM_TRY_H */
