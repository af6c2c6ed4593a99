import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { requestCharge } from "../charge/answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { reconcileDueCharges } from "./reconcile-due-charges.ts";

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
/** Stops a process at a step. The processor's answer never reaches the process. */
const crash = () => Promise.reject(new Error("the process crashed here"));

beforeEach(async () => {
  bank = scriptedProcessor();
  deps = await createTestDeps({ processors: bank.processors });
});
afterEach(() => deps.close());

const reconcileAfter = async (seconds: number) => {
  deps.clock.advance(seconds);
  return reconcileDueCharges(deps, { limit: 100 });
};
const theCharge = () => deps.db.prisma.charge.findFirstOrThrow();
const eventTypes = async () =>
  (
    await deps.db.prisma.event.findMany({ where: { type: { startsWith: "charge." } }, orderBy: { sequence: "asc" } })
  ).map((event) => event.type);

/** A charge whose process crashed after the reservation had been committed. */
const dieAfterReserve = async (setup: Awaited<ReturnType<typeof makeChargeableMandate>>, key: string) => {
  const { sql } = deps.db;
  const dying: TestDeps = {
    ...deps,
    db: {
      ...deps.db,
      sql: {
        query: (statement, values) => (statement.name === "submit_charge" ? crash() : sql.query(statement, values)),
      },
    },
  };
  const { createCharge } = await import("../charge/create-charge.ts");
  const attempt = createCharge(dying, {
    merchantId: setup.merchant.id,
    clientId: setup.merchantClient.id,
    requestId: "r",
    idempotencyKey: key,
    request: { mandate_id: setup.mandateId, amount: 1_000, currency: "EUR", payer_presence: "in_session" },
  });
  await expect(attempt).rejects.toThrow("crashed here");
};

describe("crash between reserve and submit", () => {
  test("a charge that was reserved more than 60 s ago was never sent: it is voided, its hold is released, and its key is free again", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 1_000 });
    await dieAfterReserve(setup, "k");
    expect(await setup.counters()).toMatchObject({ held: 1_000n, heldCount: 1n });
    expect(await reconcileAfter(59)).toBe(0);
    expect(await reconcileAfter(1)).toBe(1);
    expect((await theCharge()).state).toBe("voided");
    expect(await setup.counters()).toMatchObject({ held: 0n, used: 0n, heldCount: 0n });
    expect(await eventTypes()).toEqual(["charge.voided"]);
    expect(bank.moved.size).toBe(0);
    expect((await setup.charge({}, "k")).status).toBe(201);
  });

  test("a retry within the lease gets 409 with Retry-After; after the lease, exactly one retry continues the charge", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 1_000 });
    await dieAfterReserve(setup, "k");
    const early = await setup.charge({}, "k").catch((error: Error) => error);
    expect(early).toMatchObject({ kind: "conflict", headers: { "retry-after": "1" } });
    deps.clock.advance(30);
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => setup.charge({}, "k")));
    expect(results.some((result) => result.status === "fulfilled" && result.value.status === 201)).toBe(true);
    expect(bank.state.calls).toBe(1);
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n });
    expect(await deps.db.prisma.charge.count()).toBe(1);
  });

  test("if the clock steps back an hour, a lease that was taken before doesn't delay a retry", async () => {
    const setup = await makeChargeableMandate(deps);
    await dieAfterReserve(setup, "k");
    await deps.db.prisma.$executeRaw`UPDATE charge SET lease_until = lease_until + interval '1 hour'`;
    expect((await setup.charge({}, "k")).status).toBe(201);
    expect(bank.state.calls).toBe(1);
  });

  test("a revocation voids the charge immediately, and the mandate refuses the retry", async () => {
    const setup = await makeChargeableMandate(deps);
    await dieAfterReserve(setup, "k");
    await revokeMandate(deps, {
      mandateId: setup.mandateId,
      actor: { kind: "payer", id: setup.payer.id },
      requestId: "r",
    });
    expect((await theCharge()).state).toBe("voided");
    expect(await setup.counters()).toMatchObject({ state: "revoked", held: 0n });
    expect((await refusalOf(setup.charge({}, "k"))).reasons).toEqual(["mandate_revoked"]);
  });
});

