/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is charged, and with what: charges.def says which rule each thing that is seen from outside
 * breaks, by what the implementation does there. Where a rule binds both parties the one under test
 * is charged, but for what ends the process while it says that it imports: that is the consumer's.
 */
#ifndef ADI_CHARGE_H
#define ADI_CHARGE_H

#include "device.h"
#include "finding.h"

enum adi_charge {
#define CHARGE(what, of_producer, of_consumer, wanted, message) ADI_CHARGE_##what,
#include "rules/charges.def"
#undef CHARGE
};

/* The rule that is broken, if the implementation consumes or relays, or if it only produces. */
const struct adi_rule *adi_charge_rule(enum adi_charge what, bool consumes);
/* Of a misuse of the device's objects; of an event that came with an array where `is_event`. */
enum adi_charge adi_charge_of_misuse(enum adi_misuse misuse, bool is_event, bool consumes);
/* A finding over a tensor of DLPack: in place of a rule of Arrow the one of DLPack that asks for
 * the same (tensor_charges.def), if there is one. */
void adi_charge_tensor(struct adi_found *finding);
/* Reports it. The message of the table follows `about`, if there is one. */
void adi_charge(struct adi_sink *sink, enum adi_charge what, bool consumes, enum adi_party at_hand,
                const char *seen, const char *about);

#endif /* ADI_CHARGE_H */
