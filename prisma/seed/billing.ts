import { setBillingPaymentMethod } from "#server/billing/collection/set-billing-payment-method.ts";
import { assignPlan } from "#server/billing/subscriptions/assign-plan.ts";
import { setTaxDetails } from "#server/billing/tax-details/set-tax-details.ts";
import { insertMeteredCallAlone } from "#server/data/billing/meters/metering.ts";
import { insertVerification } from "#server/data/charges/verifications.ts";
import { recordKeyUses } from "#server/data/merchants/own-clients.ts";
import type { Deps } from "#server/deps/deps.ts";
import { newId } from "#server/kernel/ids.ts";
import { addSeconds } from "#server/kernel/time/clock.ts";
import { dateId } from "#server/kernel/time/dated.ts";
import { runDueWork } from "#server/sandbox/run-due-work.ts";
import type { Calendar } from "./calendar.ts";
import { legalName, type Shop } from "./merchant.ts";

const daySeconds = 24 * 3600;

/** More than a month ago, so that one period has ended. */
const subscribedDaysAgo = 57;

const by = { actor: { kind: "system", id: "demo" }, requestId: "seed" } as const;

type Scene = { calendar: Calendar; shop: Shop; memberId: string; mandateId: string; today: Date };

/**
 * The merchant's plan Pro with its trial, two months of usage, a paid invoice and the current period. The billing run
 * itself closes the first period, finalizes its invoice and collects it, each step at its due time.
 */
export const seedBilling = async (deps: Deps, scene: Scene): Promise<void> => {
  const { calendar, shop, memberId, today } = scene;
  const { merchantId } = shop;
  calendar.setDaysAgo(subscribedDaysAgo);
  await setTaxDetails(deps, {
    merchantId,
    legalName,
    line1: "Marktplatz 7",
    line2: null,
    postalCode: "20095",
    city: "Hamburg",
    country: "DE",
    vatNumber: null,
    actor: { kind: "merchant", id: memberId },
    requestId: by.requestId,
  });
  await setBillingPaymentMethod(deps, { merchantId, card: "visa", ...by, actor: { kind: "merchant", id: memberId } });
  await assignPlan(deps, { merchantId, planId: "pro", version: null, currency: null, ...by });
  await seedUsage(deps, scene);
  calendar.setDaysAgo(0);
  await runDueWork(deps, today);
};

/**
 * Calls from the merchant's checkout. Their number isn't random: it is higher on weekends, and grows over time.
 */
const seedUsage = async (deps: Deps, { shop, mandateId, today }: Scene): Promise<void> => {
  const { merchantId, checkout } = shop;
  const clientId = checkout.id;
  const call = { merchantId, clientId, subject: null };
  const writes: Promise<void>[] = [];
  for (let daysAgo = subscribedDaysAgo - 1; daysAgo >= 1; daysAgo -= 1) {
    const start = addSeconds(today, -daysAgo * daySeconds);
    for (const at of timesOf(start, callsPerDay(start, daysAgo))) {
      const [id, token] = [dateId(newId("vrf"), at), dateId(newId("mev"), at)];
      writes.push(insertMeteredCallAlone(deps.db.sql, { ...call, id: token, meter: "tokens_issued", at }));
      const verdict = { id, merchantId, clientId, mandateId, reason: null, requestId: by.requestId, time: at };
      writes.push(insertVerification(deps.db.sql, verdict));
    }
  }
  await Promise.all(writes);
  // The last of the calls, each of which had a token.
  await recordKeyUses(deps.db.sql, [{ clientId, kid: checkout.keyId, at: addSeconds(today, -daySeconds - 1) }]);
};

const callsPerDay = (day: Date, daysAgo: number): number => {
  const isWeekend = day.getUTCDay() % 6 === 0;
  return 6 + Math.floor((subscribedDaysAgo - daysAgo) / 8) + (isWeekend ? 5 : 0);
};

/** Distributed over the twelve hours before the instant, at uneven intervals. */
const timesOf = (until: Date, count: number): Date[] =>
  Array.from({ length: count }, (_, index) => addSeconds(until, -((index * 7_919) % 43_200) - 1));