describe("crash between submit and settle", () => {
  test("a payment that reached the processor is found and settled once", async () => {
    const { pay } = bank.state;
    bank.state.pay = async (request) => pay(request).then(crash);
    const setup = await makeChargeableMandate(deps, { max_total_amount: 1_000 });
    await expect(setup.charge({}, "k")).rejects.toThrow("crashed here");
    expect((await theCharge()).state).toBe("submitted");
    expect(await reconcileAfter(12)).toBe(0);
    expect(await reconcileAfter(1)).toBe(1);
    expect((await theCharge()).state).toBe("succeeded");
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n, state: "consumed" });
    expect(await eventTypes()).toEqual(["charge.succeeded", "charge.reconciled"]);
    expect(await setup.charge({}, "k")).toMatchObject({ status: 201, isRepeat: true });
    expect(await reconcileAfter(10_000)).toBe(0);
    expect(bank.moved.size).toBe(1);
  });

  test("if the payment isn't found twice, 60 s apart, the charge is declined as not_submitted", async () => {
    bank.state.pay = crash;
    const setup = await makeChargeableMandate(deps, { max_total_amount: 1_000 });
    await expect(setup.charge({}, "k")).rejects.toThrow("crashed here");
    expect(await reconcileAfter(13)).toBe(1); // this answer doesn't count, because the payment may still arrive
    expect(await reconcileAfter(3)).toBe(1); // the first answer that counts
    expect(await reconcileAfter(59)).toBe(0);
    expect(await setup.counters()).toMatchObject({ held: 1_000n });
    expect(await reconcileAfter(1)).toBe(1);
    expect(await theCharge()).toMatchObject({ state: "declined", decline: { code: "not_submitted", retryable: true } });
    expect(await setup.counters()).toMatchObject({ held: 0n, used: 0n });
    const answer = await setup.charge({}, "k");
    expect(answer).toMatchObject({ status: 402, isRepeat: true });
    expect(JSON.parse(answer.body)).toMatchObject({ code: "not_submitted" });
  });

  test("a retry after the lease looks up the payment and never pays again", async () => {
    const { pay } = bank.state;
    bank.state.pay = async (request) => pay(request).then(crash);
    const setup = await makeChargeableMandate(deps);
    await expect(setup.charge({}, "k")).rejects.toThrow("crashed here");
    expect(await refusalOf(setup.charge({}, "k"))).toMatchObject({ kind: "conflict" });
    deps.clock.advance(30);
    expect(await setup.charge({}, "k")).toMatchObject({ status: 201, isRepeat: true });
    expect(bank.state.calls).toBe(1);
  });

  test("an unknown charge is looked up after 5, 10, 20 s … and keeps its hold until the outcome is known", async () => {
    bank.state.pay = async () => ({ kind: "unknown" });
    bank.state.lookup = async () => ({ kind: "unknown" });
    const setup = await makeChargeableMandate(deps, { max_total_amount: 1_000 });
    await setup.charge({}, "k");
    for (const delay of [5, 10, 20, 40, 80]) {
      expect(await reconcileAfter(delay - 1)).toBe(0);
      expect(await reconcileAfter(1)).toBe(1);
    }
    expect(await setup.counters()).toMatchObject({ held: 1_000n });
    expect(await setup.charge({}, "k")).toMatchObject({ status: 202, isRepeat: true });
    bank.state.lookup = async () => ({
      kind: "declined",
      processorRef: "r",
      declineCode: "lost_card",
      retryable: false,
      advice: "No.",
    });
    expect(await reconcileAfter(160)).toBe(1);
    expect(await theCharge()).toMatchObject({ state: "declined", declineCode: "lost_card" });
    expect(await setup.counters()).toMatchObject({ held: 0n });
    expect(await eventTypes()).toEqual(["charge.unknown", "charge.declined", "charge.reconciled"]);
  });

  test("a revocation in the meantime doesn't stop a submitted charge from settling", async () => {
    const { pay } = bank.state;
    bank.state.pay = async (request) => pay(request).then(() => ({ kind: "unknown" as const }));
    const setup = await makeChargeableMandate(deps);
    await setup.charge({}, "k");
    await revokeMandate(deps, {
      mandateId: setup.mandateId,
      actor: { kind: "payer", id: setup.payer.id },
      requestId: "r",
    });
    expect(await reconcileAfter(5)).toBe(1);
    expect((await theCharge()).state).toBe("succeeded");
    expect(await setup.counters()).toMatchObject({ state: "revoked", used: 1_000n, held: 0n });
  });
});

