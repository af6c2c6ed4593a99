import type { Deps } from "#server/deps/deps.ts";
import { addSeconds, businessClockOf } from "#server/kernel/time/clock.ts";
import { seedBilling } from "./billing.ts";
import { seedMandates } from "./mandates.ts";
import { seedShop } from "./merchant.ts";
import { seedPeople } from "./people.ts";
import { seedPlans } from "./plans.ts";
import { seedStatus } from "./status.ts";

const daySeconds = 24 * 3600;
const firstDay = 90;

/**
 * Demo data (docs/spec/operations.md, Demo data). The verbs themselves write the mandates, charges and billing, with a
 * clock that is set to times in the past.
 */
export const fillDemo = async (deps: Deps): Promise<void> => {
  const today = deps.clock.now();
  let daysAgo = firstDay;
  const clock = { now: () => addSeconds(today, -daysAgo * daySeconds) };
  const calendar = {
    setDaysAgo(days: number) {
      daysAgo = days;
    },
  };
  const people = await seedPeople(deps, clock.now());
  const shop = await seedShop(deps, people.memberId, clock.now());
  // The status page belongs to production, and shows both environments.
  if (deps.config.environment === "production") await seedStatus(deps, people.operatorId);
  const past = { ...deps, clock, businessClock: businessClockOf(clock) };
  await seedPlans(past);
  const [mandateId = ""] = await seedMandates(past, { calendar, people, shop });
  await seedBilling(past, { calendar, shop, memberId: people.memberId, mandateId, today });
};
