import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { Sql } from "../../data/client.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import { approveCharge } from "../approvals/approve-charge.ts";
import { reconcileDueCharges } from "../reconcile/reconcile-due-charges.ts";
import { reconcileDueRefunds } from "../refunds/perform-refund.ts";
import { requestCapture, requestCharge, requestRefund, requestVoid } from "./answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "./charge-setup.fixture.ts";

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
let setup: Awaited<ReturnType<typeof makeChargeableMandate>>;
/** The moments at which the connections of the next transactions break. The caller gets the same error in all cases. */
let breaks: ("after_commit" | "before_commit" | "before_work")[] = [];

beforeAll(async () => {
  bank = scriptedProcessor();
  const real = await createTestDeps({ processors: bank.processors });
  const sqlTransaction = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
    const breaking = breaks.shift();
    const broken = () => new Error("Connection terminated unexpectedly");
    if (breaking === undefined) return real.db.sqlTransaction(work);
    if (breaking === "after_commit") await real.db.sqlTransaction(work);
    if (breaking === "before_commit") {
      await real.db.sqlTransaction(async (sql) => {
        await work(sql);
        throw broken();
      });
    }
    throw broken();
  };
  deps = { ...real, db: { ...real.db, sqlTransaction } };
  setup = await makeChargeableMandate(deps);
});
afterAll(async () => {
  expect(await findViolations(deps.db.sql)).toEqual([]);
  await deps.close();
});

const acts = {
  capture: (chargeId: string, idempotencyKey: string) =>
    requestCapture(deps, { ...by(), chargeId, idempotencyKey, request: { amount: 400 } }),
  void: (chargeId: string, idempotencyKey: string) => requestVoid(deps, { ...by(), chargeId, idempotencyKey }),
  refund: (chargeId: string, idempotencyKey: string) =>
    requestRefund(deps, { ...by(), chargeId, idempotencyKey, request: { amount: 400 } }),
};
const by = () => ({ merchantId: setup.merchant.id, clientId: setup.merchantClient.id, requestId: "r" });
const statusOf = ({ body }: { body: string }): unknown => JSON.parse(body).status;

describe("a connection to the database that is lost while a claim is committed (docs/spec/payments.md, Charge responses)", () => {
  test.each([
    ["capture", "manual", "partially_captured"],
    ["void", "manual", "voided"],
    ["refund", "automatic", "succeeded"],
  ] as const)(
    "%s: the response is idempotency_key_in_use, and a repeat with the same key returns the reconciler's result",
    async (act, capture_method, outcome) => {
      const { chargeId } = await setup.charge({ capture_method });
      breaks = ["after_commit"];
      expect(await refusalOf(acts[act](chargeId, `lost ${act}`))).toMatchObject({ code: "idempotency_key_in_use" });
      deps.clock.advance(20);
      expect(await (act === "refund" ? reconcileDueRefunds : reconcileDueCharges)(deps, { limit: 10 })).toBe(1);
      expect(statusOf(await acts[act](chargeId, `lost ${act}`))).toBe(outcome);
    },
  );

  test.each(["capture", "refund"] as const)(
    "%s: if the connection is lost before the claim, the response is 503 and the key is free",
    async (act) => {
      const { chargeId } = await setup.charge({ capture_method: act === "capture" ? "manual" : "automatic" });
      breaks = ["before_work"];
      expect(await refusalOf(acts[act](chargeId, `early ${act}`))).toMatchObject({ code: "processor_unavailable" });
      expect(statusOf(await acts[act](chargeId, `early ${act}`))).toBe(
        act === "capture" ? "partially_captured" : "succeeded",
      );
    },
  );
});

describe("a connection to the database that is lost while a charge above step_up_above is committed (docs/spec/payments.md, Charge responses)", () => {
  test("the response is idempotency_key_in_use, and a repeat with the same key returns the waiting charge", async () => {
    const { mandateId, merchant, merchantClient } = await makeChargeableMandate(deps, { step_up_above: 100 });
    const input = {
      merchantId: merchant.id,
      clientId: merchantClient.id,
      requestId: "r",
      idempotencyKey: "lost step-up",
      request: { mandate_id: mandateId, amount: 400, currency: "EUR", payer_presence: "in_session" } as const,
    };
    const { db } = deps;
    // The key is looked up while the commit is still in progress.
    const sql: Sql = {
      query: async (asked, values) => (asked.name === "find_idempotency_key" ? [] : db.sql.query(asked, values)),
    };
    const inSharedTurn: typeof db.inSharedTurn = async (key, work, options) => {
      await db.inSharedTurn(key, work, options);
      throw new Error("Connection terminated unexpectedly");
    };
    const attempt = requestCharge({ ...deps, db: { ...db, sql, inSharedTurn } }, input);
    expect(await refusalOf(attempt)).toMatchObject({ code: "idempotency_key_in_use" });
    const repeat = await requestCharge(deps, input);
    expect([repeat.status, repeat.isRepeat, statusOf(repeat)]).toEqual([202, true, "requires_action"]);
  });
});

describe("a connection to the database that is lost while an approval is committed (docs/spec/payments.md, Step-up)", () => {
  beforeAll(() => {
    // At such a processor, the reconciler sends the payment itself.
    bank.state.capabilities = { ...bank.state.capabilities, lookupByKey: false };
  });

  const makeWaiting = async () => {
    const { payer, charge } = await makeChargeableMandate(deps, { step_up_above: 100 });
    const { chargeId } = await charge({ amount: 400 });
    const proof = { authTime: deps.clock.now(), acr: "urn:paygrant:acr:password" };
    return () => approveCharge(deps, { chargeId, payerId: payer.id, requestId: "r", proof });
  };
  const reconcile = async (): Promise<number> => {
    deps.clock.advance(20);
    const { calls } = bank.state;
    expect(await reconcileDueCharges(deps, { limit: 10 })).toBe(1);
    return bank.state.calls - calls;
  };

  test("the approval is found, and the reconciler sends the payment", async () => {
    const approve = await makeWaiting();
    breaks = ["after_commit"];
    expect((await approve()).state).toBe("submitted");
    expect(await reconcile()).toBe(1);
    expect((await approve()).state).toBe("succeeded");
  });

  test("if the charge can't be read either, the answer doesn't say that nothing was submitted", async () => {
    const approve = await makeWaiting();
    breaks = ["after_commit", "before_work"];
    expect(await refusalOf(approve())).toMatchObject({ kind: "unavailable", code: "approval_unknown" });
    expect(await reconcile()).toBe(1);
    expect((await approve()).state).toBe("succeeded");
  });

  test.each(["before_commit", "before_work"] as const)(
    "%s: nothing is submitted, and the payer can approve again",
    async (moment) => {
      const approve = await makeWaiting();
      breaks = [moment];
      expect(await refusalOf(approve())).toMatchObject({ code: "processor_unavailable" });
      expect((await approve()).state).toBe("succeeded");
    },
  );
});
