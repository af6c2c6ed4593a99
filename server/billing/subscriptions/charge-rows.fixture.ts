import type { TestDeps } from "#e2e/support/test-deps.ts";
import { newId } from "../../kernel/ids.ts";

type NewCharge = { amount: number; finalAt: Date; currency?: string; mandateId?: string };

/** A captured charge with the event that reports the capture. */
export const makeCharge = async (
  deps: TestDeps,
  merchantId: string,
  { amount, finalAt, currency = "EUR", mandateId = "mdt_1" }: NewCharge,
): Promise<string> => {
  const id = newId("chg");
  await deps.db.prisma.$executeRaw`
    INSERT INTO charge (id, merchant_id, mandate_id, mandate_version, merchant_client_id, agent_client_id, payer_id, state, amount, currency,
      amount_captured, capture_method, payer_presence, metadata, periods, processor, processor_account, payment_method_ref, created_at, updated_at, final_at)
    VALUES (${id}, ${merchantId}, ${mandateId}, 1, 'cl_1', 'cl_2', 'acc_1', 'captured', ${amount}, ${currency}, ${amount}, 'automatic', 'in_session', '{}', '[]',
      'simulator', 'acct', 'pm', ${finalAt}, ${finalAt}, ${finalAt})`;
  const data = { amount_captured: amount, mandate_id: mandateId };
  await deps.db.prisma.event.create({
    data: { id: newId("evt"), type: "charge.captured", objectId: id, sequence: 1, data, createdAt: finalAt },
  });
  return id;
};

type NewRefund = { chargeId: string; amount: number; givenAt: Date };

/** A successful refund of a captured charge. */
export const makeRefund = async (
  deps: TestDeps,
  merchantId: string,
  { chargeId, amount, givenAt }: NewRefund,
): Promise<string> => {
  const id = newId("rfd");
  await deps.db.prisma.$executeRaw`
    INSERT INTO refund (id, charge_id, merchant_id, mandate_id, merchant_client_id, amount, status, created_at, updated_at, given_at)
    VALUES (${id}, ${chargeId}, ${merchantId}, 'mdt_1', 'cl_1', ${amount}, 'succeeded', ${givenAt}, ${givenAt}, ${givenAt})`;
  return id;
};

/** Marks a successful refund as failed, because a bank can refuse a refund later. */
export const failRefund = (deps: TestDeps, id: string, at: Date) =>
  deps.db.prisma
    .$executeRaw`UPDATE refund SET status = 'failed', failure_code = 'refused', updated_at = ${at} WHERE id = ${id}`;
