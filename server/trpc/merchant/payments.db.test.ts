import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { searchAudit } from "../../audit/search-audit.ts";
import { requestRefund } from "../../charges/charge/answers.fixture.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { sumDueCharges } from "../../charges/lists/sum-due-charges.ts";
import { insertDispute } from "../../data/charges/disputes.ts";
import { markRecentChargeSumsDue } from "../../data/charges/merchant/charge-sums.ts";
import { findRefundsOfCharge } from "../../data/charges/refunds.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { callerOf, sameOrigin, sessionContextOf } from "../caller.fixture.ts";
import { contextOf } from "../context.ts";
import { createCaller } from "../root.ts";
import { makeMember } from "./merchant-tenant.fixture.ts";

// docs/spec/portal.md, Merchant dashboard: payments, and the actions that move money.

let deps: TestDeps;
const processor = scriptedProcessor();
beforeAll(async () => {
  deps = await createTestDeps({ processors: processor.processors });
});
afterAll(() => deps.close());

const makeDashboard = async () => {
  const setup = await makeChargeableMandate(deps);
  const merchantId = setup.merchant.id;
  const accountId = await makeMember(deps, merchantId, "owner");
  const api = callerOf(deps, accountId).payments;
  const payment = (chargeId: string) => api.payment({ chargeId });
  return { ...setup, merchantId, accountId, api, payment };
};
type Dashboard = Awaited<ReturnType<typeof makeDashboard>>;

let dashboard: Dashboard;
beforeEach(async () => {
  dashboard = await makeDashboard();
});

const idempotencyKey = "0123456789abcdef";
const reason = "duplicate";

/** The code of the refusal. */
const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "done",
    (error: { cause?: { code?: string }; code?: string }) => error.cause?.code ?? error.code ?? String(error),
  );

