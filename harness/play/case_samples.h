/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/play/: which samples a scenario is worth playing with. scenarios.def names
 * them.
 */
#ifndef ADI_CASE_SAMPLES_H
#define ADI_CASE_SAMPLES_H

#include "case.h"

#define ADI_ASYNC_ROLES (ADI_PRODUCES_ASYNC | ADI_CONSUMES_ASYNC)

typedef bool adi_samples(const struct adi_scenario *scenario, const struct adi_sample_type *type,
                         const struct adi_sample_shape *shape);

extern adi_samples adi_samples_every, adi_samples_plain, adi_samples_parents,
    adi_samples_dictionaries, adi_samples_few, adi_samples_lively, adi_samples_streamed,
    adi_samples_pushed, adi_samples_tensors, adi_samples_tensor, adi_samples_fuzzed,
    adi_samples_flawed;

#define ADI_SAMPLES_MOST 4096

struct adi_sample_named {
    const struct adi_sample_type *type;
    const struct adi_sample_shape *shape;
};

/* Of each of them, is it worth it? Static, until the next call with another scenario of those that
 * depend on more than the sample; what does not is asked once, as each process makes the list of
 * cases. At most ADI_SAMPLES_MOST. */
const bool *adi_samples_select(const struct adi_scenario *scenario,
                               const struct adi_sample_named *samples, size_t n);

#endif /* ADI_CASE_SAMPLES_H */
