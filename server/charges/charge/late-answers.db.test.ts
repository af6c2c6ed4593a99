import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findCharge } from "../../data/charges/charges.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import { approveCharge } from "../approvals/approve-charge.ts";
import { reconcileDueCharges } from "../reconcile/reconcile-due-charges.ts";
import { reconcileDueRefunds } from "../refunds/perform-refund.ts";
import { requestCapture, requestRefund, requestVoid } from "./answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "./charge-setup.fixture.ts";

let real: TestDeps;
let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
let setup: Awaited<ReturnType<typeof makeChargeableMandate>>;
/** The statement after which `happen` runs once. If `happen` rejects, the statement's answer is lost. */
let after: { name: string; happen: () => Promise<void> } | null;

const lost = () => Promise.reject(new Error("Connection terminated unexpectedly"));

beforeAll(async () => {
  real = await createTestDeps({ processors: { get: (name) => bank.processors.get(name) } });
  deps = {
    ...real,
    db: {
      ...real.db,
      sql: {
        async query(statement, values) {
          const rows = await real.db.sql.query(statement, values);
          const hook = after?.name === statement.name ? after : null;
          if (hook) after = null;
          await hook?.happen();
          return rows;
        },
      },
      async sqlTransaction(work) {
        const done = await real.db.sqlTransaction(work);
        const hook = after?.name === "commit" ? after : null;
        if (hook) after = null;
        await hook?.happen();
        return done;
      },
    },
  };
});
beforeEach(async () => {
  bank = scriptedProcessor();
  after = null;
  setup = await makeChargeableMandate(deps, { step_up_above: 4_000 });
});
afterAll(async () => {
  expect(await findViolations(real.db.sql)).toEqual([]);
  await real.close();
});

const by = () => ({ merchantId: setup.merchant.id, clientId: setup.merchantClient.id, requestId: "r" });
const only = async () => {
  const [row] = await real.db.prisma.charge.findMany({ where: { mandateId: setup.mandateId } });
  if (!row) throw new Error("no charge");
  return row;
};

/** The reconciler settles the next payment before the response to the payment request arrives. Then `happen` runs. */
const overtake = (happen: () => Promise<void>): void => {
  const { pay } = bank.state;
  bank.state.pay = async (request) => {
    const outcome = await pay(request);
    real.clock.advance(14);
    await reconcileDueCharges(real, { limit: 10 });
    await happen();
    return outcome;
  };
};

describe("a process reports that nothing was sent only if no other process can have sent the charge (docs/spec/payments.md, Charge responses)", () => {
  test("a charge that the reconciler took over is paid once and isn't answered with 503", async () => {
    bank.state.capabilities = { ...bank.state.capabilities, lookupByKey: false };
    const { pay } = bank.state;
    bank.state.pay = async () => {
      bank.state.pay = pay;
      real.clock.advance(14);
      await reconcileDueCharges(real, { limit: 10 });
      return { kind: "not_sent" };
    };
    expect(await setup.charge()).toMatchObject({ status: 201 });
    expect(await only()).toMatchObject({ state: "succeeded", amountCaptured: 1_000n });
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n });
  });

  test("if a charge changed state before its own answer arrived, the request and its repeats get the stored answer", async () => {
    overtake(async () => {
      await requestVoid(real, { ...by(), chargeId: (await only()).id, idempotencyKey: "v" });
    });
    const first = await setup.charge({ capture_method: "manual" }, "k");
    expect((await only()).state).toBe("voided");
    expect(first).toMatchObject({ status: 201, isRepeat: false });
    expect(JSON.parse(first.body)).toMatchObject({ status: "authorized" });
    expect(await setup.charge({ capture_method: "manual" }, "k")).toEqual({ ...first, isRepeat: true });
  });

  test("if the stored answer can't be read, the charge is reported as unknown, never as unsent", async () => {
    overtake(async () => {
      after = { name: "find_idempotency_key", happen: lost };
    });
    expect(await setup.charge({}, "k")).toMatchObject({ status: 202, isRepeat: false });
    expect(await setup.charge({}, "k")).toMatchObject({ status: 201, isRepeat: true });
    expect(bank.state.moved.size).toBe(1);
  });

  test("a charge that the reconciler took over without a result keeps its hold", async () => {
    bank.state.lookup = async () => ({ kind: "unknown" });
    bank.state.pay = async () => {
      real.clock.advance(14);
      await reconcileDueCharges(real, { limit: 10 });
      return { kind: "not_sent" };
    };
    expect(await setup.charge()).toMatchObject({ status: 202 });
    expect(await setup.counters()).toMatchObject({ held: 1_000n });
  });

  test("a refund that the reconciler made is returned in its current state", async () => {
    const { chargeId } = await setup.charge();
    const { refund } = bank.state;
    bank.state.refund = async () => {
      bank.state.refund = refund;
      real.clock.advance(14);
      expect(await reconcileDueRefunds(real, { limit: 10 })).toBe(1);
      return { kind: "not_sent" };
    };
    const input = { ...by(), chargeId, idempotencyKey: "k", request: { amount: 400 } };
    expect(JSON.parse((await requestRefund(deps, input)).body)).toMatchObject({ status: "succeeded" });
    expect(await only()).toMatchObject({ amountRefunded: 400n, amountRefunding: 0n });
  });

  test("a capture that the reconciler performs is returned as in progress", async () => {
    const { chargeId } = await setup.charge({ capture_method: "manual" });
    bank.state.capture = async () => {
      bank.state.capture = async () => ({ kind: "unknown" });
      real.clock.advance(14);
      await reconcileDueCharges(real, { limit: 10 });
      return { kind: "not_sent" };
    };
    const input = { ...by(), chargeId, idempotencyKey: "k", request: {} };
    expect((await requestCapture(deps, input)).status).toBe(202);
    bank.state.capture = async () => ({ kind: "captured" });
    real.clock.advance(60);
    await reconcileDueCharges(real, { limit: 10 });
    expect(await requestCapture(deps, input)).toMatchObject({ status: 200, isRepeat: true });
  });
});

