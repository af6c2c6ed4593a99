import { findPaymentMethod } from "../../data/accounts/payment-methods.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import { replaceMandateTerms } from "../../data/mandates/mandate-replacement.ts";
import type { LockedMandate } from "../../data/mandates/mandates.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import { fieldRefusal } from "../../kernel/errors.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { fromJson, toGrantedDetails, toJson } from "../details/granted-details.ts";
import type { PaymentMandateDetails } from "../details/payment-mandate.wire.ts";
import { toTerms } from "../details/to-terms.ts";
import { changedLastingField, replacementDetails } from "../rules/replace.ts";
import type { MandateTerms } from "../rules/terms.ts";
import { windowProblem } from "../rules/validity.ts";
import { allocateStatus } from "../status-indexes/allocate-status.ts";
import { markStatus } from "../status-indexes/mark-status.ts";
import { consumeIfDone } from "../use/consume-mandate.ts";
import { countRunningPeriods } from "../use/count-running-periods.ts";
import { isAllowedToAct, mandateNotFound, nextStanding } from "./transition-mandate.ts";

type Replacement = {
  /** locked by the caller's transaction; null if it isn't found */
  mandate: LockedMandate | null;
  /** the version that was displayed next to the new values */
  fromVersion: number;
  /** as validated at PAR and narrowed at consent */
  details: PaymentMandateDetails;
  paymentMethodId: string;
  budgetVisible: boolean;
  payerId: string;
  requestId: string;
  now: BusinessTime;
};

/**
 * Changes the terms of a live mandate, to which the payer has consented again. It creates the next version with its own
 * credential and status index, and sets the revocation bit of the old version. The id and the existing counters don't
 * change. A limit for a period that wasn't counted before starts with the amounts already spent and held in that
 * period. Held amounts are still held, and a charge that was decided under the old version is decided again. If the
 * mandate is consumed under the new limits, it ends. The caller's transaction holds the grant's lock, and ends the
 * grant if no mandate is left.
 * @returns false if the mandate's version has changed in the meantime. Then nothing was written.
 * @throws DomainError if the mandate isn't found or has ended, or a value is no longer valid.
 */
export const replaceMandate = async (deps: Deps, tx: Tx, replacement: Replacement): Promise<boolean> => {
  const { mandate, payerId, requestId, now } = replacement;
  const actor = { kind: "payer", id: payerId } as const;
  if (!mandate || !isAllowedToAct(mandate, actor)) throw mandateNotFound();
  const mandateId = mandate.id;
  nextStanding(mandate, { event: "replace", actor: actor.kind, at: now });
  if (mandate.version !== replacement.fromVersion) return false;

  const paymentInstrument = await findPaymentMethod(tx, { id: replacement.paymentMethodId, payerId });
  if (!paymentInstrument) throw fieldRefusal("/payment_method_id", "is not one of your payment methods");
  const { details, terms } = resolve(fromJson(mandate.details), replacement.details, now);
  const granted = toJson(toGrantedDetails(details, { mandateId, terms, paymentInstrument }));
  const version = mandate.version + 1;
  await replaceMandateTerms(tx.sql, {
    id: mandateId,
    version,
    details: granted,
    terms,
    budgetVisible: replacement.budgetVisible,
    purpose: details.purpose ?? "",
    paymentMethodId: paymentInstrument.id,
  });
  await markStatus(tx.sql, { mandateId, version: mandate.version, revoked: true, at: deps.clock.now() });
  await allocateStatus(deps, tx.sql, { mandateId, version, details: granted, at: now });
  await countRunningPeriods(tx.sql, { mandateId, terms, at: now });
  const { state, clientId, grantId } = mandate;
  await appendAudit(tx.sql, {
    at: now,
    actor,
    action: "mandate.replaced",
    subjectId: mandateId,
    requestId,
    data: { version, grant_id: grantId, client_id: clientId },
  });
  await appendEvent(tx.sql, {
    type: "mandate.updated",
    objectId: mandateId,
    data: { mandate_id: mandateId, status: state, version, client_id: clientId },
    at: now,
  });
  await consumeIfDone(tx.sql, { mandateId, mandate: { ...mandate, ...terms, version }, at: now, requestId });
  return true;
};

const resolve = (
  current: PaymentMandateDetails,
  requested: PaymentMandateDetails,
  now: Date,
): { details: PaymentMandateDetails; terms: MandateTerms } => {
  // PAR refuses this too. The meaning of the counters must never change.
  const lasting = changedLastingField(current, requested);
  if (lasting) throw fieldRefusal(`/${lasting}`, "can't change while the mandate is in use");
  const details = replacementDetails(current, requested, now);
  const terms = toTerms(details, now);
  // A window that is already open keeps its start, because periods count from there.
  const validFrom = current.valid_from === undefined ? terms.validFrom : new Date(current.valid_from);
  const problem = windowProblem({ from: validFrom, until: terms.validUntil }, terms.timeZone, now);
  if (problem) throw fieldRefusal("/valid_until", problem);
  return { details, terms: { ...terms, validFrom } };
};
