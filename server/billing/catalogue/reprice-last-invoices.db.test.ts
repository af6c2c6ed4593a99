import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeCharge } from "../subscriptions/charge-rows.fixture.ts";
import { bill, makeSubscriber, reportSms, testPlans } from "../subscriptions/subscription.fixture.ts";
import { applyCatalogue } from "./apply-catalogue.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ now: new Date("2026-10-01T10:00:00Z") });
});
afterAll(() => deps.close());

const apply = (text: string, isDryRun: boolean) =>
  applyCatalogue(deps, { text, isDryRun, actor: { kind: "operator", id: "acc_1" }, requestId: "req_1" });

test("a dry run shows each subscription's last invoice in each currency at the new prices (docs/spec/billing.md, Catalogue)", async () => {
  await apply(testPlans("2026-10-01"), false);
  const merchantId = await makeSubscriber(deps, "pro");
  await reportSms(deps, merchantId, { quantity: 10 });
  await makeCharge(deps, merchantId, { amount: 5_000, currency: "USD", finalAt: deps.clock.now() });
  const changed = testPlans("2026-10-01").replace(
    /pro:\n(.*\n) {4}effective_from: \S+/,
    "pro:\n$1    effective_from: 2026-12-01",
  );
  const dearer = changed
    .replace(
      '{flat: 3100, prices: {"own:sms": {model: per_unit, unit: "2"}',
      '{flat: 4100, prices: {"own:sms": {model: per_unit, unit: "7"}',
    )
    .replace('rate: "200"', 'rate: "300"');
  const none = await apply(dearer, true);
  expect(none).toMatchObject({ outcome: "changed", subscribers: [{ merchantId, lastInvoices: [] }] });
  for (const day of ["2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z"]) {
    deps.clock.set(new Date(day));
    await bill(deps);
  }
  expect(await apply(dearer, true)).toMatchObject({
    outcome: "changed",
    subscribers: [
      {
        merchantId,
        planVersion: 1,
        // 3,100 and 10 units at 2 become 4,100 and 10 units at 7.
        lastInvoices: [
          { number: expect.stringMatching(/INV-2026-\d+$/), currency: "EUR", total: 3120n, newTotal: 4170n },
          // A charge of 50.00 at 2% and at 3%.
          { currency: "USD", total: 100n, newTotal: 150n },
        ],
      },
    ],
  });
  const cheaper = changed.replace("flat: 3100", "flat: 0");
  expect(await apply(cheaper, true)).toMatchObject({
    subscribers: [{ lastInvoices: [{ newTotal: 20n }, { newTotal: 100n }] }],
  });
  expect(await apply(cheaper, false)).toMatchObject({ subscribers: [{ merchantId, lastInvoices: [] }] });
});