describe("capture, void and refund", () => {
  test("two concurrent refunds with one key move money once, with the member as actor", async () => {
    const { chargeId } = await dashboard.charge();
    const ask = () => dashboard.api.refund({ chargeId, idempotencyKey, amountMinor: 400, reason });
    const outcomes = await Promise.all([ask(), ask()].map(codeOf));
    expect(outcomes).toContain("done");
    expect(await ask()).toEqual({ status: "succeeded" });
    const { refunds, ...payment } = await dashboard.payment(chargeId);
    expect(refunds.map(({ amountMinor, status }) => [amountMinor, status])).toEqual([[400, "succeeded"]]);
    expect(payment).toMatchObject({ state: "partially_refunded", amountRefundedMinor: 400, amountRefundingMinor: 0 });
    const { entries } = await searchAudit(deps, { subjectId: refunds[0]?.id });
    expect(entries.map(({ action, actorKind, actorId }) => [action, actorKind, actorId])).toEqual([
      ["refund.succeeded", "merchant", dashboard.accountId],
      ["refund.created", "merchant", dashboard.accountId],
    ]);
  });

  test("a refund requires a reason, and the reason “other” requires a note, which the payer sees", async () => {
    const { chargeId } = await dashboard.charge();
    const request = { chargeId, idempotencyKey, amountMinor: 400 };
    expect(await codeOf(dashboard.api.refund(request as never))).toBe("BAD_REQUEST");
    expect(await codeOf(dashboard.api.refund({ ...request, reason: "other" }))).toBe("note_required");
    expect(await codeOf(dashboard.api.refund({ ...request, reason: "other", note: "  " }))).toBe("note_required");
    expect((await dashboard.payment(chargeId)).refunds).toEqual([]);
    expect(await codeOf(dashboard.api.refund({ ...request, reason: "other", note: "Late delivery" }))).toBe("done");
    const [refund] = await findRefundsOfCharge(deps.db.sql, chargeId, { limit: 1, after: null, before: null });
    expect(refund).toMatchObject({ reason: "other", metadata: { note: "Late delivery" } });
  });

  test("the sum of refunds never exceeds the captured amount", async () => {
    const { chargeId } = await dashboard.charge();
    const refund = (amountMinor: number, key: string) =>
      codeOf(dashboard.api.refund({ chargeId, idempotencyKey: `${idempotencyKey}-${key}`, amountMinor, reason }));
    expect((await Promise.all([refund(700, "a"), refund(700, "b")])).toSorted()).toEqual(["done", "exceeds_captured"]);
    expect(await refund(301, "c")).toBe("exceeds_captured");
    expect(await refund(300, "d")).toBe("done");
    expect((await dashboard.payment(chargeId)).state).toBe("refunded");
  });

  test("if a capture and a void are concurrent, only one of them succeeds", async () => {
    const { chargeId } = await dashboard.charge({ capture_method: "manual" });
    const outcomes = await Promise.all([
      codeOf(dashboard.api.capture({ chargeId, idempotencyKey, amountMinor: 600 })),
      codeOf(dashboard.api.void({ chargeId, idempotencyKey })),
    ]);
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
    const { state, timeline } = await dashboard.payment(chargeId);
    expect(["partially_captured", "voided"]).toContain(state);
    expect(timeline[0]).toMatchObject({ action: `charge.${state}`, actorKind: "merchant" });
  });

  test("reports the current state if the payment has changed since it was loaded", async () => {
    const { chargeId } = await dashboard.charge({ capture_method: "manual" });
    const { capture, lookup } = processor.state;
    const ask = () => dashboard.api.capture({ chargeId, idempotencyKey, amountMinor: 600 });
    processor.state.capture = async () => ({ kind: "refused", code: "payment_intent_unexpected_state" });
    processor.state.lookup = async () => ({ kind: "voided", processorRef: "r" });
    await expect(ask()).rejects.toThrow(
      "The request was not carried out because the payment is now voided. The page now shows the payment’s status.",
    );
    Object.assign(processor.state, { capture, lookup });
  });

  test("members of a suspended merchant can capture, void and refund (docs/spec/payments.md, Inactive merchants)", async () => {
    const ids = [];
    for (const fields of [{ capture_method: "manual" }, { capture_method: "manual" }, {}] as const) {
      ids.push((await dashboard.charge(fields)).chargeId);
    }
    const [captured = "", voided = "", refunded = ""] = ids;
    const where = { id: dashboard.merchantId };
    await deps.db.prisma.merchant.update({ where, data: { suspendedAt: deps.clock.now() } });
    await dashboard.api.capture({ chargeId: captured, idempotencyKey });
    await dashboard.api.void({ chargeId: voided, idempotencyKey });
    await dashboard.api.refund({ chargeId: refunded, idempotencyKey, reason });
    const states = await Promise.all(ids.map(async (id) => (await dashboard.payment(id)).state));
    expect(states).toEqual(["captured", "voided", "refunded"]);
  });

  test("captures the full amount by default", async () => {
    const { chargeId } = await dashboard.charge({ capture_method: "manual" });
    await dashboard.api.capture({ chargeId, idempotencyKey });
    expect(await dashboard.payment(chargeId)).toMatchObject({ state: "captured", amountCapturedMinor: 1_000 });
    const late = () => dashboard.api.void({ chargeId, idempotencyKey });
    expect(await codeOf(late())).toBe("charge_not_authorized");
    await expect(late()).rejects.toThrow("This payment can no longer be captured or voided.");
  });

  test("idempotency keys of the dashboard are separate from the keys of clients", async () => {
    const { chargeId } = await dashboard.charge();
    await dashboard.api.refund({ chargeId, idempotencyKey, amountMinor: 100, reason });
    const { merchantId, merchantClient } = dashboard;
    const caller = { merchantId, clientId: merchantClient.id, requestId: "req_test", chargeId, idempotencyKey };
    expect((await requestRefund(deps, { ...caller, request: { amount: 100 } })).isRepeat).toBe(false);
    expect((await dashboard.payment(chargeId)).amountRefundedMinor).toBe(200);
  });
});