describe("a database connection that is lost while the submission is recorded", () => {
  test("a charge is not reported as unsent, and is sent at most once", async () => {
    bank.state.capabilities = { ...bank.state.capabilities, lookupByKey: false };
    after = { name: "submit_charge", happen: lost };
    expect(await refusalOf(setup.charge({}, "k"))).toMatchObject({ code: "idempotency_key_in_use" });
    expect([(await only()).state, bank.state.moved.size]).toEqual(["submitted", 0]);
    real.clock.advance(14);
    await reconcileDueCharges(real, { limit: 10 });
    expect(await setup.charge({}, "k")).toMatchObject({ status: 201, isRepeat: true });
    expect([bank.state.moved.size, (await setup.counters()).used]).toEqual([1, 1_000n]);
  });

  test("a committed approval is returned as an approval", async () => {
    const created = await setup.charge({ amount: 4_500 });
    expect(created.status).toBe(202);
    after = { name: "commit", happen: lost };
    const input = {
      chargeId: created.chargeId,
      payerId: setup.payer.id,
      requestId: "r",
      proof: { authTime: real.clock.now(), acr: "urn:paygrant:acr:password" },
    };
    expect(await approveCharge(deps, input)).toMatchObject({ state: "submitted" });
  });
});

test("if a process was stopped for longer than a call may take, it sends nothing afterwards", async () => {
  after = { name: "submit_charge", happen: async () => void real.clock.advance(9) };
  expect(await setup.charge()).toMatchObject({ status: 202 });
  expect([bank.state.moved.size, (await only()).state]).toEqual([0, "unknown"]);
});

test.each([
  ["its mandate has expired", 45, { valid_until: 40 }],
  ["it was reserved a minute ago", 61, {}],
])(
  "a retry after a crash sends nothing if %s",
  async (_, seconds, { valid_until: validFor }: { valid_until?: number }) => {
    if (validFor !== undefined) {
      const validUntil = new Date(real.clock.now().getTime() + validFor * 1000);
      await real.db.prisma.mandate.update({ where: { id: setup.mandateId }, data: { validUntil } });
    }
    const { query } = deps.db.sql;
    deps.db.sql.query = async (statement, values) => {
      if (statement.name === "submit_charge") throw new Error("killed");
      return query(statement, values);
    };
    await expect(setup.charge({}, "k")).rejects.toThrow("killed");
    deps.db.sql.query = query;
    real.clock.advance(seconds);
    await refusalOf(setup.charge({}, "k"));
    expect([bank.state.moved.size, (await findCharge(real.db.sql, (await only()).id))?.state]).toEqual([0, "voided"]);
  },
);