describe("a database that becomes unavailable", () => {
  const lost = () => Promise.reject(Object.assign(new Error("terminating connection"), { code: "57P01" }));

  /**
   * Makes a charge on a connection that is lost. `at` is called in each transaction with the transaction's number, from
   * 1. If it returns true, the connection is lost at that point.
   */
  const chargeLosing = async (
    setup: Awaited<ReturnType<typeof makeChargeableMandate>>,
    at: (transaction: number) => boolean,
  ) => {
    let transactions = 0;
    const dying: TestDeps = {
      ...deps,
      db: {
        ...deps.db,
        inSharedTurn(key, work) {
          transactions += 1;
          return at(transactions) ? lost() : deps.db.inSharedTurn(key, work);
        },
      },
    };
    return requestCharge(dying, {
      merchantId: setup.merchant.id,
      clientId: setup.merchantClient.id,
      requestId: "r",
      idempotencyKey: "k",
      request: { mandate_id: setup.mandateId, amount: 1_000, currency: "EUR", payer_presence: "in_session" },
    });
  };

  test("if nothing was sent yet, the response is 503, and it is safe to retry", async () => {
    const setup = await makeChargeableMandate(deps);
    expect(await refusalOf(chargeLosing(setup, (transaction) => transaction === 1))).toMatchObject({
      kind: "unavailable",
    });
    expect(bank.state.calls).toBe(0);
    expect((await setup.charge({}, "k")).status).toBe(201);
  });

  test("if the charge was sent, the response is 202 unknown, and the reconciler records the processor's answer", async () => {
    const setup = await makeChargeableMandate(deps);
    const answer = await chargeLosing(setup, (transaction) => transaction === 2);
    expect(answer.status).toBe(202);
    expect(JSON.parse(answer.body)).toMatchObject({ status: "unknown" });
    expect(await reconcileAfter(13)).toBe(1);
    expect(await setup.charge({}, "k")).toMatchObject({ status: 201, isRepeat: true, chargeId: answer.chargeId });
    expect(bank.moved.size).toBe(1);
  });
});

describe("approval and authentication", () => {
  test("a step-up without approval expires after 15 minutes and releases its hold", async () => {
    const setup = await makeChargeableMandate(deps, { step_up_above: 1, max_total_amount: 1_000 });
    await setup.charge({}, "k");
    expect(await reconcileAfter(15 * 60 - 1)).toBe(0);
    expect(await reconcileAfter(1)).toBe(1);
    expect((await theCharge()).state).toBe("expired");
    expect(await setup.counters()).toMatchObject({ held: 0n });
    expect(await eventTypes()).toEqual(["charge.requires_action", "charge.expired"]);
    expect(await setup.charge({}, "k")).toMatchObject({ status: 402, isRepeat: true });
  });

  test("each round ends expired charges, even if many outcomes are due earlier", async () => {
    const asking = await makeChargeableMandate(deps, { step_up_above: 1 });
    const { chargeId: waiting } = await asking.charge();
    bank.state.pay = async () => ({ kind: "unknown" });
    bank.state.lookup = async () => ({ kind: "unknown" });
    const setup = await makeChargeableMandate(deps);
    await Promise.all(Array.from({ length: 3 }, () => setup.charge()));
    deps.clock.advance(15 * 60);
    expect(await reconcileDueCharges(deps, { limit: 2 })).toBe(3);
    expect((await deps.db.prisma.charge.findFirstOrThrow({ where: { id: waiting } })).state).toBe("expired");
  });

  test("after the payer has acted, a 3-D Secure charge is settled by a look-up", async () => {
    bank.state.pay = async () => ({
      kind: "requires_action",
      processorRef: "r",
      actionUrl: "https://bank.example/3ds",
    });
    bank.state.lookup = async () => ({
      kind: "requires_action",
      processorRef: "r",
      actionUrl: "https://bank.example/3ds",
    });
    const setup = await makeChargeableMandate(deps);
    await setup.charge({}, "k");
    expect(await reconcileAfter(5)).toBe(1);
    expect((await theCharge()).state).toBe("requires_action");
    bank.state.lookup = async () => ({ kind: "succeeded", processorRef: "r" });
    expect(await reconcileAfter(10)).toBe(1);
    expect((await theCharge()).state).toBe("succeeded");
    expect(await setup.charge({}, "k")).toMatchObject({ status: 201, isRepeat: true });
  });
});

