import { appendAudit } from "../../data/audit/audit.ts";
import { findRefund, freeRefundKey, type RefundRow, updateRefundSettled } from "../../data/charges/refunds.ts";
import type { Sql } from "../../data/client.ts";
import { lockMandate } from "../../data/mandates/mandates.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { toRefundObject } from "../charge/charge.wire.ts";
import { askerOf } from "../charge/charge-actor.ts";
import { refundCheckDelaySeconds } from "../rules/settlement.ts";

export type RefundEnd =
  | { status: "succeeded"; refundRef: string; mayFailLater: boolean }
  | { status: "failed"; refundRef: string | null; code: string }
  /** the processor never had it */
  | { status: "failed"; refundRef: null; code: "not_submitted" };

/** The processor gave it back; at some a bank may yet send it back. */
export const asGiven = (
  { processors }: Pick<Deps, "processors">,
  { processor }: { processor: string },
  refundRef: string,
): RefundEnd => ({
  status: "succeeded",
  refundRef,
  mayFailLater: processors.get(processor).capabilities.lateRefundFailures,
});

export type RefundedBy = { kind: "client" | "reconciler" | "processor"; requestId: string };

/**
 * Ends a refund by one transaction: its state, the charge's, the caps where `refund_policy` is `restore` (never a
 * count), the answer under its key, event and audit. At most one caller; every other gets it as that one left it.
 * @param neverTold this process sent nothing and has answered nobody: the idempotency key is free again, and nothing
 *   changes where another process took it over since, which may have sent it.
 */
export const settleRefund = async (
  deps: Deps,
  refund: RefundRow,
  end: RefundEnd,
  by: RefundedBy,
  neverTold = false,
): Promise<RefundRow> => {
  const at = await deps.businessClock.now();
  const failureCode = end.status === "failed" ? end.code : null;
  const refundRef = end.refundRef ?? refund.refundRef;
  const checkDelay = end.status === "succeeded" && end.mayFailLater ? refundCheckDelaySeconds(0, true) : null;
  const nextCheckAt = checkDelay === null ? null : addSeconds(deps.clock.now(), checkDelay);
  const next: RefundRow = {
    ...refund,
    status: end.status,
    refundRef,
    failureCode,
    leaseUntil: null,
    nextLookupAt: null,
  };
  const data = toRefundObject(next);
  const settle = async (sql: Sql): Promise<boolean> => {
    await lockMandate(sql, refund.mandateId, { withGrant: false });
    const answer = neverTold ? null : JSON.stringify(data);
    const settlement = {
      refund,
      status: end.status,
      refundRef,
      failureCode,
      at,
      answer,
      nextCheckAt,
      unlessTaken: neverTold,
    };
    if (!(await updateRefundSettled(sql, settlement))) return false;
    if (neverTold) await freeRefundKey(sql, refund);
    await appendEvent(sql, { type: `refund.${end.status}`, objectId: refund.id, data, at });
    await appendAudit(sql, {
      at,
      actor: by.kind === "client" ? askerOf(refund.merchantClientId) : { kind: "system", id: by.kind },
      action: `refund.${end.status}`,
      subjectId: refund.id,
      requestId: by.requestId,
      data: {
        charge_id: refund.chargeId,
        mandate_id: refund.mandateId,
        amount: Number(refund.amount),
        ...(failureCode === null ? {} : { code: failureCode }),
      },
    });
    return true;
  };
  const isOurs = await deps.db.inSharedTurn(refund.mandateId, settle, { phase: "finishes" });
  return isOurs ? next : ((await findRefund(deps.db.sql, refund.id)) ?? next);
};
