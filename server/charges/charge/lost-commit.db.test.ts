import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { Sql } from "../../data/client.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import { reconcileDueCharges } from "../reconcile/reconcile-due-charges.ts";
import { reconcileDueRefunds } from "../refunds/perform-refund.ts";
import { requestCapture, requestRefund, requestVoid } from "./answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "./charge-setup.fixture.ts";

let deps: TestDeps;
let setup: Awaited<ReturnType<typeof makeChargeableMandate>>;
/** The moment at which the connection breaks. The caller gets the same error in both cases. */
let breaks: "after_commit" | "before_commit" | null = null;

beforeAll(async () => {
  const bank = scriptedProcessor();
  const real = await createTestDeps({ processors: bank.processors });
  const sqlTransaction = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
    const breaking = breaks;
    breaks = null;
    if (breaking === null) return real.db.sqlTransaction(work);
    if (breaking === "after_commit") await real.db.sqlTransaction(work);
    throw new Error("Connection terminated unexpectedly");
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
      breaks = "after_commit";
      expect(await refusalOf(acts[act](chargeId, `lost ${act}`))).toMatchObject({ code: "idempotency_key_in_use" });
      deps.clock.advance(20);
      expect(await (act === "refund" ? reconcileDueRefunds : reconcileDueCharges)(deps, { limit: 10 })).toBe(1);
      expect(statusOf(await acts[act](chargeId, `lost ${act}`))).toBe(outcome);
    },
  );

  test.each(["capture", "refund"] as const)(
    "%s: if the connection is lost before the commit, the response is 503 and the key is free",
    async (act) => {
      const { chargeId } = await setup.charge({ capture_method: act === "capture" ? "manual" : "automatic" });
      breaks = "before_commit";
      expect(await refusalOf(acts[act](chargeId, `early ${act}`))).toMatchObject({ code: "processor_unavailable" });
      expect(statusOf(await acts[act](chargeId, `early ${act}`))).toBe(
        act === "capture" ? "partially_captured" : "succeeded",
      );
    },
  );
});
