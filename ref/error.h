/* SPDX-License-Identifier: Apache-2.0
 *
 * How every function of ours fails: it returns an errno value and leaves a sentence in the caller's
 * `struct adi_error`, its last parameter, which may be NULL.
 */
#ifndef ADI_ERROR_H
#define ADI_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

#define ADI_ERROR_SIZE 512

/* One sentence, NUL-terminated, cut when it is too long. "" means that nothing was said. */
struct adi_error {
    char text[ADI_ERROR_SIZE];
};

#if defined(__GNUC__)
#define ADI_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define ADI_PRINTF(format_at, first_at)
#endif

/* Writes the sentence into `error` (if not NULL) and returns `code`, so that a failing function can
 * end in `return adi_error_set(error, EINVAL, "...", ...)`. Any thread; `error` belongs to one
 * caller. */
int adi_error_set(struct adi_error *error, int code, const char *format, ...) ADI_PRINTF(3, 4);

/* Passes a failure up unchanged. */
#define ADI_TRY(call)                                                                              \
    do {                                                                                           \
        int adi_try_code_ = (call);                                                                \
        if (adi_try_code_ != 0) return adi_try_code_;                                              \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif /* ADI_ERROR_H */
