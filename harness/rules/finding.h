/* SPDX-License-Identifier: Apache-2.0
 *
 * A finding: a rule that was broken, by whom, and what was seen. Checks and the monitor report
 * findings to a sink; the worker's sink is the shared log, the library's is a list.
 */
#ifndef ADI_FINDING_H
#define ADI_FINDING_H

#include "error.h"
#include "rule.h"

/* What every byte of an output structure is before an implementation is asked to fill it: a member
 * that still holds it was not written. */
#define ADI_POISON_BYTE 0xA5

#define ADI_FINDING_SIZE 512

/* From where it is seen to whoever keeps it. All texts may be empty. */
struct adi_found {
    const struct adi_rule
        *rule;            /* that was broken; it and the party are not a predicate's to say */
    enum adi_party party; /* by whom, never ADI_BOTH */
    bool
        not_applicable; /* there was nothing to judge: the rule is neither satisfied nor violated */
    bool aside; /* a note that hides nothing: it is told once a case, and what is played goes on */
    const struct adi_rule *copied;  /* that the host copy breaks by itself, where this says that it
                                       is  unsound; NULL: this is about something else */
    const char *mend;               /* static: of this very finding; NULL: the rule's */
    char message[ADI_FINDING_SIZE]; /* what is wrong, beginning with the place:
                                     "children[1].buffers[2] is NULL" */
    char seen[ADI_FINDING_SIZE];
    char wanted[ADI_FINDING_SIZE];
};

/* Writes the three texts; returns false, so that a predicate can end in `return adi_see(...)`.
 * `seen` and `wanted` may be NULL. */
bool adi_see(struct adi_found *finding, const char *seen, const char *wanted, const char *format,
             ...) ADI_PRINTF(4, 5);

struct adi_sink {
    /* A violation. Both pointers are the caller's. Must be callable from a signal handler and from
     * any thread. */
    void (*violated)(struct adi_sink *sink, const struct adi_found *finding);
    /* (optional) The rule was looked at once and is satisfied. */
    void (*satisfied)(struct adi_sink *sink, const struct adi_rule *rule);
    /* (optional) The violation that comes next ends the process: it is told even where what is
     * played is played only to weigh what it leaves behind. As `violated`. */
    void (*last)(struct adi_sink *sink);
};

/* Says so, where somebody listens. */
void adi_sink_last(struct adi_sink *sink);

/* Reports a violation by rule id. The party is the rule's, or `party` where the rule binds both. An
 * id that does not exist is a mistake of ours: asserted. */
void adi_report(struct adi_sink *sink, const char *rule, enum adi_party party, const char *seen,
                const char *wanted, const char *format, ...) ADI_PRINTF(6, 7);
/* The same as a note that hides nothing, of a rule that binds one party. */
void adi_report_aside(struct adi_sink *sink, const char *rule, const char *seen, const char *wanted,
                      const char *what);

/* ---- what follows from what: one mistake is told once ---- */

/* Does a violation of `rule` follow from one of `cause`? Of two that explain each other the one
 * that was seen first is the cause. */
bool adi_follows(const struct adi_rule *rule, const struct adi_rule *cause, bool cause_was_first);

/* A mistake that is known already while others may still be found. */
struct adi_mistake {
    const struct adi_rule *rule; /* that it breaks; NULL: no mistake is known */
    bool of_all; /* whatever is found follows from it; else only what its rule explains */
    bool told;
};
/* By rule id; NULL: none is known. */
struct adi_mistake adi_mistake(const char *rule, bool of_all);
/* A finding that follows from the mistake becomes a violation of its rule. false: what all follows
 * from has been told. */
bool adi_mistake_takes(struct adi_mistake *mistake, struct adi_found *finding);

#endif /* ADI_FINDING_H */
