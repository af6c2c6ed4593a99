import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import { insertMandate } from "../../data/mandates/mandates.ts";
import type { Deps } from "../../deps/deps.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { toGrantedDetails, toJson } from "../details/granted-details.ts";
import type { PaymentMandateDetails } from "../details/payment-mandate.wire.ts";
import { toTerms } from "../details/to-terms.ts";
import { decidePending } from "./transition-mandate.ts";

type Refusal = {
  requestId: string;
  grantId: string;
  clientId: string;
  payerId: string;
  details: readonly PaymentMandateDetails[];
  mandateIds: readonly string[];
  now: BusinessTime;
};

/** The payer declines: stores every mandate of the request as rejected, without a payment method or credential. */
export const rejectMandates = async (_deps: Deps, tx: Tx, refusal: Refusal): Promise<void> => {
  const { requestId, grantId, clientId, payerId, now } = refusal;
  for (const [index, details] of refusal.details.entries()) {
    const mandateId = refusal.mandateIds[index];
    if (mandateId === undefined) throw new Error("a mandate id for each item of the request is needed");
    const terms = toTerms(details, now);
    // The window may have closed while the payer read the page. This doesn't matter for a rejected mandate.
    const validUntil = terms.validUntil > terms.validFrom ? terms.validUntil : new Date(terms.validFrom.getTime() + 1);
    await insertMandate(tx, {
      id: mandateId,
      grantId,
      clientId,
      payerId,
      budgetVisible: false,
      terms: { ...terms, validUntil },
      paymentMethodId: null,
      state: decidePending("reject"),
      details: toJson(toGrantedDetails(details, { mandateId, terms, paymentInstrument: null })),
      purpose: details.purpose ?? "",
      at: now,
    });
    await appendAudit(tx.sql, {
      at: now,
      actor: { kind: "payer", id: payerId },
      action: "mandate.rejected",
      subjectId: mandateId,
      requestId,
      data: { client_id: clientId },
    });
  }
};
