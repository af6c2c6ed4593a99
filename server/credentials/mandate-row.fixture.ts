import { makeAgentClient, makeGrant, makePayer } from "#e2e/support/factories.ts";
import type { Deps } from "../deps/deps.ts";
import { newId } from "../kernel/ids.ts";

/** An active mandate without versions, with its own payer, client and grant. */
export const makeMandateRow = async (deps: Deps) => {
  const payer = await makePayer(deps);
  const client = await makeAgentClient(deps);
  const grant = await makeGrant(deps, { clientId: client.id, payerId: payer.id });
  const id = newId("mdt");
  const now = deps.clock.now();
  const details = {
    type: "payment_mandate_v1",
    actions: ["verify", "charge"],
    currency: "EUR",
    max_amount_per_payment: 5_000,
    max_total_amount: 20_000,
    purpose: "Weekly groceries",
  };
  await deps.db.prisma.mandate.create({
    data: {
      id,
      grantId: grant.id,
      clientId: client.id,
      payerId: payer.id,
      paymentMethodId: payer.paymentMethodId,
      state: "active",
      details,
      actions: details.actions,
      currency: "EUR",
      periodicLimits: [],
      timeZone: "UTC",
      validFrom: now,
      validUntil: new Date(now.getTime() + 30 * 86_400_000),
      refundPolicy: "consume",
      consentedAt: now,
      createdAt: now,
    },
  });
  return { id, client, clientId: client.id, payerId: payer.id, grantId: grant.id, details };
};
