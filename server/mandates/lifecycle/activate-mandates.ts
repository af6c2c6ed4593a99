import { findPaymentMethod } from "../../data/accounts/payment-methods.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import { insertMandate } from "../../data/mandates/mandates.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import { fieldRefusal } from "../../kernel/errors.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { toGrantedDetails, toJson } from "../details/granted-details.ts";
import type { PaymentMandateDetails } from "../details/payment-mandate.wire.ts";
import { toTerms } from "../details/to-terms.ts";
import { windowProblem } from "../rules/validity.ts";
import { allocateStatus } from "../status-indexes/allocate-status.ts";
import { decidePending } from "./transition-mandate.ts";

type Approval = {
  requestId: string;
  grantId: string;
  clientId: string;
  payerId: string;
  paymentMethodId: string;
  /** as validated at PAR and narrowed at consent */
  details: readonly PaymentMandateDetails[];
  /** same length as `details` */
  mandateIds: readonly string[];
  /** whether the payer lets merchants see the remaining limits */
  budgetVisible: boolean;
  now: BusinessTime;
};

/**
 * Consent: every mandate of one request becomes active at version 1, with its own status index.
 * @throws DomainError if the payment method isn't the payer's, or the end of validity has passed or isn't allowed.
 */
export const activateMandates = async (deps: Deps, tx: Tx, approval: Approval): Promise<void> => {
  const paymentInstrument = await findPaymentMethod(tx, { id: approval.paymentMethodId, payerId: approval.payerId });
  if (!paymentInstrument) throw fieldRefusal("/payment_method_id", "is not one of your payment methods");
  for (const [index, details] of approval.details.entries()) {
    const mandateId = approval.mandateIds[index];
    if (mandateId === undefined) throw new Error("a mandate id for each item of the request is needed");
    await activate(deps, tx, { approval, mandate: { mandateId, details, paymentInstrument } });
  }
};

const activate = async (
  deps: Deps,
  tx: Tx,
  {
    approval,
    mandate,
  }: {
    approval: Approval;
    mandate: {
      mandateId: string;
      details: PaymentMandateDetails;
      paymentInstrument: { id: string; type: string; label: string };
    };
  },
): Promise<void> => {
  const { mandateId, details, paymentInstrument } = mandate;
  const { grantId, clientId, payerId, budgetVisible, now } = approval;
  const terms = toTerms(details, now);
  if (terms.validUntil <= now || terms.validUntil <= terms.validFrom) throw fieldRefusal("/valid_until", "has passed");
  // PAR checked the requested end. This checks an end that the payer set.
  const problem = windowProblem({ from: terms.validFrom, until: terms.validUntil }, terms.timeZone, now);
  if (problem) throw fieldRefusal("/valid_until", problem);
  const granted = toJson(toGrantedDetails(details, { mandateId, terms, paymentInstrument }));
  await insertMandate(tx, {
    id: mandateId,
    grantId,
    clientId,
    payerId,
    terms,
    budgetVisible,
    paymentMethodId: paymentInstrument.id,
    state: decidePending("approve"),
    details: granted,
    purpose: details.purpose ?? "",
    at: now,
  });
  await allocateStatus(deps, tx.sql, { mandateId, version: 1, details: granted, at: now });
  await appendAudit(tx.sql, {
    at: now,
    actor: { kind: "payer", id: payerId },
    action: "mandate.activated",
    subjectId: mandateId,
    requestId: approval.requestId,
    data: { grant_id: grantId, client_id: clientId, version: 1 },
  });
  await appendEvent(tx.sql, {
    type: "mandate.activated",
    objectId: mandateId,
    data: { mandate_id: mandateId, status: "active", version: 1, client_id: clientId },
    at: now,
  });
};
