import { setTimeout as sleep } from "node:timers/promises";
import { createCharge } from "#server/charges/charge/create-charge.ts";
import { insertGrant } from "#server/data/oauth/grants.ts";
import type { Deps } from "#server/deps/deps.ts";
import { DomainError } from "#server/kernel/errors.ts";
import { newId } from "#server/kernel/ids.ts";
import type { PaymentMandateDetails } from "#server/mandates/details/payment-mandate.wire.ts";
import { activateMandates } from "#server/mandates/lifecycle/activate-mandates.ts";
import { revokeMandate } from "#server/mandates/lifecycle/revoke-mandate.ts";
import { suspendMandate } from "#server/mandates/lifecycle/suspend-mandate.ts";
import type { Calendar } from "./calendar.ts";
import type { Shop } from "./merchant.ts";
import type { People } from "./people.ts";

const tries = 10;

/** On a busy machine, the simulator may be briefly unavailable. Nothing was sent then, so the charge is tried again. */
const chargeWhenAvailable = async (deps: Deps, input: Parameters<typeof createCharge>[1]): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await createCharge(deps, input);
      return;
    } catch (error) {
      const isRetryable = error instanceof DomainError && error.code === "processor_unavailable";
      if (!isRetryable || attempt === tries) throw error;
      await sleep(1_000);
    }
  }
};

type Story = {
  details: Omit<PaymentMandateDetails, "type" | "actions" | "currency" | "payees">;
  paymentMethodId: string;
  consentedDaysAgo: number;
  charges: readonly { daysAgo: number; amount: number; reference: string }[];
  ending?: { daysAgo: number; act: typeof suspendMandate };
};

const stories = ([visa, mastercard]: People["paymentMethodIds"]): Story[] => [
  {
    details: {
      purpose: "Weekly groceries",
      max_amount_per_payment: 12_000,
      periodic_limits: [{ period: "month", alignment: "consent", max_amount: 40_000 }],
      payer_presence: ["in_session", "off_session"],
    },
    paymentMethodId: visa,
    consentedDaysAgo: 66,
    charges: [
      { daysAgo: 63, amount: 8_412, reference: "order-1001" },
      { daysAgo: 56, amount: 7_655, reference: "order-1024" },
      { daysAgo: 49, amount: 9_120, reference: "order-1047" },
      { daysAgo: 35, amount: 6_890, reference: "order-1093" },
      { daysAgo: 21, amount: 10_340, reference: "order-1150" },
      { daysAgo: 3, amount: 11_275, reference: "order-1222" },
      { daysAgo: 1, amount: 9_804, reference: "order-1231" },
    ],
  },
  {
    details: {
      purpose: "Office fruit basket",
      max_amount_per_payment: 4_000,
      max_total_amount: 20_000,
      max_payments: 12,
    },
    paymentMethodId: mastercard,
    consentedDaysAgo: 40,
    charges: [
      { daysAgo: 38, amount: 2_490, reference: "basket-17" },
      { daysAgo: 24, amount: 2_490, reference: "basket-18" },
      { daysAgo: 10, amount: 3_180, reference: "basket-19" },
    ],
    ending: { daysAgo: 5, act: suspendMandate },
  },
  {
    details: { purpose: "Birthday party", max_amount_per_payment: 15_000, max_total_amount: 25_000 },
    paymentMethodId: visa,
    consentedDaysAgo: 30,
    charges: [{ daysAgo: 28, amount: 13_999, reference: "party-3" }],
    ending: { daysAgo: 26, act: revokeMandate },
  },
];

type Scene = { calendar: Calendar; people: People; shop: Shop };

/** Three mandates with history: active, paused and revoked. @returns their ids, in this order. */
export const seedMandates = async (deps: Deps, scene: Scene): Promise<string[]> => {
  const ids: string[] = [];
  for (const story of stories(scene.people.paymentMethodIds)) ids.push(await seedMandate(deps, scene, story));
  return ids;
};

const seedMandate = async (deps: Deps, { calendar, people, shop }: Scene, story: Story): Promise<string> => {
  const { payerId } = people;
  const { merchantId, checkout, agentClientId } = shop;
  const [grantId, mandateId] = [newId("grt"), newId("mdt")];
  const requestId = "seed";
  calendar.setDaysAgo(story.consentedDaysAgo);
  const now = await deps.businessClock.now();
  const details: PaymentMandateDetails = {
    type: "payment_mandate_v1",
    actions: ["verify", "charge"],
    currency: "EUR",
    payees: [{ id: merchantId }],
    ...story.details,
  };
  await deps.db.transaction(async (tx) => {
    await insertGrant(tx, { id: grantId, clientId: agentClientId, payerId, scopes: [], createdAt: now });
    await activateMandates(deps, tx, {
      requestId,
      grantId,
      clientId: agentClientId,
      payerId,
      now,
      paymentMethodId: story.paymentMethodId,
      details: [details],
      mandateIds: [mandateId],
      budgetVisible: false,
    });
  });
  for (const { daysAgo, amount, reference } of story.charges) {
    calendar.setDaysAgo(daysAgo);
    await chargeWhenAvailable(deps, {
      merchantId,
      clientId: checkout.id,
      requestId,
      idempotencyKey: reference,
      request: { mandate_id: mandateId, amount, currency: "EUR", payer_presence: "in_session", reference },
    });
  }
  if (!story.ending) return mandateId;
  calendar.setDaysAgo(story.ending.daysAgo);
  await story.ending.act(deps, { mandateId, actor: { kind: "payer", id: payerId }, requestId });
  return mandateId;
};
