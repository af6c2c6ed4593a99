import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { listSlaCreditsOfMerchant } from "../../data/billing/sla/merchant-sla-credits.ts";
import { billingInvariants } from "../../data/invariants/billing-invariants.ts";
import { UnconfiguredProcessor } from "../../deps/processor-port.ts";
import { utcMonth } from "../../kernel/time/utc-month.ts";
import { runDueWork } from "../../sandbox/run-due-work.ts";
import { makeCharge, makeRefund } from "../subscriptions/charge-rows.fixture.ts";
import { applyPlans, change, invoicesOf, makeSubscriber, reportSms } from "../subscriptions/subscription.fixture.ts";
import { addSlaCredit } from "./add-sla-credit.ts";
import { recordTestOutage } from "./record-test-outage.ts";

const by = { actor: { kind: "operator", id: "acc_1" } as const, requestId: "req_1" };
const october = new Date("2026-10-01T00:00:00Z");
const plans = `catalogue: 1
plans:
  sms: {name: Sms, effective_from: 2026-10-01, interval: month, currencies: {EUR: {minimum: 2000, prices: {"own:sms": {model: per_unit, unit: "1.5"}}}}}
  pay: {name: Pay, effective_from: 2026-10-01, interval: month, currencies: {EUR: {prices: {successful_charges: {model: basis_points, rate: "100"}}}}}
tax_rates:
  DE: {category: S, rate: "19", behaviour: exclusive}
`;
// Without an account of the operator at a processor, invoices stay open.
const processors = {
  get: (name: string) => {
    throw new UnconfiguredProcessor(name);
  },
};

let deps: TestDeps;
beforeEach(async () => {
  deps = await createTestDeps({ now: new Date("2026-10-01T10:00:00Z"), processors });
  await applyPlans(deps, plans);
});
afterEach(async () => {
  for (const { name, find } of billingInvariants) expect([name, await find(deps.db.sql)]).toEqual([name, []]);
  await deps.close();
});

const advance = (text: string) =>
  runDueWork(deps, new Date(text)).then(() => {
    deps.clock.set(new Date(text));
  });
const outage = (minutes: number, component = "billing_engine") =>
  recordTestOutage(deps, { component, month: utcMonth(october, 0), minutes, ...by });
type Wanted = { merchantId: string; exact: string } & Partial<Parameters<typeof addSlaCredit>[1]>;
const inputOf = ({ merchantId, exact, ...more }: Wanted) => ({
  component: "billing_engine",
  month: october,
  currency: "EUR",
  key: `key-${exact}`,
  reason: "The measurement missed an outage",
  merchantId,
  exact,
  ...by,
  ...more,
});
const add = (wanted: Wanted, own = deps) => addSlaCredit(own, inputOf(wanted));
/** @returns `added`, or the code of the refusal. */
const outcomeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "added",
    (error: { code?: string }) => error.code ?? String(error),
  );
const slaLines = async (merchantId: string) =>
  (await invoicesOf(deps, merchantId)).map(({ lines }) =>
    lines.filter(({ kind }) => kind === "sla_credit").map(({ exact }) => exact),
  );
const creditsOf = () => deps.db.prisma.$queryRaw<{ meter: string; number: number; exact: string; percent: string }[]>`
  SELECT meter, number, exact::text AS exact, percent::text AS percent FROM billing_sla_credit ORDER BY meter, number`;
const auditOf = (merchantId: string) => deps.db.prisma.$queryRaw<object[]>`
  SELECT actor_id AS actor, data FROM audit_entry WHERE action = 'sla_credit.added' AND subject_id = ${merchantId}`;

/** October has a fee of 150 and a computed credit of 15. */
const makeCredited = async () => {
  const merchantId = await makeSubscriber(deps, "sms");
  await reportSms(deps, merchantId, { quantity: 100 });
  await outage(360);
  await advance("2026-11-05T00:00:00Z");
  return merchantId;
};

