/* SPDX-License-Identifier: Apache-2.0
 *
 * The last words, where what is judged ends Python itself.
 */
#include <stdio.h>

#include "crash_word.h"
#include "py_judge.h"
#include "run.h"

const char adi_py_judge_hint[] = "with isolate=True this is a finding, and the rest is judged";

static char at_hand[512]; /* of what no case of the harness is; "": nothing */

static void say(int number) {
    if (!adi_run_say_crash(number)) {
        if (at_hand[0] == '\0') return;
        adi_crash_word_write((const char *const[]){"adicheck: ", at_hand, ": the process ends by ",
                                                   adi_crash_word_name(number), "\n", NULL});
    }
    adi_crash_word_write((const char *const[]){"adicheck: ", adi_py_judge_hint, "\n", NULL});
}

PyObject *adi_py_judge_at_hand(PyObject *module, PyObject *text) {
    (void)module;
    at_hand[0] = '\0';
    if (text != Py_None) {
        const char *words = PyUnicode_AsUTF8AndSize(text, NULL);
        if (words == NULL) return NULL;
        snprintf(at_hand, sizeof at_hand, "%s", words);
    }
    adi_crash_word_by(at_hand[0] == '\0' ? NULL : say);
    Py_RETURN_NONE;
}
