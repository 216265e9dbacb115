/* SPDX-License-Identifier: Apache-2.0
 *
 * What `adicheck new` writes, for each language. The texts are the files of harness/command/new/,
 * which the build embeds. In a text and in a path @NAME@ stands for the name, @CRATE@ for the name
 * as Rust spells it, @INCLUDE@ for the option that finds the headers.
 */
#ifndef ADI_NEW_FRAMES_H
#define ADI_NEW_FRAMES_H

struct adi_frame_file {
    const char *ending;       /* of its path, behind the name */
    const char *const *lines; /* each with its end of line; the last is NULL. NULL: a folder */
};

#define ADI_FRAME_FILES 6

struct adi_frame {
    const char *language;
    struct adi_frame_file files[ADI_FRAME_FILES]; /* as they are made; the last has no ending */
    const char *next;                             /* what to do with them, for a person */
};

#define ADI_LANGUAGES "c, cpp, rust or go"

/* NULL: there is none for such a language. */
const struct adi_frame *adi_frame_find(const char *language);

#endif /* ADI_NEW_FRAMES_H */