describe("further SLA credits (docs/spec/billing.md, SLA credits)", () => {
  test("a further credit is audited, and is on the next final invoice in the line of its month", async () => {
    const merchantId = await makeCredited();
    expect(await add({ merchantId, exact: "20.125" })).toEqual({ exact: "20.125", isNew: true });
    expect(await auditOf(merchantId)).toEqual([
      {
        actor: "acc_1",
        data: {
          component: "billing_engine",
          month: "2026-10",
          currency: "EUR",
          exact: "20.125",
          reason: "The measurement missed an outage",
        },
      },
    ]);
    await advance("2026-12-05T00:00:00Z");
    const [listed] = await listSlaCreditsOfMerchant(deps.db.sql, { merchantId, limit: 25 });
    expect(listed).toMatchObject({ title: "Billing engine", month: new Date("2026-10-01"), exact: "35.125" });
    expect(listed?.number).toMatch(/-000002$/);
    expect(await add({ merchantId, exact: "0.5" })).toEqual({ exact: "0.5", isNew: true });
    await advance("2027-01-05T00:00:00Z");
    expect((await slaLines(merchantId)).slice(0, 3)).toEqual([[], [-35.125], [-0.5]]);
    expect((await creditsOf()).map(({ number, exact }) => [number, exact])).toEqual([
      [1, "15"],
      [2, "20.125"],
      [3, "0.5"],
    ]);
  });

  test("a further credit and the earlier credits together are at most the month's exact fees of the component's meters", async () => {
    const merchantId = await makeCredited();
    expect(await refusalOf(add({ merchantId, exact: "135.000000000001" }))).toMatchObject({
      code: "sla_credit_too_high",
      pointers: ["/exact"],
    });
    expect(await auditOf(merchantId)).toEqual([]);
    await add({ merchantId, exact: "100" });
    expect((await refusalOf(add({ merchantId, exact: "35.1" }))).code).toBe("sla_credit_too_high");
    await add({ merchantId, exact: "35" });
    expect((await refusalOf(add({ merchantId, exact: "0.000000000001" }))).code).toBe("sla_credit_too_high");
    expect((await refusalOf(add({ merchantId, exact: "1", currency: "USD" }))).code).toBe("sla_credit_too_high");
  });

  test("a repeated request adds one credit, and another request with its key is refused", async () => {
    const merchantId = await makeCredited();
    const key = "one-request";
    const repeated = await Promise.all([1, 2, 3].map(() => add({ merchantId, exact: "20", key })));
    expect(repeated.map(({ isNew }) => isNew).toSorted()).toEqual([false, false, true]);
    expect(await add({ merchantId, exact: "20.0", key })).toEqual({ exact: "20", isNew: false });
    const others = [{ exact: "21" }, { currency: "USD" }, { month: new Date("2026-09-01T00:00:00Z") }];
    for (const other of others)
      expect((await refusalOf(add({ merchantId, exact: "20", key, ...other }))).code).toBe("sla_credit_conflict");
    expect(await creditsOf()).toHaveLength(2);
    expect(await auditOf(merchantId)).toHaveLength(1);
  });

  test("if two concurrent credits together exceed the fees, only one of them is added", async () => {
    const merchantId = await makeCredited();
    const other = await anotherNode(deps);
    const outcomes = await Promise.all([
      outcomeOf(add({ merchantId, exact: "80" })),
      outcomeOf(add({ merchantId, exact: "81" }, other)),
    ]);
    await other.close();
    expect(outcomes.toSorted()).toEqual(["added", "sla_credit_too_high"]);
  });

  test("if a credit is added while the billing run finalizes the invoice, the credit is on this invoice or the next one", async () => {
    const merchantId = await makeCredited();
    await advance("2026-12-01T12:00:00Z");
    const other = await anotherNode(deps);
    await Promise.all([runDueWork(deps, new Date("2026-12-03T00:00:00Z")), add({ merchantId, exact: "10" }, other)]);
    await other.close();
    await advance("2027-01-05T00:00:00Z");
    const credited = (await slaLines(merchantId)).flat();
    expect(credited.reduce((sum, exact) => sum + exact, 0)).toBe(-25);
  });

  test("a later refund credits a fee minus its SLA credits, including the further credit", async () => {
    const merchantId = await makeSubscriber(deps, "pay");
    const [first, second] = [
      await makeCharge(deps, merchantId, { amount: 10_000, finalAt: new Date("2026-10-10T00:00:00Z") }),
      await makeCharge(deps, merchantId, { amount: 10_000, finalAt: new Date("2026-10-11T00:00:00Z") }),
    ];
    await outage(2_000, "authorization_server");
    await advance("2026-11-05T00:00:00Z");
    // The SLA credit is 50 of 200. The refund of the first charge, whose fee is 100, then credits 75, so 75 remain.
    await makeRefund(deps, merchantId, { chargeId: first, amount: 10_000, givenAt: new Date("2026-11-04T12:00:00Z") });
    const component = "authorization_server";
    expect((await refusalOf(add({ merchantId, exact: "75.1", component }))).code).toBe("sla_credit_too_high");
    await add({ merchantId, exact: "45", component });
    await makeRefund(deps, merchantId, { chargeId: second, amount: 10_000, givenAt: new Date("2026-11-20T00:00:00Z") });
    await advance("2026-12-05T00:00:00Z");
    const [, november] = await invoicesOf(deps, merchantId);
    expect(november?.lines.map(({ kind, exact }) => [kind, exact])).toEqual([
      ["refund", -75 - 30],
      ["sla_credit", -50 - 45],
    ]);
  });

  test("a credit is refused before the month's credits are computed, and for a component that wasn't measured", async () => {
    const merchantId = await makeSubscriber(deps, "sms");
    await reportSms(deps, merchantId, { quantity: 100 });
    expect((await refusalOf(add({ merchantId, exact: "1" }))).code).toBe("sla_month_not_computed");
    await outage(360);
    await advance("2026-11-02T23:59:59Z");
    expect((await refusalOf(add({ merchantId, exact: "1" }))).code).toBe("sla_month_not_computed");
    await advance("2026-11-03T00:00:00Z");
    expect(await add({ merchantId, exact: "1" })).toMatchObject({ isNew: true });
    const other = { merchantId, exact: "2", component: "wallet_portal" };
    expect((await refusalOf(add(other))).code).toBe("sla_month_not_computed");
  });

  test("an ended subscription gets a further credit only while another invoice follows", async () => {
    const merchantId = await makeCredited();
    await change(deps, merchantId, { planId: "sms", cancelAt: new Date("2026-11-10T00:00:00Z") });
    await advance("2026-12-01T00:00:00Z");
    await add({ merchantId, exact: "10" });
    await advance("2027-01-05T00:00:00Z");
    expect((await slaLines(merchantId)).flat().reduce((sum, exact) => sum + exact, 0)).toBe(-25);
    expect((await refusalOf(add({ merchantId, exact: "11" }))).code).toBe("sla_credit_too_high");
  });

  test("refuses unknown merchants, merchants without a subscription, and invalid fields", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    expect((await refusalOf(add({ merchantId: "mch_unknown", exact: "1" }))).code).toBe("not_found");
    expect((await refusalOf(add({ merchantId, exact: "1" }))).code).toBe("subscription_not_found");
    for (const [more, pointer] of [
      [{ exact: "0" }, "/exact"],
      [{ exact: "0.0000000000001" }, "/exact"],
      [{ component: "static_assets" }, "/component"],
      [{ currency: "XXX" }, "/currency"],
      [{ reason: " " }, "/reason"],
      [{ key: "a b" }, "/key"],
    ] as const)
      expect((await refusalOf(add({ merchantId, exact: "1", ...more }))).pointers).toEqual([pointer]);
  });

  test("a stored further credit can't be changed or deleted", async () => {
    await add({ merchantId: await makeCredited(), exact: "1" });
    for (const statement of [
      "UPDATE billing_further_sla_credit SET exact = 2",
      "DELETE FROM billing_further_sla_credit",
      "TRUNCATE billing_further_sla_credit",
    ])
      await expect(deps.db.prisma.$executeRawUnsafe(statement), statement).rejects.toThrow();
  });
});
