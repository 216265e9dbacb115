/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/: is this callback of the handler what a producer may do now?
 */
#ifndef ADI_ASYNC_JUDGE_H
#define ADI_ASYNC_JUDGE_H

#include "async_handler.h"

enum adi_async_callback {
    ADI_ASYNC_SCHEMA,
    ADI_ASYNC_TASK,
    ADI_ASYNC_ERROR,
    ADI_ASYNC_RELEASE,
};

/* A callback has been entered, with this `self`: counts it, and judges it. */
void adi_async_judge(struct adi_async_handler *handler, struct ArrowAsyncDeviceStreamHandler *self,
                     enum adi_async_callback callback, bool is_data);
void adi_async_judge_metadata(struct adi_async_handler *handler, const char *metadata,
                              bool of_error);
/* Are the texts there that on_error was called with? `frame`: __builtin_frame_address(0) of it.
 * What is not: static text, or NULL. */
const char *adi_async_find_gone(const char *message, const char *metadata, const void *frame);
/* The same once more, and whether it changes; `gone` is what was found before anything was done. */
void adi_async_judge_texts(struct adi_async_handler *handler, const char *message,
                           const char *metadata, const void *frame, const char *gone);
/* Keeps what on_error was told, and judges it. */
void adi_async_judge_error(struct adi_async_handler *handler, int code, const char *message);
/* extract_data is called from here on, or has answered the code. */
void adi_async_extraction_begins(struct adi_async_handler *handler);
void adi_async_extraction_ends(struct adi_async_handler *handler, int code);
/* What extract_data has answered, and where it gives the batch; NULL: the task was given up, else
 * it held the pattern before. Is there an array? */
bool adi_async_judge_extracted(struct adi_async_handler *handler, int code,
                               const struct ArrowDeviceArray *out);
/* Is it the code of an errno of Linux, and not 0? */
bool adi_async_is_errno(int code);

/* What the calling thread is calling of the producer: "request", "cancel"; NULL: nothing. */
const char *adi_async_calling(void);
/* This thread calls that method from here on, or has returned from it: they nest. */
void adi_async_call_begins(const char *what);
void adi_async_call_ends(void);
int adi_async_call_depth(void);

#endif /* ADI_ASYNC_JUDGE_H */
