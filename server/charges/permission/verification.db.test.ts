import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { statementsOf } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { listUsageEvents } from "../../billing/meters/list-usage-events.ts";
import { readUsage } from "../../billing/meters/read-usage.ts";
import { usageInvariants } from "../../data/invariants/usage-invariants.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { makeStanding, refusalOf, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { verifyMandate } from "./verify-mandate.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

type Standing = Awaited<ReturnType<typeof makeStanding>>;

const verify = (standing: Standing, fields: object = {}, requestId = "req_test") =>
  verifyMandate(deps, {
    merchantId: standing.merchant.id,
    clientId: standing.merchantClient.id,
    requestId,
    request: {
      mandate_id: standing.mandateId,
      amount: 100,
      currency: "EUR",
      payer_presence: "in_session",
      ...fields,
    },
  });
const day = 24 * 3600;
const month = () => ({ from: addSeconds(deps.clock.now(), -30 * day), to: addSeconds(deps.clock.now(), 1) });
const countOf = async ({ merchant }: Standing, period = month()) =>
  (await readUsage(deps, { merchantId: merchant.id, meter: null, ...period })).verifications;
const listOf = async ({ merchant }: Standing, limit = 100) => {
  const page = { meter: null, limit, startingAfter: null, endingBefore: null, ...month() };
  return (await listUsageEvents(deps, { merchantId: merchant.id, ...page })).events;
};
const brokenRules = async () => (await Promise.all(usageInvariants.map(({ find }) => find(deps.db.sql)))).flat();

describe("verify-mandate writes for the meter and the log by one insert (docs/spec/billing.md, Meters; docs/spec/billing.md, Meters)", () => {
  test("of each verdict, valid or not; a request that gets none leaves none", async () => {
    const standing = await makeStanding(deps);
    await verify(standing, {}, "req_yes");
    deps.clock.advance(1);
    await verify(standing, { currency: "USD" }, "req_no");
    deps.clock.advance(1);
    await refusalOf(verify(standing, { mandate_id: "mdt_none" }));
    const told = { mandateId: standing.mandateId, clientId: standing.merchantClient.id };
    expect((await listOf(standing)).map(({ kind, of }) => ({ kind, of }))).toEqual([
      { kind: "verification", of: { ...told, log: { reason: null, requestId: "req_yes" } } },
      { kind: "verification", of: { ...told, log: { reason: expect.any(String), requestId: "req_no" } } },
    ]);
    expect(await countOf(standing)).toBe(2);
    expect(await countOf(await makeStanding(deps))).toBe(0);
  });

  test("what is told too often of a budget leaves none either", async () => {
    const standing = await makeStanding(deps);
    const tooOften = new Error("too often");
    const admitBudgetAnswer = () => {
      throw tooOften;
    };
    const { merchant, merchantClient, mandateId } = standing;
    const asked = verifyMandate(deps, {
      merchantId: merchant.id,
      clientId: merchantClient.id,
      requestId: "req_test",
      admitBudgetAnswer,
      request: { mandate_id: mandateId, amount: 999_999_999, currency: "EUR", payer_presence: "in_session" },
    });
    await expect(asked).rejects.toThrow(tooOften);
    expect(await countOf(standing)).toBe(0);
  });

  test("the log leaves after 30 days, what is metered stays", async () => {
    const standing = await makeStanding(deps);
    await verify(standing);
    await deps.db.prisma.$executeRaw`DELETE FROM verification_log WHERE merchant_id = ${standing.merchant.id}`;
    expect((await listOf(standing)).map(({ of }) => of)).toMatchObject([{ mandateId: standing.mandateId, log: null }]);
    expect(await countOf(standing)).toBe(1);
  });

  test("those that wait together share one insert, each with a row of its own, of whichever merchant", async () => {
    const both = [await makeStanding(deps), await makeStanding(deps)] as const;
    const names = await statementsOf(deps.db, () =>
      Promise.all(Array.from({ length: 40 }, (_, index) => verify(both[index % 2 === 0 ? 0 : 1], {}, `req_${index}`))),
    );
    const inserts = names.filter((name) => name === "insert_verifications").length;
    expect(inserts).toBeGreaterThan(0);
    expect(inserts).toBeLessThan(10);
    for (const standing of both) {
      expect(await countOf(standing)).toBe(20);
      expect(new Set((await listOf(standing)).map(({ id }) => id)).size).toBe(20);
    }
    expect(await brokenRules()).toEqual([]);
  });

  test("minutes count in lanes, so that connections don't wait for each other; all of them make the count", async () => {
    const standing = await makeStanding(deps);
    for (let minute = 0; minute < 3; minute += 1) {
      await Promise.all(Array.from({ length: 10 }, () => verify(standing)));
      deps.clock.advance(60);
    }
    expect(await countOf(standing)).toBe(30);
    // From within a minute to within another: the edges are counted one by one.
    const from = addSeconds(deps.clock.now(), -2 * 60 - 1);
    expect(await countOf(standing, { from, to: addSeconds(from, 62) })).toBe(20);
    expect(await countOf(standing, { from: addSeconds(from, 2), to: addSeconds(from, 61) })).toBe(0);
    expect(await brokenRules()).toEqual([]);
  });

  test("a verdict whose row can't be written isn't told, and no half of it is kept", async () => {
    const standing = await makeStanding(deps);
    await deps.db.prisma.$executeRawUnsafe(
      "ALTER TABLE verification_minute ADD CONSTRAINT none CHECK (count < 0) NOT VALID",
    );
    try {
      await expect(verify(standing)).rejects.toThrow();
    } finally {
      await deps.db.prisma.$executeRawUnsafe("ALTER TABLE verification_minute DROP CONSTRAINT none");
    }
    expect(await countOf(standing)).toBe(0);
    expect(await listOf(standing)).toEqual([]);
  });
});
