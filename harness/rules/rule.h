/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules: what the documents ask of a producer and of a consumer, one row each in
 * rules/FAMILY.def. A rule's id is `family/name` and is never reused. Everything else (list,
 * explain, the reports, the rule reference) is written from the rows.
 */
#ifndef ADI_RULE_H
#define ADI_RULE_H

#include <stdbool.h>
#include <stddef.h>

/* The version of the rule set: `"rules"` in the JSON record, `--rules VERSION`. */
#define ADI_RULES_VERSION "1.0"

enum adi_level {
    ADI_MUST,
    ADI_SHOULD,
    ADI_MAY,
};

/* Why the rule counts. Only TEXT and IMPLIED of level MUST make an implementation non-conformant.
 */
enum adi_basis {
    ADI_TEXT,     /* a sentence of the document says so */
    ADI_IMPLIED,  /* it follows from one */
    ADI_DECISION, /* the text can be read in two ways: docs/ambiguities.md */
    ADI_PRACTICE, /* implementations rely on it, no document says it */
};

enum adi_party {
    ADI_PRODUCER,
    ADI_CONSUMER,
    ADI_BOTH, /* either: the finding names which */
};

/* How a violation is found. */
enum adi_finder {
    ADI_BY_CHECK,   /* a predicate over one node: `check` */
    ADI_BY_MONITOR, /* by watching calls and memory while a case runs */
    ADI_BY_CASE,    /* by the outcome of a case */
};

struct adi_node;  /* tree.h */
struct adi_found; /* finding.h */

/* Does the rule hold for this node? If not, says what was seen in `*finding`. */
typedef bool adi_predicate(const struct adi_node *node, struct adi_found *finding);

struct adi_rule {
    const char *id;
    enum adi_level level;
    enum adi_basis basis;
    enum adi_party party;
    const char *document; /* "C data interface" */
    const char *section;  /* its heading: "Moving an array" */
    const char *anchor;   /* of the section in the published page */
    int since_major, since_minor;
    const char *statement; /* what must be so, in our words */
    enum adi_finder finder;
    adi_predicate *check; /* ADI_BY_CHECK */
    const char *how;      /* how it is found, a sentence part */
    const char *implies;  /* ids, separated by blanks: what follows from a violation and is not
                             reported  beside it; a final `*` stands for any rest; "" none */
    const char *mend;     /* what to do about it */
};

/* The rules in the order of their families and rows; NULL from `index` on past the end. */
const struct adi_rule *adi_rule(size_t index);
size_t adi_rule_count(void);
/* By id; NULL: there is none. */
const struct adi_rule *adi_rule_named(const char *id);
size_t adi_rule_index(const struct adi_rule *rule);
/* Does a violation of `cause` explain one of `consequence` (directly or through others)? */
bool adi_rule_implies(const struct adi_rule *cause, const struct adi_rule *consequence);
/* The party of a rule, or, where it binds both, the one `at_hand`. `rule` may be NULL. */
enum adi_party adi_charged(const struct adi_rule *rule, enum adi_party at_hand);
/* Does a document say so, or does it follow from what one says? */
bool adi_rule_is_written(const struct adi_rule *rule);
/* Does a violation make an implementation non-conformant: a MUST that is written? */
bool adi_rule_binds(const struct adi_rule *rule);
/* Does the rule count in this version of the rule set ("1.0")? */
bool adi_rule_counts(const struct adi_rule *rule, const char *version);

/* "MUST", "text", "producer": as the reports print them. Static text. */
const char *adi_level_name(enum adi_level level);
const char *adi_basis_name(enum adi_basis basis);
const char *adi_party_name(enum adi_party party);

#endif /* ADI_RULE_H */
