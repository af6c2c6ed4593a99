import { type AuditEntry, appendAudit } from "../../data/audit/audit.ts";
import { findRefund, freeRefundKey, type RefundRow, updateRefundSettled } from "../../data/charges/refunds.ts";
import type { Sql } from "../../data/client.ts";
import { lockMandate } from "../../data/mandates/mandates.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { toRefundObject } from "../charge/charge.wire.ts";
import type { MerchantActor } from "../charge/settled-by.ts";
import { answerToRefund } from "../idempotency/answers.ts";
import { refundCheckDelaySeconds } from "../rules/schedule.ts";

export type RefundEnd =
  | { status: "succeeded"; refundRef: string; mayFailLater: boolean }
  | { status: "failed"; refundRef: string | null; code: string }
  /** the processor never received the refund */
  | { status: "failed"; refundRef: null; code: "not_submitted" };

/** The processor made the refund. At some processors the payer's bank may still return the money. */
export const asGiven = (
  { processors }: Pick<Deps, "processors">,
  { processor }: { processor: string },
  refundRef: string,
): RefundEnd => ({
  status: "succeeded",
  refundRef,
  mayFailLater: processors.get(processor).capabilities.lateRefundFailures,
});

export type RefundedBy =
  | { kind: "merchant"; actor: MerchantActor; requestId: string }
  | { kind: "reconciler" | "processor"; requestId: string };

type Settling = {
  end: RefundEnd;
  by: RefundedBy;
  /**
   * true if this process sent nothing and gave no answer. The idempotency key then becomes free. If another process
   * took over the refund, nothing changes, because the other process may have sent the refund.
   */
  wasNeverSent?: boolean;
};

/**
 * Ends a refund in one transaction. Writes the states of the refund and the charge, the answer under the refund's key,
 * the event and the audit entry. If `refund_policy` is `restore`, it also restores the amount in the limits, but never
 * a count. At most one caller ends the refund; every other caller gets the refund in its current state.
 */
export const settleRefund = async (
  deps: Deps,
  refund: RefundRow,
  { end, by, wasNeverSent = false }: Settling,
): Promise<RefundRow> => {
  const at = await deps.businessClock.now();
  const next = ended(refund, end);
  const checkDelay = end.status === "succeeded" && end.mayFailLater ? refundCheckDelaySeconds(0, true) : null;
  const nextCheckAt = checkDelay === null ? null : addSeconds(deps.clock.now(), checkDelay);
  const settle = async (sql: Sql): Promise<boolean> => {
    await lockMandate(sql, refund.mandateId, { withGrant: false });
    const settlement = {
      refund,
      status: end.status,
      refundRef: next.refundRef,
      failureCode: next.failureCode,
      at,
      answer: wasNeverSent ? null : answerToRefund(next).body,
      nextCheckAt,
      unlessTaken: wasNeverSent,
    };
    if (!(await updateRefundSettled(sql, settlement))) return false;
    if (wasNeverSent) await freeRefundKey(sql, refund);
    const type = `refund.${end.status}` as const;
    await appendEvent(sql, { type, objectId: refund.id, data: toRefundObject(next), at });
    await appendAudit(sql, auditOf(next, { by, at, action: type }));
    return true;
  };
  const isOurs = await deps.db.inSharedTurn(refund.mandateId, settle, { phase: "finishes" });
  return isOurs ? next : ((await findRefund(deps.db.sql, refund.id)) ?? next);
};

const ended = (refund: RefundRow, end: RefundEnd): RefundRow => ({
  ...refund,
  status: end.status,
  refundRef: end.refundRef ?? refund.refundRef,
  failureCode: end.status === "failed" ? end.code : null,
  leaseUntil: null,
  nextLookupAt: null,
});

const auditOf = (refund: RefundRow, { by, at, action }: { by: RefundedBy; at: Date; action: string }): AuditEntry => ({
  at,
  actor: by.kind === "merchant" ? by.actor : { kind: "system", id: by.kind },
  action,
  subjectId: refund.id,
  requestId: by.requestId,
  data: {
    charge_id: refund.chargeId,
    mandate_id: refund.mandateId,
    amount: Number(refund.amount),
    ...(refund.failureCode === null ? {} : { code: refund.failureCode }),
  },
});
