import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { searchAudit } from "../audit/search-audit.ts";
import { requestCharge } from "../charges/charge/answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charges/charge/charge-setup.fixture.ts";
import { verifyMandate } from "../charges/permission/verify-mandate.ts";
import { reconcileDueCharges } from "../charges/reconcile/reconcile-due-charges.ts";
import { claimEnvironment } from "../data/platform/environment.ts";
import { isDomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { epochSeconds } from "../kernel/time/clock.ts";
import { advanceClock } from "./advance-clock.ts";
import { createSandboxClock } from "./sandbox-clock.ts";

const bank = scriptedProcessor();
const { pay } = bank.state;
const start = new Date("2026-11-21T12:00:00Z");
const record = { issuer: "http://localhost:3001", fingerprint: "f" };
let deps: TestDeps;
/** Another process of the sandbox, with its own clock readings. */
let node: TestDeps;

beforeAll(async () => {
  const own = await createTestDeps({ processors: bank.processors, now: start });
  await claimEnvironment(own.db, { kind: "sandbox", ...record });
  deps = { ...own, businessClock: createSandboxClock(own) };
  const other = await anotherNode(deps);
  node = { ...other, businessClock: createSandboxClock(other) };
});
afterAll(async () => {
  await node?.close();
  await deps?.close();
});

/** Each test starts at the time where the previous test left the clock, because it only moves forward. */
let now: Date;
beforeEach(async () => {
  bank.state.void = async () => ({ kind: "voided" });
  now = await deps.businessClock.now();
});

const day = 24 * 3600;
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const actor = { kind: "operator", id: "acc_operator" } as const;
const advance = (to: Date, on: TestDeps = deps) => advanceClock(on, { to, actor, requestId: "req_clock" });

const chargeOn = (on: TestDeps, setup: Awaited<ReturnType<typeof makeChargeableMandate>>, amount = 1_000) =>
  requestCharge(on, {
    merchantId: setup.merchant.id,
    clientId: setup.merchantClient.id,
    requestId: "req_test",
    idempotencyKey: newId("req"),
    request: { mandate_id: setup.mandateId, amount, currency: "EUR", payer_presence: "in_session" },
  });
const rowOf = (id: string) => deps.db.prisma.charge.findFirstOrThrow({ where: { id } });
const eventTimesOf = async (objectId: string, type: string) =>
  (await deps.db.prisma.event.findMany({ where: { objectId, type } })).map(({ createdAt }) => createdAt.toISOString());
const auditOf = async (subjectId: string, action: string) =>
  (await searchAudit(deps, { subjectId, action, from: start })).entries;

/** A mandate that starts at the current business time. */
const makeMandate = (limits: Parameters<typeof makeChargeableMandate>[1] = {}, on: TestDeps = deps) =>
  makeChargeableMandate({ ...on, clock: { ...on.clock, now: () => now as ReturnType<typeof on.clock.now> } }, limits);

describe("the sandbox's clock only moves forward (docs/spec/sandbox.md, Clock)", () => {
  test("refuses an earlier or equal time and a time more than ten years ahead, and names the field", async () => {
    for (const to of [now, later(-1)]) {
      expect(await refusalOf(advance(to))).toMatchObject({ code: "clock_not_forward", pointers: ["/advance_to"] });
    }
    const refused = await refusalOf(advance(new Date(start.getTime() + 3_654 * day * 1000)));
    expect(refused).toMatchObject({ code: "clock_too_far", pointers: ["/advance_to"] });
    expect(await deps.businessClock.now()).toEqual(now);
  });

  test("returns the previous and the new time, and audits the operator's action in real time", async () => {
    const to = later(3600);
    expect(await advance(to)).toEqual({ from: now, now: to });
    expect(await auditOf("sandbox_clock", "sandbox_clock.advanced")).toMatchObject([
      {
        at: start,
        actorKind: "operator",
        actorId: actor.id,
        requestId: "req_clock",
        data: { from: now.toISOString(), to: to.toISOString(), reason: expect.any(String) },
      },
    ]);
  });

  test("serializes concurrent moves: each starts from the time that the previous move set, or is refused as not forward", async () => {
    const targets = [50, 10, 40, 20, 30].map((minutes) => later(minutes * 60));
    const moved = await Promise.allSettled(targets.map((to, index) => advance(to, index % 2 ? node : deps)));
    const steps = moved.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    for (const each of moved) {
      if (each.status === "rejected") expect(isDomainError(each.reason) && each.reason.code).toBe("clock_not_forward");
    }
    steps.sort((left, right) => left.from.getTime() - right.from.getTime());
    expect(steps.map(({ from }) => from)).toEqual([now, ...steps.slice(0, -1).map((step) => step.now)]);
    expect(await node.businessClock.now()).toEqual(later(50 * 60));
  });

  test("a production database stores no offset", async () => {
    const production = await createTestDeps();
    try {
      await claimEnvironment(production.db, { kind: "production", ...record });
      const offset = { where: { id: 1 }, data: { clockOffsetMs: 1 } };
      await expect(production.db.prisma.environment.update(offset)).rejects.toThrow(/environment_clock/);
    } finally {
      await production.close();
    }
  });
});

describe("after a move returns, every process uses the new time", () => {
  test("after each of several moves, the next charge on either process uses the new time", async () => {
    const setup = await makeMandate({ max_amount_per_payment: 5_000 });
    for (let round = 1; round <= 4; round += 1) {
      const to = later(round * day);
      // Both processes read the clock immediately before.
      await Promise.all([deps.businessClock.now(), node.businessClock.now()]);
      await advance(to, round % 2 ? deps : node);
      const made = await Promise.all([chargeOn(deps, setup), chargeOn(node, setup)]);
      const rows = await Promise.all(made.map(({ chargeId }) => rowOf(chargeId)));
      expect(rows.map(({ createdAt }) => createdAt)).toEqual([to, to]);
    }
  });

  test("a concurrent charge happens before the move or after it, never in between", async () => {
    const setup = await makeMandate({ max_amount_per_payment: 5_000 });
    const to = later(30 * day);
    let isDone = false;
    const keepCharging = async (on: TestDeps): Promise<{ chargeId: string; isAfter: boolean }[]> => {
      const made = [];
      while (!isDone || made.length < 3) {
        const isAfter = isDone;
        const { chargeId } = await chargeOn(on, setup, 1);
        made.push({ chargeId, isAfter });
        if (isAfter) break;
      }
      return made;
    };
    const charging = [keepCharging(deps), keepCharging(node), keepCharging(node)];
    await sleep(30);
    await advance(to);
    isDone = true;
    const made = (await Promise.all(charging)).flat();
    const seen = await Promise.all(
      made.map(async ({ chargeId, isAfter }) => ({ at: (await rowOf(chargeId)).createdAt.getTime(), isAfter })),
    );
    expect(seen.filter(({ at }) => at !== now.getTime() && at !== to.getTime())).toEqual([]);
    expect(seen.filter(({ at, isAfter }) => isAfter && at !== to.getTime())).toEqual([]);
    expect(seen.some(({ at }) => at === now.getTime())).toBe(true);
  });

  test("a charge that waits for its turn during the move happens after the move", async () => {
    const setup = await makeMandate({ max_amount_per_payment: 5_000 });
    const to = later(day);
    let turns = 0;
    const waiting: TestDeps = {
      ...deps,
      db: {
        ...deps.db,
        async inSharedTurn(key, work) {
          turns += 1;
          if (turns === 1) await advance(to, node);
          return deps.db.inSharedTurn(key, work);
        },
      },
    };
    const { chargeId } = await chargeOn(waiting, setup);
    expect((await rowOf(chargeId)).createdAt).toEqual(to);
  });

  test("a process reads the clock at most four times a second, for any number of requests", async () => {
    let reads = 0;
    const clock = createSandboxClock({
      clock: deps.clock,
      db: {
        ...deps.db,
        sql: {
          async query(statement, values) {
            reads += 1;
            // This query takes longer than the time for which one reading of the clock may be used.
            await sleep(300);
            return deps.db.sql.query(statement, values);
          },
        },
      },
    });
    await Promise.all(Array.from({ length: 500 }, () => clock.now()));
    // The second read serves all callers that arrived during the first.
    expect(reads).toBe(2);
  });
});

describe("due work is recorded with the time at which it was due", () => {
  test("mandates, approvals and authorizations expire in order, with the right time in state, event and audit", async () => {
    const short = await makeMandate({ valid_until: later(100 * day).toISOString() });
    const long = await makeMandate({ valid_until: later(300 * day).toISOString(), max_amount_per_payment: 5_000 });
    const approvalMandate = await makeMandate({ step_up_above: 100, max_total_amount: 1_000 });
    const { chargeId: held } = await long.charge({ capture_method: "manual" });
    const { chargeId: waiting } = await approvalMandate.charge();
    bank.state.pay = async ({ chargeId }) => ({
      kind: "requires_action",
      processorRef: `ref_${chargeId}`,
      actionUrl: "https://bank.example/",
    });
    const { chargeId: atBank } = await long.charge();
    bank.state.pay = pay;
    // Created during the move and due in the same move.
    await advance(later(98 * day));
    const { chargeId: heldLater } = await long.charge({ capture_method: "manual" });
    await advance(later(364 * day));

    const due = [
      [waiting, "charge.expired", later(900)],
      [atBank, "charge.expired", later(900)],
      [held, "charge.expired", later(7 * day)],
      [short.mandateId, "mandate.expired", later(100 * day)],
      [heldLater, "charge.expired", later(105 * day)],
      [long.mandateId, "mandate.expired", later(300 * day)],
    ] as const;
    const written: number[] = [];
    for (const [id, what, at] of due) {
      expect({ id, times: await eventTimesOf(id, what) }).toEqual({ id, times: [at.toISOString()] });
      const entries = await auditOf(id, what);
      expect({ id, audited: entries.map((entry) => entry.at) }).toEqual({ id, audited: [at] });
      written.push(...entries.map(({ seq }) => seq));
    }
    for (const id of [waiting, atBank, held, heldLater]) expect((await rowOf(id)).state).toBe("expired");
    const ended = await deps.db.prisma.mandate.findMany({ where: { id: { in: [short.mandateId, long.mandateId] } } });
    expect(ended.map(({ state }) => state)).toEqual(["expired", "expired"]);
    expect(ended.map(({ endedAt }) => endedAt).toSorted((a, b) => Number(a) - Number(b))).toEqual([
      later(100 * day),
      later(300 * day),
    ]);
    expect(await approvalMandate.counters()).toMatchObject({ held: 0n, heldCount: 0n });
    // The first two are due at the same instant, in any order.
    written.splice(0, 1);
    expect(written).toEqual(written.toSorted((left, right) => left - right));
  });

  test("workers leave due work to the process that moves the clock, and resume afterwards", async () => {
    const to = later(30 * day);
    const mandate = await makeMandate({ valid_until: later(10 * day).toISOString(), max_amount_per_payment: 5_000 });
    const { chargeId } = await mandate.charge({ capture_method: "manual" });
    let voids = 0;
    let isHeld: Date | null = now;
    bank.state.void = async () => {
      voids += 1;
      isHeld = await node.businessClock.dueUntil();
      await reconcileDueCharges(node, { limit: 100 });
      return { kind: "voided" };
    };
    await advance(to);
    expect({ voids, isHeld }).toEqual({ voids: 1, isHeld: null });
    expect((await rowOf(chargeId)).state).toBe("expired");
    expect(await node.businessClock.dueUntil()).toEqual(to);
  });

  test("an unreachable processor doesn't block a move: the void is retried in real time", async () => {
    const setup = await makeMandate({ max_amount_per_payment: 5_000 });
    const { chargeId } = await setup.charge({ capture_method: "manual" });
    bank.state.void = async () => ({ kind: "unknown" });
    await advance(later(8 * day));
    expect(await rowOf(chargeId)).toMatchObject({ state: "authorized", pendingAct: { kind: "expire" } });
    bank.state.void = async () => ({ kind: "voided" });
    deps.clock.advance(60);
    await reconcileDueCharges(deps, { limit: 100 });
    expect((await rowOf(chargeId)).state).toBe("expired");
    expect(await eventTimesOf(chargeId, "charge.expired")).toEqual([later(7 * day).toISOString()]);
  });

  test("in a year, a monthly limit is used up, refuses a charge and is available again each month; then the mandate expires", async () => {
    const setup = await makeMandate({
      periodic_limits: [{ period: "month", alignment: "consent", max_amount: 2_000 }],
    });
    const { validUntil } = await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: setup.mandateId } });
    const begin = now;
    for (let month = 0; month < 12; month += 1) {
      if (month > 0) await advance(new Date(new Date(begin).setUTCMonth(begin.getUTCMonth() + month)));
      await setup.charge({ amount: 2_000 });
      const { reasons } = await refusalOf(setup.charge({ amount: 1 }));
      expect({ month, reasons }).toEqual({ month, reasons: ["period_limit_exceeded"] });
    }
    expect((await setup.counters()).periods.map(({ usedAmount }) => usedAmount)).toEqual(Array(12).fill(2_000n));
    await advance(validUntil);
    expect((await setup.counters()).state).toBe("expired");
    const verdict = await verifyMandate(node, {
      merchantId: setup.merchant.id,
      clientId: setup.merchantClient.id,
      requestId: "req_test",
      request: { mandate_id: setup.mandateId, amount: 1, currency: "EUR", payer_presence: "in_session" },
    });
    expect(verdict).toMatchObject({ valid: false, status: "expired", checked_at: validUntil.toISOString() });
    // The receipt is signed in real time, not in business time.
    const [, claims = ""] = verdict.receipt.split(".");
    const { iat } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { iat: number };
    expect(iat).toBe(epochSeconds(node.clock.now()));
  });
});
