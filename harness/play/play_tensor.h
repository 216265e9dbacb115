/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/play/: what the scenarios with tensors of DLPack have in common. The samples
 * are those of Arrow that a tensor can hold; the adapter's slots are called as the implementation's
 * own code.
 */
#ifndef ADI_PLAY_TENSOR_H
#define ADI_PLAY_TENSOR_H

#include "check_tensor.h"
#include "play.h"

/* ---- samples (play_tensor_sample.c) ---- */

/* What no sample of Arrow is like: the parameter of the scenarios with such. */
enum adi_tensor_kind {
    ADI_TENSOR_OF_ARROW = 0,  /* one of those, whatever the parameter is */
    ADI_TENSOR_SCALAR = 1024, /* 0-d; more than any other parameter of such scenarios */
    ADI_TENSOR_BOOL,
    ADI_TENSOR_COMPLEX64,
    ADI_TENSOR_COMPLEX128,
    ADI_TENSOR_BY_COLUMNS,
    ADI_TENSOR_WITH_GAPS,
    ADI_TENSOR_REVERSED, /* its stride is negative */
};

enum adi_tensor_kind adi_tensor_kind_of(const struct adi_scenario *scenario);

/* A tensor of the CPU, and its elements as they lie in a compact one. */
struct adi_tensor_sample {
    struct adi_dlpack host; /* read-only, of version 1.3 */
    const DLTensor *tensor; /* what is within */
    void *compact;          /* NULL: there is no element */
    int64_t bytes;
    bool is_own;    /* it is what the implementation gave when it was first asked */
    bool stands_in; /* for that, which could not be read */
};

/* Bytes: nobody's sample has need of more between the first element and the last. */
#define ADI_TENSOR_SPAN_MOST ((int64_t)1 << 30)

/* Makes one; and that of the case with the test's seed + `more`. false: said so in the log. */
int adi_tensor_sample_of(const struct adi_sample_type *type, const struct adi_sample_shape *shape,
                         uint64_t seed, struct adi_tensor_sample *out, struct adi_error *error);
bool adi_tensor_sample_make(struct adi_test *test, uint64_t more, struct adi_tensor_sample *out);
/* The sample `own` is this tensor of the host, borrowed, and no longer what Arrow has of it; NULL:
 * it is that again. */
void adi_tensor_sample_own_set(const struct adi_dlpack *host);
/* Overwrites what its tensor lies in, then frees it: nobody may rely on it. The compact copy and
 * the description stay. */
void adi_tensor_sample_spoil(struct adi_tensor_sample *sample);
void adi_tensor_sample_free(struct adi_tensor_sample *sample);
/* What it is to whoever is judged by it, in words. */
const char *adi_tensor_sample_is(const struct adi_tensor_sample *sample);

/* Does a sound tensor hold the sample? It is read by `device`, whose queue is ordered behind what
 * writes it. 0; EILSEQ: another type, shape or values, or they cannot be read, and `why` says
 * which. ENOMEM: not judged. */
int adi_tensor_compare(struct adi_device *device, const struct adi_tensor *seen,
                       const struct adi_tensor_sample *wanted, struct adi_error *why);

/* The device of the case if the tensor is there, and the CPU if it is there; NULL: neither. */
struct adi_device *adi_tensor_device(struct adi_test *test, const struct adi_tensor *seen);

/* DLPack's name of the device of the case. false: it has none, and the case is skipped. */
bool adi_tensor_where(struct adi_test *test, DLDevice *out);

/* Two tensors of one array, the second of which was asked for with `request`: is the memory that
 * they share nobody's alone? */
void adi_tensor_judge_sharing(struct adi_test *test, const struct adi_dlpack_request *request,
                              const struct adi_tensor *first, const struct adi_tensor *second);

/* ---- order (play_tensor_order.c) ---- */

/* Is a command that writes a sound tensor still to run? Where nothing sees the device's calls:
 * false. */
bool adi_tensor_is_pending(struct adi_device *device, const struct adi_tensor *seen);
/* Does the stream of the request come behind what writes the tensor? Else it is told, as is why
 * that cannot be judged. The device's own queue comes behind the stream then. */
bool adi_tensor_is_ordered(struct adi_test *test, const struct adi_dlpack_request *request,
                           struct adi_device *device, const struct adi_tensor *seen);

/* ---- calls (play_tensor_call.c) ---- */

/* As steps of a case; they answer what the implementation does. */
int adi_call_produce_dlpack(struct adi_test *test, DLDevice where, const struct adi_dlpack *host,
                            struct adi_dlpack_array *out);
int adi_call_consume_dlpack(struct adi_test *test, struct adi_dlpack_array *in,
                            struct adi_dlpack_tensor *host_out);
/* Asks an array of the implementation's. */
int adi_call_dlpack(struct adi_test *test, struct adi_dlpack_array *array,
                    const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out);
void adi_call_dlpack_release(struct adi_dlpack_array *array);
/* The deleter of a tensor of the implementation's, unless it is NULL; on another thread, joined. */
void adi_call_deleter(const struct adi_dlpack *tensor);
void adi_call_deleter_elsewhere(const struct adi_dlpack *tensor);

/* Runs the rules over it, as adi_check_tensor. What is no more than advice is told, and hides
 * nothing: it counts neither as a finding of the case nor as a stray. */
enum adi_tensor_is adi_tensor_look(struct adi_test *test, const struct adi_dlpack *tensor,
                                   const struct adi_tensor_asked *asked, struct adi_tensor *out);

/* A request with nothing said but the layout. */
static inline struct adi_dlpack_request adi_tensor_request(uint32_t major, uint32_t minor) {
    return (struct adi_dlpack_request){.size = sizeof(struct adi_dlpack_request),
                                       .max_major = major,
                                       .max_minor = minor,
                                       .copy = -1,
                                       .stream = ADI_DLPACK_NONE};
}

#endif /* ADI_PLAY_TENSOR_H */
