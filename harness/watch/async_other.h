/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/: what the harness's producer has where the other layout of ArrowAsyncProducer
 * has additional_metadata: in `private_data` of the shipped one, or in `release` of the printed
 * one. It is metadata whose first key fills a page, so that its value lies in the next: who looks
 * at that has decoded it, and who looks at its beginning alone has followed private_data.
 */
#ifndef ADI_ASYNC_OTHER_H
#define ADI_ASYNC_OTHER_H

#include <stdbool.h>

struct adi_async_other {
    char *begin, *value; /* value NULL: it cannot be told apart */
    bool is_private;     /* a look at its beginning is told, and one at its value ends the worker */
    bool tells;          /* neither: it is asked for afterwards */
};

/* Main thread. false: the arena is full. */
bool adi_async_other_make(struct adi_async_other *out);
/* It is in private_data, or in `release`, and whoever looks is heard from here on; `tells`: and
 * goes on. false: it is not to be in private_data. */
bool adi_async_other_listen(struct adi_async_other *other, bool in_private_data, bool tells);
/* With `tells`: was it taken for metadata? */
bool adi_async_other_was_decoded(const struct adi_async_other *other);
/* Without: was private_data followed? */
bool adi_async_other_was_followed(const struct adi_async_other *other);

#endif /* ADI_ASYNC_OTHER_H */
