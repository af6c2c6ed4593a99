import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { lockMandate } from "../../data/mandates/mandates.ts";
import { lockUsablePaymentMethod, updateMandatePaymentMethod } from "../../data/payers/mandate-payment-method.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { fromJson, toJson } from "../details/granted-details.ts";
import { mailMandateChange } from "../notices/mail-mandate-change.ts";
import { allocateStatus } from "../status-indexes/allocate-status.ts";
import { markStatus } from "../status-indexes/mark-status.ts";
import { inTransaction, isAllowedToAct, type MandateAct, mandateNotFound, nextStanding } from "./transition-mandate.ts";

type Act = MandateAct & { paymentMethodId: string };

/**
 * Lets a live mandate pay with another payment method of its payer. One transaction creates the next version with its
 * own credential and status index. Payments in progress keep the method with which they began. A repeated call changes
 * nothing.
 * @throws DomainError not_found, conflict if the mandate has ended, payment_method_not_found.
 */
export const changePaymentMethod = (deps: Deps, act: Act): Promise<{ version: number }> =>
  inTransaction(deps, act.tx, (sql) => changeLocked(deps, sql, act));

const changeLocked = async (deps: Deps, sql: Sql, act: Act): Promise<{ version: number }> => {
  const mandate = await lockMandate(sql, act.mandateId, { withGrant: false });
  if (!mandate || !isAllowedToAct(mandate, act.actor)) throw mandateNotFound();
  const at = await deps.businessClock.now();
  nextStanding(mandate, { event: "narrow", actor: act.actor.kind, at });
  const method = await lockUsablePaymentMethod(sql, { payerId: mandate.payerId, id: act.paymentMethodId });
  if (!method) throw methodNotFound();
  const { payment_instrument: before, ...rest } = fromJson(mandate.details);
  if (before?.id === method.id) return { version: mandate.version };
  const version = mandate.version + 1;
  const details = toJson({ ...rest, payment_instrument: method });
  await updateMandatePaymentMethod(sql, { id: mandate.id, version, details, paymentMethodId: method.id });
  await markStatus(sql, { mandateId: mandate.id, version: mandate.version, revoked: true, at: deps.clock.now() });
  await allocateStatus(deps, sql, { mandateId: mandate.id, version, details, at });
  await appendAudit(sql, {
    at,
    actor: act.actor,
    action: "mandate.payment_method_changed",
    subjectId: mandate.id,
    requestId: act.requestId,
    data: { version, from: before?.label ?? null, to: method.label },
  });
  await appendEvent(sql, {
    type: "mandate.updated",
    objectId: mandate.id,
    data: { mandate_id: mandate.id, status: mandate.state, version, client_id: mandate.clientId },
    at,
  });
  const { actor: by, requestId } = act;
  await mailMandateChange(deps, sql, { mandateIds: [mandate.id], change: "method", by, at, requestId });
  return { version };
};

const methodNotFound = (): DomainError =>
  new DomainError("invalid", {
    code: "payment_method_not_found",
    message: "This payment method isn’t available any more. Choose another one.",
    errors: [{ pointer: "/paymentMethodId", detail: "isn’t one of your payment methods" }],
  });
