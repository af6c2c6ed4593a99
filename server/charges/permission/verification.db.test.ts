import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { statementsOf } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { listUsageEvents } from "../../billing/meters/list-usage-events.ts";
import { readUsage } from "../../billing/meters/read-usage.ts";
import { usageInvariants } from "../../data/invariants/usage-invariants.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { verifyMandate } from "./verify-mandate.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;

const verify = (setup: Setup, fields: object = {}, requestId = "req_test") =>
  verifyMandate(deps, {
    merchantId: setup.merchant.id,
    clientId: setup.merchantClient.id,
    requestId,
    request: {
      mandate_id: setup.mandateId,
      amount: 100,
      currency: "EUR",
      payer_presence: "in_session",
      ...fields,
    },
  });
const day = 24 * 3600;
const month = () => ({ from: addSeconds(deps.clock.now(), -30 * day), to: addSeconds(deps.clock.now(), 1) });
const countOf = async ({ merchant }: Setup, period = month()) =>
  (await readUsage(deps, { merchantId: merchant.id, meter: null, ...period })).verifications;
const listOf = async ({ merchant }: Setup, limit = 100) => {
  const page = { meter: null, limit, startingAfter: null, endingBefore: null, ...month() };
  return (await listUsageEvents(deps, { merchantId: merchant.id, ...page })).events;
};
const brokenRules = async () => (await Promise.all(usageInvariants.map(({ find }) => find(deps.db.sql)))).flat();

describe("verify-mandate writes the meter and the log with one insert (docs/spec/billing.md, Meters)", () => {
  test("each verdict, valid or invalid, adds one row; a request without a verdict adds none", async () => {
    const setup = await makeChargeableMandate(deps);
    await verify(setup, {}, "req_yes");
    deps.clock.advance(1);
    await verify(setup, { currency: "USD" }, "req_no");
    deps.clock.advance(1);
    await refusalOf(verify(setup, { mandate_id: "mdt_none" }));
    const verdict = { mandateId: setup.mandateId, clientId: setup.merchantClient.id };
    expect((await listOf(setup)).map(({ kind, of }) => ({ kind, of }))).toEqual([
      { kind: "verification", of: { ...verdict, log: { reason: null, requestId: "req_yes" } } },
      { kind: "verification", of: { ...verdict, log: { reason: expect.any(String), requestId: "req_no" } } },
    ]);
    expect(await countOf(setup)).toBe(2);
    expect(await countOf(await makeChargeableMandate(deps))).toBe(0);
  });

  test("if a request is refused because too many responses revealed a limit, no row is added", async () => {
    const setup = await makeChargeableMandate(deps);
    const tooOften = new Error("too often");
    const admitBudgetAnswer = () => {
      throw tooOften;
    };
    const { merchant, merchantClient, mandateId } = setup;
    const verification = verifyMandate(deps, {
      merchantId: merchant.id,
      clientId: merchantClient.id,
      requestId: "req_test",
      admitBudgetAnswer,
      request: { mandate_id: mandateId, amount: 999_999_999, currency: "EUR", payer_presence: "in_session" },
    });
    await expect(verification).rejects.toThrow(tooOften);
    expect(await countOf(setup)).toBe(0);
  });

  test("the log is deleted after 30 days, and the metered rows are kept", async () => {
    const setup = await makeChargeableMandate(deps);
    await verify(setup);
    await deps.db.prisma.$executeRaw`DELETE FROM verification_log WHERE merchant_id = ${setup.merchant.id}`;
    expect((await listOf(setup)).map(({ of }) => of)).toMatchObject([{ mandateId: setup.mandateId, log: null }]);
    expect(await countOf(setup)).toBe(1);
  });

  test("concurrent requests of any merchants share one insert, each with its own row", async () => {
    const both = [await makeChargeableMandate(deps), await makeChargeableMandate(deps)] as const;
    const names = await statementsOf(deps.db, () =>
      Promise.all(Array.from({ length: 40 }, (_, index) => verify(both[index % 2 === 0 ? 0 : 1], {}, `req_${index}`))),
    );
    const inserts = names.filter((name) => name === "insert_verifications").length;
    expect(inserts).toBeGreaterThan(0);
    expect(inserts).toBeLessThan(10);
    for (const setup of both) {
      expect(await countOf(setup)).toBe(20);
      expect(new Set((await listOf(setup)).map(({ id }) => id)).size).toBe(20);
    }
    expect(await brokenRules()).toEqual([]);
  });

  test("the count of a minute is stored in several rows, so that connections don't wait for each other", async () => {
    const setup = await makeChargeableMandate(deps);
    for (let minute = 0; minute < 3; minute += 1) {
      await Promise.all(Array.from({ length: 10 }, () => verify(setup)));
      deps.clock.advance(60);
    }
    expect(await countOf(setup)).toBe(30);
    // The range starts and ends within a minute, so the rows at its bounds are counted one by one.
    const from = addSeconds(deps.clock.now(), -2 * 60 - 1);
    expect(await countOf(setup, { from, to: addSeconds(from, 62) })).toBe(20);
    expect(await countOf(setup, { from: addSeconds(from, 2), to: addSeconds(from, 61) })).toBe(0);
    expect(await brokenRules()).toEqual([]);
  });

  test("a verdict whose row can't be written isn't returned, and no part of it is stored", async () => {
    const setup = await makeChargeableMandate(deps);
    await deps.db.prisma.$executeRawUnsafe(
      "ALTER TABLE verification_minute ADD CONSTRAINT none CHECK (count < 0) NOT VALID",
    );
    try {
      await expect(verify(setup)).rejects.toThrow();
    } finally {
      await deps.db.prisma.$executeRawUnsafe("ALTER TABLE verification_minute DROP CONSTRAINT none");
    }
    expect(await countOf(setup)).toBe(0);
    expect(await listOf(setup)).toEqual([]);
  });
});