describe("the list of payments", () => {
  test("an object of another of the member's merchants doesn't exist on a page of the selected merchant", async () => {
    const { accountId, merchantId, payment } = dashboard;
    const { chargeId } = await dashboard.charge();
    const other = (await makeChargeableMandate(deps)).merchant.id;
    const membership = { merchantId: other, accountId, role: "owner", createdAt: deps.clock.now() } as const;
    await deps.db.prisma.merchantMember.create({ data: membership });
    const context = contextOf(deps, { headers: sameOrigin, session: sessionContextOf(deps, accountId) });
    const onPageOf = (selected: string) => createCaller({ ...context, onlyMerchantId: selected }).payments;
    expect((await payment(chargeId)).id).toBe(chargeId);
    expect((await onPageOf(merchantId).payment({ chargeId })).id).toBe(chargeId);
    expect(await codeOf(onPageOf(other).payment({ chargeId }))).toBe("NOT_FOUND");
    expect(await codeOf(onPageOf(other).list({ merchantId }))).toBe("NOT_FOUND");
  });

  test("shows the merchant's payments, newest first, in pages, and can be filtered by state", async () => {
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      deps.clock.advance(1);
      made.unshift((await dashboard.charge(count === 1 ? { capture_method: "manual" } : {})).chargeId);
    }
    const { merchantId, api } = dashboard;
    const idsOf = async (query: object) => (await api.list({ merchantId, ...query })).payments.map(({ id }) => id);
    expect(await idsOf({})).toEqual(made);
    const first = await api.list({ merchantId, limit: 2 });
    expect([first.payments.length, first.hasMore]).toEqual([2, true]);
    expect(await idsOf({ startingAfter: made[1] })).toEqual(made.slice(2));
    expect(await idsOf({ show: "authorized" })).toEqual([made[1]]);
    expect(await idsOf({ show: "paid" })).toEqual([made[0], made[2]]);
    expect(await idsOf({ show: "disputed" })).toEqual([]);
    const { chargeId } = await (await makeDashboard()).charge();
    expect(await idsOf({ startingAfter: chargeId })).toEqual([]);
  });
});

describe("the overview of payments", () => {
  test("sums the last seven days and the seven before, and lists payments to capture", async () => {
    const { api, merchantId, charge } = dashboard;
    const dispute = async (id: string, chargeId: string) => {
      const { mandateId } = await deps.db.prisma.charge.findUniqueOrThrow({ where: { id: chargeId } });
      const at = deps.clock.now();
      await insertDispute(deps.db.sql, {
        id,
        chargeId,
        merchantId,
        mandateId,
        status: "open",
        amount: 1_000n,
        currency: "EUR",
        reason: "fraudulent",
        evidenceDueAt: null,
        disputeRef: id,
        createdAt: at,
        closedAt: null,
        nextLookupAt: at,
      });
    };
    await dispute(newId("dsp"), (await charge()).chargeId);
    await markRecentChargeSumsDue(deps.db.sql, addSeconds(deps.clock.now(), -3600));
    deps.clock.advance(8 * 24 * 3600);
    await sumDueCharges(deps, { limit: 1_000 });
    const { chargeId } = await charge();
    await dispute(newId("dsp"), chargeId);
    await api.refund({ chargeId, idempotencyKey, amountMinor: 250, reason });
    const waiting = await charge({ capture_method: "manual", amount: 300 });
    const overview = await api.overview({ merchantId, days: 7 });
    expect(overview).toMatchObject({ days: 7, paid: 1, declined: 0, open: 1, disputed: 1 });
    expect(overview.volumes).toEqual([{ currency: "EUR", capturedMinor: 1_000, refundedMinor: 250 }]);
    expect(overview.previous).toMatchObject({ paid: 1, declined: 0, open: 0, disputed: 1 });
    expect(overview.previous.volumes).toEqual([{ currency: "EUR", capturedMinor: 1_000, refundedMinor: 0 }]);
    expect(overview.waiting.map(({ id }) => id)).toEqual([waiting.chargeId]);
    expect(overview.recent).toHaveLength(3);
  });
});
