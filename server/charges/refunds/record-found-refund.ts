import { appendAudit } from "../../data/audit/audit.ts";
import { type ChargeRow, lockCharge } from "../../data/charges/charges.ts";
import { findEveryRefund, insertFoundRefund, type RefundRow } from "../../data/charges/refunds.ts";
import type { Deps } from "../../deps/deps.ts";
import type { FoundRefund } from "../../deps/processor-port.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { dateId } from "../../kernel/time/dated.ts";
import { lookupDelaySeconds } from "../rules/schedule.ts";
import type { RefundedBy } from "./settle-refund.ts";

/**
 * Records a refund that was made at the processor itself as a refund in progress. Because of the charge's lock, it is
 * recorded once, even if it is reported several times. @returns the refund; null if it exceeds the amount that the
 * charge can still refund.
 */
export const recordFoundRefund = async (
  deps: Deps,
  charge: ChargeRow,
  { found, by }: { found: FoundRefund; by: RefundedBy },
): Promise<RefundRow | null> => {
  const at = await deps.businessClock.now();
  const refund: RefundRow = {
    id: dateId(newId("rfd"), at),
    chargeId: charge.id,
    merchantId: charge.merchantId,
    mandateId: charge.mandateId,
    // No client requested this refund from us.
    merchantClientId: charge.processor,
    amount: found.amountMinor,
    status: "pending",
    refundRef: found.refundRef,
    failureCode: null,
    reason: null,
    metadata: {},
    createdAt: at,
    leaseUntil: null,
    lookups: 0,
    nextLookupAt: addSeconds(deps.clock.now(), lookupDelaySeconds(0)),
  };
  return deps.db.sqlTransaction(async (sql) => {
    await lockCharge(sql, charge.id);
    const known = (await findEveryRefund(sql, charge.id)).find(({ refundRef }) => refundRef === found.refundRef);
    if (known) return known;
    if (!(await insertFoundRefund(sql, refund))) return null;
    await appendAudit(sql, {
      at,
      actor: { kind: "system", id: by.kind },
      requestId: by.requestId,
      action: "refund.created",
      subjectId: refund.id,
      data: {
        charge_id: charge.id,
        mandate_id: charge.mandateId,
        amount: Number(refund.amount),
        refund_ref: found.refundRef,
        made_at: charge.processor,
      },
    });
    return refund;
  });
};
