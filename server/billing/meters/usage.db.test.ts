import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { requestCapture, requestRefund } from "../../charges/charge/answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import type { PaymentOutcome } from "../../deps/processor-port.ts";
import { newId } from "../../kernel/ids.ts";
import { listUsageEvents } from "./list-usage-events.ts";
import { readUsage } from "./read-usage.ts";

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
let setup: Awaited<ReturnType<typeof makeChargeableMandate>>;
let merchantId: string;
beforeAll(async () => {
  bank = scriptedProcessor();
  deps = await createTestDeps({ processors: bank.processors });
});
afterAll(() => deps.close());
beforeEach(async () => {
  setup = await makeChargeableMandate(deps);
  merchantId = setup.merchant.id;
});

const now = () => deps.clock.now();
const later = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1000);
const year = () => ({ from: later(now(), -300 * 24 * 3600), to: later(now(), 1) });
const usage = (period = year(), of = merchantId) => readUsage(deps, { merchantId: of, meter: null, ...period });
const act = (chargeId: string) => ({
  merchantId,
  clientId: setup.merchantClient.id,
  requestId: "r",
  chargeId,
  idempotencyKey: newId("req"),
});
const pay = async (request = {}) => (await setup.charge(request)).chargeId;

const declined: PaymentOutcome = {
  kind: "declined",
  processorRef: null,
  declineCode: "lost_card",
  retryable: false,
  advice: "none",
};

describe("usage is counted from the records (docs/spec/billing.md, Meters)", () => {
  test("counts each paid charge once, with its captured amount, and nothing else", async () => {
    const authorized = await pay({ amount: 900, capture_method: "manual" });
    await pay({ amount: 1_000 });
    bank.state.pay = async () => declined;
    await pay({ amount: 1_100 }).catch(() => null);
    bank.state.pay = scriptedProcessor().state.pay;
    expect(await usage()).toMatchObject({ charges: [{ currency: "EUR", count: 1, amountMinor: 1_000n }] });
    deps.clock.advance(3600);
    const captured = now();
    await requestCapture(deps, { ...act(authorized), request: { amount: 600 } });
    expect((await usage({ from: captured, to: later(captured, 1) })).charges).toMatchObject([{ amountMinor: 600n }]);
    expect(await usage()).toMatchObject({
      activeMandates: 1,
      charges: [{ currency: "EUR", count: 2, amountMinor: 1_600n }],
    });
  });

  test("a later refund doesn't change an earlier count", async () => {
    const chargeId = await pay({ amount: 1_000 });
    const before = await usage();
    await requestRefund(deps, { ...act(chargeId), request: {} });
    expect((await usage()).charges).toEqual(before.charges);
  });

  test("a period is half-open: its end belongs to the next period", async () => {
    const first = now();
    await pay();
    deps.clock.advance(60);
    const second = now();
    await pay();
    const countIn = async (from: Date, to: Date) => (await usage({ from, to })).charges[0]?.count ?? 0;
    expect(await countIn(first, second)).toBe(1);
    expect(await countIn(second, later(second, 60))).toBe(1);
    expect(await countIn(later(first, 0.001), second)).toBe(0);
    expect(await countIn(first, later(second, 0.001))).toBe(2);
  });

  test("is separate per merchant, and empty without events", async () => {
    await pay();
    const other = (await makeMerchant(deps)).id;
    expect(await usage(year(), other)).toMatchObject({ activeMandates: 0, charges: [] });
    const page = { meter: null, limit: 10, startingAfter: null, endingBefore: null };
    expect((await listUsageEvents(deps, { merchantId: other, ...year(), ...page })).events).toEqual([]);
  });

  test.each([
    ["ends before it begins", -1],
    ["is longer than 366 days", 367 * 24 * 3600],
  ])("a period that %s is refused, naming the field", async (_name, seconds) => {
    const period = { from: now(), to: later(now(), seconds) };
    expect(await refusalOf(usage(period))).toMatchObject({ code: "invalid_request", pointers: ["#from"] });
  });
});

describe("the events behind a count (GET /billing/usage/events)", () => {
  const pageOf = (startingAfter: string | null, limit = 2) =>
    listUsageEvents(deps, { merchantId, meter: null, ...year(), limit, startingAfter, endingBefore: null });

  test("are listed oldest first, each once, and add up to the count", async () => {
    for (let count = 0; count < 5; count += 1) {
      await pay({ amount: 100 + count });
      if (count % 2 === 0) deps.clock.advance(1);
    }
    const all = [];
    let page = await pageOf(null);
    all.push(...page.events);
    while (page.hasMore) {
      page = await pageOf(all.at(-1)?.id ?? null);
      all.push(...page.events);
    }
    expect(all.map(({ time }) => time.getTime())).toEqual(all.map(({ time }) => time.getTime()).toSorted());
    expect(new Set(all.map(({ id }) => id)).size).toBe(5);
    const charges = all.map((event) => (event.kind === "charge" ? event.of : null));
    const sum = charges.reduce((total, charge) => total + BigInt(charge?.amount ?? 0), 0n);
    expect(await usage()).toMatchObject({ charges: [{ currency: "EUR", count: all.length, amountMinor: sum }] });
    expect(new Set(charges.map((charge) => charge?.mandateId))).toEqual(new Set([setup.mandateId]));
  });

  test("refuses another merchant's charge, an unpaid charge and an unknown charge as a cursor", async () => {
    const foreign = (await (await makeChargeableMandate(deps)).charge()).chargeId;
    const open = await pay({ capture_method: "manual" });
    for (const cursor of [foreign, open, "chg_nowhere"]) {
      expect(await refusalOf(pageOf(cursor))).toMatchObject({ pointers: ["#starting_after"] });
    }
  });
});
