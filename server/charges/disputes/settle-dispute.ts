import { appendAudit } from "../../data/audit/audit.ts";
import { type ChargeRow, lockCharge } from "../../data/charges/charges.ts";
import {
  type DisputeRow,
  findDisputesOfCharge,
  insertDispute,
  updateDisputeClosed,
  updateDisputedCharge,
} from "../../data/charges/disputes.ts";
import type { Sql } from "../../data/client.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import type { FoundDispute } from "../../deps/processor-port.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { dateId } from "../../kernel/time/dated.ts";
import { toDisputeObject } from "../charge/charge.wire.ts";
import { type DisputeStatus, disputeSteps, stateUnderDisputes } from "../rules/dispute.ts";

/** An open dispute is looked up each day, in case its webhook is lost. A dispute may take months. */
export const disputeLookupSeconds = 24 * 3600;

/** A dispute that belongs to the charge `chargeId`, even if the payment's metadata names another charge. */
type ReportedDispute = FoundDispute & { chargeId: string };
export type DisputedBy = { kind: "processor" | "reconciler"; requestId: string };

/**
 * Records a dispute's state in one transaction under the charge's lock: the dispute, the charge's state, events and
 * audit entries. Each step is recorded once. No budget changes, because a disputed payment was still made.
 */
export const settleDispute = async (deps: Deps, reported: ReportedDispute, by: DisputedBy): Promise<void> => {
  const at = await deps.businessClock.now();
  const nextLookupAt = addSeconds(deps.clock.now(), disputeLookupSeconds);
  await deps.db.sqlTransaction(async (sql) => {
    const charge = await lockCharge(sql, reported.chargeId);
    if (!charge) return;
    const disputes = await findDisputesOfCharge(sql, charge.id);
    const known = disputes.find(({ disputeRef }) => disputeRef === reported.disputeRef) ?? null;
    const steps = disputeSteps(known?.status ?? null, reported.status);
    let dispute = known ?? opened(charge, reported, { at, nextLookupAt });
    for (const status of steps) {
      dispute = { ...dispute, status, ...(status === "open" ? {} : { closedAt: at, nextLookupAt: null }) };
      await write(sql, dispute, { by, at });
    }
    if (steps.length === 0) return;
    const others = disputes.filter((each) => each !== known).map(({ status }) => status);
    const state = stateUnderDisputes(charge, [...others, dispute.status]);
    if (state !== charge.state) await updateDisputedCharge(sql, { id: charge.id, state, at });
  });
};

const opened = (
  charge: ChargeRow,
  reported: ReportedDispute,
  { at, nextLookupAt }: { at: Date; nextLookupAt: Date },
): DisputeRow => ({
  id: dateId(newId("dsp"), at),
  chargeId: charge.id,
  merchantId: charge.merchantId,
  mandateId: charge.mandateId,
  status: "open",
  amount: reported.amountMinor,
  currency: reported.currency,
  reason: reported.reason,
  evidenceDueAt: reported.evidenceDueAt ?? null,
  disputeRef: reported.disputeRef,
  createdAt: at,
  closedAt: null,
  nextLookupAt,
});

const write = async (sql: Sql, dispute: DisputeRow, { by, at }: { by: DisputedBy; at: Date }): Promise<void> => {
  const { id, status } = dispute;
  if (status === "open") await insertDispute(sql, dispute);
  else await updateDisputeClosed(sql, { id, status, closedAt: at });
  const type = eventOf(status);
  await appendEvent(sql, { type, objectId: id, data: toDisputeObject(dispute), at });
  await appendAudit(sql, {
    at,
    actor: { kind: "system", id: by.kind },
    action: type,
    subjectId: id,
    requestId: by.requestId,
    data: {
      charge_id: dispute.chargeId,
      mandate_id: dispute.mandateId,
      status,
      amount: Number(dispute.amount),
      currency: dispute.currency,
      reason: dispute.reason,
    },
  });
};

const eventOf = (status: DisputeStatus) => (status === "open" ? "dispute.opened" : "dispute.closed");