describe("a payer who has acted (docs/spec/payments.md, Charge states: requires_action → submitted → processing)", () => {
  const requiresAction = { kind: "requires_action", processorRef: "r", actionUrl: "https://bank.example/3ds" } as const;
  const calledOff: string[] = [];
  beforeEach(() => {
    calledOff.length = 0;
    bank.state.pay = async () => requiresAction;
    bank.state.lookup = async () => requiresAction;
    bank.state.void = async ({ reference }) => {
      calledOff.push(reference);
      return { kind: "voided" };
    };
  });

  test("a payment that the bank processes is looked up after 5, 10, 20 s, and the payer's deadline no longer applies", async () => {
    const setup = await makeChargeableMandate(deps);
    await setup.charge({}, "k");
    bank.state.lookup = async () => ({ kind: "processing", processorRef: "r" });
    expect(await reconcileAfter(5)).toBe(1);
    expect(await theCharge()).toMatchObject({ state: "processing", expiresAt: null });
    expect(await reconcileAfter(4)).toBe(0);
    deps.clock.advance(20 * 60);
    expect(await reconcileAfter(0)).toBe(1);
    expect([(await theCharge()).state, calledOff]).toEqual(["processing", []]);
    expect(await setup.counters()).toMatchObject({ held: 1_000n });
    bank.state.lookup = async () => ({ kind: "succeeded", processorRef: "r" });
    deps.clock.advance(3600);
    expect(await reconcileAfter(0)).toBe(1);
    expect((await theCharge()).state).toBe("succeeded");
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n });
  });

  test("if the payer acts at the last moment, the payment is looked up first, and isn't voided", async () => {
    const setup = await makeChargeableMandate(deps);
    await setup.charge({}, "k");
    deps.clock.advance(15 * 60);
    bank.state.lookup = async () => ({ kind: "processing", processorRef: "r" });
    expect(await reconcileAfter(0)).toBe(1);
    expect([(await theCharge()).state, calledOff]).toEqual(["processing", []]);
  });

  test.each([
    [{ kind: "authorized", processorRef: "r" }, "authorized"],
    [{ kind: "succeeded", processorRef: "r" }, "succeeded"],
    [{ kind: "declined", processorRef: "r", declineCode: "lost_card", retryable: false, advice: "-" }, "declined"],
  ] as const)(
    "if the payer acts at the last moment, the outcome %o is settled, and the payment isn't voided",
    async (found, state) => {
      const setup = await makeChargeableMandate(deps);
      await setup.charge({ capture_method: state === "authorized" ? "manual" : "automatic" }, "k");
      deps.clock.advance(15 * 60);
      bank.state.lookup = async () => found;
      expect(await reconcileAfter(0)).toBe(1);
      expect([(await theCharge()).state, calledOff]).toEqual([state, []]);
    },
  );

  test("without an action by the payer, the charge is voided and expires", async () => {
    const setup = await makeChargeableMandate(deps);
    await setup.charge({}, "k");
    deps.clock.advance(15 * 60);
    expect(await reconcileAfter(0)).toBe(1);
    expect([(await theCharge()).state, calledOff]).toEqual(["expired", ["r"]]);
  });
});

describe("several workers", () => {
  test("each due charge is looked up by one worker, and settles once", async () => {
    const { pay, lookup } = bank.state;
    bank.state.pay = async (request) => pay(request).then(() => ({ kind: "unknown" as const }));
    let lookups = 0;
    bank.state.lookup = (request) => {
      lookups += 1;
      return lookup(request);
    };
    const setup = await makeChargeableMandate(deps);
    await Promise.all(Array.from({ length: 30 }, () => setup.charge({ amount: 10 })));
    deps.clock.advance(5);
    const counts = await Promise.all(Array.from({ length: 6 }, () => reconcileDueCharges(deps, { limit: 100 })));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30);
    expect(lookups).toBe(30);
    expect(await setup.counters()).toMatchObject({ used: 300n, held: 0n, usedCount: 30n });
  });

  test("a charge that settles while it is looked up is settled once", async () => {
    const { pay, lookup } = bank.state;
    bank.state.pay = async (request) => pay(request).then(() => ({ kind: "unknown" as const }));
    const setup = await makeChargeableMandate(deps);
    await setup.charge({ amount: 10 });
    const { reconcileCharge } = await import("./reconcile-charge.ts");
    const { findCharge } = await import("../../data/charges/charges.ts");
    const charge = await findCharge(deps.db.sql, (await theCharge()).id);
    if (!charge) throw new Error("no charge");
    bank.state.lookup = lookup;
    const settled = await Promise.all(Array.from({ length: 8 }, () => reconcileCharge(deps, charge)));
    expect(settled.every((each) => each.state === "succeeded")).toBe(true);
    expect(await setup.counters()).toMatchObject({ used: 10n, held: 0n, usedCount: 1n, heldCount: 0n });
    expect(await eventTypes()).toEqual(["charge.unknown", "charge.succeeded", "charge.reconciled"]);
  });

  test("a late answer to a look-up doesn't change the schedule of a charge whose state has changed in the meantime", async () => {
    bank.state.pay = async () => ({ kind: "unknown" });
    const setup = await makeChargeableMandate(deps);
    await setup.charge();
    const { settleCharge } = await import("../charge/settle-charge.ts");
    const { findCharge } = await import("../../data/charges/charges.ts");
    bank.state.lookup = async () => {
      const charge = await findCharge(deps.db.sql, (await theCharge()).id);
      if (!charge) throw new Error("no charge");
      const by = { kind: "reconciler", requestId: "another" } as const;
      await settleCharge(deps, charge, { event: { kind: "processing", processorRef: "ref" }, by });
      return { kind: "unknown" };
    };
    const before = await theCharge();
    expect(await reconcileAfter(5)).toBe(1);
    // The late answer changed nothing: the first look-up of the charge in `processing` is due in five seconds.
    expect(await theCharge()).toMatchObject({ state: "processing", lookups: 0, notFoundAt: null });
    expect((await theCharge()).nextLookupAt?.getTime()).toBe((before.nextLookupAt?.getTime() ?? 0) + 5_000);
  });
});
