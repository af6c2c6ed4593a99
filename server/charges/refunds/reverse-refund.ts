import { appendAudit } from "../../data/audit/audit.ts";
import { lockCharge } from "../../data/charges/charges.ts";
import { type RefundRow, updateRefundReversed } from "../../data/charges/refunds.ts";
import type { Sql } from "../../data/client.ts";
import { lockMandate } from "../../data/mandates/mandates.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import { toRefundObject } from "../charge/charge.wire.ts";
import type { RefundedBy } from "./settle-refund.ts";

/**
 * Reverses a refund that succeeded and then failed, possibly days later. The merchant has the money again. In one
 * transaction, the charge gets the state that it would have without the refund. The restored amount counts as used
 * again, even above the limits if it was spent in the meantime. At most one caller reverses the refund. The answer that
 * is stored under the refund's key doesn't change.
 */
export const reverseRefund = async (
  deps: Deps,
  refund: RefundRow,
  { code, by }: { code: string; by: RefundedBy },
): Promise<void> => {
  const at = await deps.businessClock.now();
  const data = toRefundObject({ ...refund, status: "failed", failureCode: code });
  const reverse = async (sql: Sql): Promise<void> => {
    await lockMandate(sql, refund.mandateId, { withGrant: false });
    // The charge is locked, so that no dispute opens or closes after the disputes are read and before the charge's
    // state is written.
    await lockCharge(sql, refund.chargeId);
    if (!(await updateRefundReversed(sql, { refund, failureCode: code, at }))) return;
    await appendEvent(sql, { type: "refund.failed", objectId: refund.id, data, at });
    await appendAudit(sql, {
      at,
      actor: { kind: "system", id: by.kind },
      requestId: by.requestId,
      action: "refund.failed",
      subjectId: refund.id,
      data: {
        charge_id: refund.chargeId,
        mandate_id: refund.mandateId,
        amount: Number(refund.amount),
        code,
        after: "succeeded",
      },
    });
  };
  await deps.db.inTurn(refund.mandateId, reverse, { phase: "finishes" });
};
