import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { LookupOutcome } from "../../deps/processor-port.ts";
import { newId } from "../../kernel/ids.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { getChargeForOperator } from "../lists/get-charge-for-operator.ts";
import { receiveProcessorEvent } from "../reconcile/receive-processor-event.ts";
import { reconcileDueCharges } from "../reconcile/reconcile-due-charges.ts";
import { closeContradiction } from "./close-contradiction.ts";
import { listChargesUnderReview } from "./list-charges-under-review.ts";
import { listContradictions } from "./list-contradictions.ts";
import { searchChargeUnderReview } from "./search-charge-under-review.ts";
import { type Finding, settleChargeUnderReview } from "./settle-charge-under-review.ts";

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
beforeAll(async () => {
  deps = await createTestDeps({ processors: { get: (name) => bank.processors.get(name) } });
  // A charge that needs review is logged as an error. Every test in this file starts with such a charge.
  deps.log = { ...deps.log, error() {} };
});
beforeEach(() => {
  bank = scriptedProcessor();
  bank.state.capabilities = { ...bank.state.capabilities, lookupByKey: false };
  bank.state.pay = async () => ({ kind: "unknown" });
  bank.state.lookup = async () => ({ kind: "not_found" });
});
afterAll(() => deps.close());

/**
 * A charge with an unknown outcome. Its mandate is revoked, so the request isn't repeated, and look-ups find nothing.
 */
const makeChargeUnderReview = async (request: { capture_method?: "manual" } = {}) => {
  const setup = await makeChargeableMandate(deps, { max_total_amount: 3_000 });
  const { chargeId } = await setup.charge(request);
  const payer = { kind: "payer", id: setup.payer.id } as const;
  await revokeMandate(deps, { mandateId: setup.mandateId, actor: payer, requestId: "req_revoke" });
  // A search may lag by an hour, so its result is final only after an hour.
  deps.clock.advance(3600);
  await reconcileDueCharges(deps, { limit: 100 });
  return { setup, chargeId };
};
const actOn = (chargeId: string) => ({
  chargeId,
  operatorId: "acc_operator",
  requestId: newId("req"),
  reason: "Seen in the processor's books",
});
const settle = (chargeId: string, finding: Finding) => settleChargeUnderReview(deps, { ...actOn(chargeId), finding });
const search = (chargeId: string) => searchChargeUnderReview(deps, actOn(chargeId));
const rowOf = (id: string) => deps.db.prisma.charge.findFirstOrThrow({ where: { id } });
const eventsOf = async (objectId: string) =>
  (await deps.db.prisma.event.findMany({ where: { objectId }, orderBy: { sequence: "asc" } })).map(({ type }) => type);
const auditOf = (chargeId: string, kind = "operator") => deps.db.prisma.$queryRaw<{ action: string; data: object }[]>`
  SELECT action, actor_id, data FROM audit_entry WHERE subject_id = ${chargeId} AND actor_kind = ${kind} ORDER BY seq`;

/** The answer to every look-up. `happen` runs during the first look-up. */
const lookupDuringWhich = (happen: () => Promise<unknown>, outcome: LookupOutcome) => {
  let isFirst = true;
  return async () => {
    if (isFirst) {
      isFirst = false;
      await happen();
    }
    return outcome;
  };
};

const succeeded: Finding = { kind: "succeeded", processorRef: "pi_found" };

describe("a charge under review (docs/spec/payments.md, Reconciliation)", () => {
  test("is listed, oldest first, can be found by merchant, reference and id, and isn't listed after it is settled", async () => {
    const [first, second] = [await makeChargeUnderReview(), await makeChargeUnderReview()];
    const ids = async (query: { search?: string; startingAfter?: string } = {}) =>
      (await listChargesUnderReview(deps, { limit: 100, ...query })).charges.map(({ id }) => id);
    expect(await ids()).toEqual([first.chargeId, second.chargeId]);
    expect(await ids({ startingAfter: first.chargeId })).toEqual([second.chargeId]);
    expect(await ids({ search: second.chargeId })).toEqual([second.chargeId]);
    expect(await ids({ search: second.setup.mandateId })).toEqual([second.chargeId]);
    expect(await ids({ search: "fresh MARKET" })).toHaveLength(2);
    expect(await ids({ search: "%" })).toEqual([]);
    await settle(first.chargeId, { kind: "nothing" });
    expect(await ids()).toEqual([second.chargeId]);
    await settle(second.chargeId, { kind: "nothing" });
  });

  test("shows the request to the processor and the charge's history", async () => {
    const { chargeId, setup } = await makeChargeUnderReview();
    const { charge, isUnderReview, sent, timeline } = await getChargeForOperator(deps, { chargeId });
    expect([isUnderReview, charge.merchantName, charge.mandateId]).toEqual([true, "Fresh Market", setup.mandateId]);
    expect(sent).toMatchObject({ key: `paygrant:${chargeId}`, account: `acct_${setup.merchant.id}` });
    expect(timeline.map(({ action }) => action)).toEqual(["charge.review_needed", "charge.unknown"]);
  });

  test("settles as succeeded with the processor's id: the amount counts as used, and the charge is reported as reconciled and audited with the reason", async () => {
    const { chargeId, setup } = await makeChargeUnderReview();
    expect(await setup.counters()).toMatchObject({ held: 1_000n, used: 0n });
    expect((await settle(chargeId, succeeded)).state).toBe("succeeded");
    expect(await rowOf(chargeId)).toMatchObject({
      state: "succeeded",
      processorRef: "pi_found",
      amountCaptured: 1_000n,
    });
    expect(await setup.counters()).toMatchObject({ held: 0n, used: 1_000n });
    expect(await eventsOf(chargeId)).toEqual(["charge.unknown", "charge.succeeded", "charge.reconciled"]);
    expect(await auditOf(chargeId)).toMatchObject([
      { action: "charge.succeeded", actor_id: "acc_operator", data: { reason: "Seen in the processor's books" } },
    ]);
  });

  test("settles as authorized if its capture is manual, and can then be captured", async () => {
    const { chargeId, setup } = await makeChargeUnderReview({ capture_method: "manual" });
    expect((await settle(chargeId, succeeded)).state).toBe("authorized");
    expect(await setup.counters()).toMatchObject({ held: 1_000n, used: 0n });
  });

  test.each<[Finding, object]>([
    [
      { kind: "declined", processorRef: "pi_no" },
      { processorRef: "pi_no", declineCode: "generic_decline", decline: { code: "card_declined", retryable: false } },
    ],
    [
      { kind: "nothing" },
      { processorRef: null, declineCode: "not_submitted", decline: { code: "not_submitted", retryable: true } },
    ],
  ])("settles as declined with the finding %j, and releases the hold", async (finding, expected) => {
    const { chargeId, setup } = await makeChargeUnderReview();
    await settle(chargeId, finding);
    expect(await rowOf(chargeId)).toMatchObject({ state: "declined", amountCaptured: 0n, ...expected });
    expect(await setup.counters()).toMatchObject({ held: 0n, used: 0n });
    expect(await eventsOf(chargeId)).toEqual(["charge.unknown", "charge.declined", "charge.reconciled"]);
  });

  test("settles by the processor's answer to a new search, with the operator's reason", async () => {
    const { chargeId } = await makeChargeUnderReview();
    bank.state.lookup = async () => ({ kind: "succeeded", processorRef: "pi_found" });
    expect(await search(chargeId)).toBe("settled");
    expect(await rowOf(chargeId)).toMatchObject({ state: "succeeded", processorRef: "pi_found" });
    expect(await auditOf(chargeId)).toMatchObject([{ action: "charge.succeeded", data: { outcome: "succeeded" } }]);
  });

  test.each([
    ["not_found", "nothing"],
    ["unknown", "no_answer"],
    ["not_sent", "no_answer"],
  ] as const)(
    "a new search with the result %s doesn't determine the outcome: the hold is kept, and the search is audited",
    async (kind, found) => {
      const { chargeId, setup } = await makeChargeUnderReview();
      bank.state.lookup = async () => ({ kind });
      expect(await search(chargeId)).toBe(found);
      expect(await rowOf(chargeId)).toMatchObject({ state: "unknown", nextLookupAt: null });
      expect(await setup.counters()).toMatchObject({ held: 1_000n });
      expect(await auditOf(chargeId)).toMatchObject([{ action: "charge.searched", data: { found } }]);
      await settle(chargeId, { kind: "nothing" });
    },
  );

  test.each<[Extract<LookupOutcome, { kind: "captured" | "voided" }>, object, bigint]>([
    [{ kind: "captured", processorRef: "pi_c", amountMinor: 600n }, { state: "partially_captured" }, 600n],
    [{ kind: "voided", processorRef: "pi_v" }, { state: "declined", declineCode: "canceled" }, 0n],
  ])("settles by the capture or void that a new search finds: $kind", async (found, expected, used) => {
    const { chargeId, setup } = await makeChargeUnderReview({ capture_method: "manual" });
    bank.state.lookup = async () => found;
    expect(await search(chargeId)).toBe("settled");
    expect(await rowOf(chargeId)).toMatchObject({ ...expected, processorRef: found.processorRef });
    expect(await setup.counters()).toMatchObject({ held: 0n, used });
  });

  test("returns to the reconciler if a new search finds that the processor still processes the payment", async () => {
    const { chargeId } = await makeChargeUnderReview();
    bank.state.lookup = async () => ({ kind: "processing", processorRef: "pi_slow" });
    expect(await search(chargeId)).toBe("settled");
    expect((await rowOf(chargeId)).nextLookupAt).not.toBeNull();
    expect((await refusalOf(settle(chargeId, succeeded))).code).toBe("charge_not_under_review");
  });
});

describe("a processor that contradicts an operator's settlement", () => {
  const newsOf = (chargeId: string, account: string) =>
    receiveProcessorEvent(deps, {
      processor: "simulator",
      event: { id: "evt", type: "payment.succeeded", about: "payment", reference: "pi_late", account, chargeId },
      requestId: "req_late",
    });
  const contradicted = async (finding: Finding = { kind: "nothing" }) => {
    const { chargeId, setup } = await makeChargeUnderReview();
    await settle(chargeId, finding);
    bank.state.lookup = async () => ({ kind: "succeeded", processorRef: "pi_late" });
    const account = `acct_${setup.merchant.id}`;
    await Promise.all(Array.from({ length: 5 }, () => newsOf(chargeId, account)));
    await newsOf(chargeId, account);
    return { chargeId, setup, account };
  };

  test.each<Finding>([{ kind: "nothing" }, { kind: "declined", processorRef: "pi_no" }])(
    "after the finding %j, the contradiction is raised to operators once and audited; the charge remains declined, and no amount counts as used",
    async (finding) => {
      const { chargeId, setup } = await contradicted(finding);
      const contradiction = { about: "payment", processorRef: "pi_late", reported: "succeeded", amount: 1_000n };
      const { contradictions } = await getChargeForOperator(deps, { chargeId });
      expect(contradictions).toMatchObject([
        { ...contradiction, chargeState: "declined", merchantName: "Fresh Market" },
      ]);
      expect((await listContradictions(deps)).map((each) => each.chargeId)).toContain(chargeId);
      expect(
        (await auditOf(chargeId, "system")).filter(({ action }) => action === "charge.contradicted"),
      ).toMatchObject([
        {
          data: { about: "payment", processor_ref: "pi_late", reported: "succeeded", amount: 1_000, state: "declined" },
        },
      ]);
      expect(await rowOf(chargeId)).toMatchObject({ state: "declined" });
      expect(await setup.counters()).toMatchObject({ held: 0n, used: 0n });
    },
  );

  test("only one of two concurrent calls closes the contradiction, and the same report doesn't raise it again", async () => {
    const { chargeId, account } = await contradicted();
    const [open] = await listContradictions(deps, { chargeId });
    const close = () =>
      closeContradiction(deps, {
        contradictionId: open?.id ?? "",
        operatorId: "acc_operator",
        requestId: "r",
        reason: "Given back in their dashboard",
      });
    const closed = await Promise.allSettled([close(), close()]);
    expect(closed.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await refusalOf(close())).code).toBe("not_found");
    await newsOf(chargeId, account);
    expect(await listContradictions(deps, { chargeId })).toEqual([]);
    expect(await auditOf(chargeId)).toMatchObject([
      { action: "charge.declined" },
      { action: "charge.contradiction_closed", data: { reason: "Given back in their dashboard" } },
    ]);
  });

  test("if the operator settles the charge during the request to the processor, it remains declined, and the payment is raised to operators", async () => {
    const { chargeId, setup } = await makeChargeUnderReview();
    bank.state.lookup = lookupDuringWhich(() => settle(chargeId, { kind: "nothing" }), {
      kind: "succeeded",
      processorRef: "pi_late",
    });
    await newsOf(chargeId, `acct_${setup.merchant.id}`);
    expect(await listContradictions(deps, { chargeId })).toMatchObject([
      { about: "payment", processorRef: "pi_late", reported: "succeeded", chargeState: "declined" },
    ]);
    expect(await rowOf(chargeId)).toMatchObject({ state: "declined" });
    expect(await setup.counters()).toMatchObject({ held: 0n, used: 0n });
  });

  test("if the reported authorization was voided after the processor's answer, nothing is raised", async () => {
    const { chargeId, setup } = await makeChargeUnderReview({ capture_method: "manual" });
    const account = `acct_${setup.merchant.id}`;
    const voidThere = async () => {
      bank.state.lookup = async () => ({ kind: "voided", processorRef: "pi_late" });
      await newsOf(chargeId, account);
    };
    bank.state.lookup = lookupDuringWhich(voidThere, { kind: "authorized", processorRef: "pi_late" });
    await newsOf(chargeId, account);
    expect(await rowOf(chargeId)).toMatchObject({ state: "declined", declineCode: "canceled" });
    expect(await listContradictions(deps, { chargeId })).toEqual([]);
  });

  test("if the processor moved no money, its report isn't a contradiction", async () => {
    const { chargeId, setup } = await makeChargeUnderReview();
    await settle(chargeId, { kind: "nothing" });
    for (const outcome of [{ kind: "not_found" }, { kind: "voided", processorRef: "pi_late" }] as const) {
      bank.state.lookup = async () => outcome;
      await newsOf(chargeId, `acct_${setup.merchant.id}`);
    }
    expect(await listContradictions(deps, { chargeId })).toEqual([]);
  });
});

describe("an event about a charge under review (docs/adr/035-processor-events-as-signals.md)", () => {
  test("is refused while the processor can't be asked, because the reconciler doesn't ask later", async () => {
    const { chargeId, setup } = await makeChargeUnderReview();
    const event = { id: "evt", type: "payment.succeeded", about: "payment", reference: "pi_event" } as const;
    const account = `acct_${setup.merchant.id}`;
    const receive = () =>
      receiveProcessorEvent(deps, {
        processor: "simulator",
        requestId: "req_event",
        event: { ...event, account, chargeId },
      });
    for (const kind of ["unknown", "not_sent"] as const) {
      bank.state.lookup = async () => ({ kind });
      expect(await refusalOf(receive())).toMatchObject({ kind: "unavailable", code: "processor_unavailable" });
    }
    expect(await rowOf(chargeId)).toMatchObject({ state: "unknown", nextLookupAt: null });
    bank.state.lookup = async () => ({ kind: "succeeded", processorRef: "pi_event" });
    await receive();
    expect(await rowOf(chargeId)).toMatchObject({ state: "succeeded" });
  });
});

test("an event is also refused if the charge's look-ups end during the request to the processor", async () => {
  const setup = await makeChargeableMandate(deps);
  const { chargeId } = await setup.charge();
  expect((await rowOf(chargeId)).nextLookupAt).not.toBeNull();
  const endLookups = () => deps.db.prisma.charge.updateMany({ where: { id: chargeId }, data: { nextLookupAt: null } });
  bank.state.lookup = lookupDuringWhich(endLookups, { kind: "unknown" });
  const event = { id: "evt", type: "payment.succeeded", about: "payment", reference: "pi_event" } as const;
  const received = receiveProcessorEvent(deps, {
    processor: "simulator",
    requestId: "req_event",
    event: { ...event, account: `acct_${setup.merchant.id}`, chargeId },
  });
  expect(await refusalOf(received)).toMatchObject({ code: "processor_unavailable" });
  await settle(chargeId, { kind: "nothing" });
});

describe("concurrent settlements have one outcome", () => {
  test("two operators and a late event of the processor", async () => {
    for (let round = 0; round < 6; round++) {
      const { chargeId, setup } = await makeChargeUnderReview();
      bank.state.lookup = async () => ({ kind: "succeeded", processorRef: "pi_event" });
      const account = `acct_${setup.merchant.id}`;
      const event = {
        id: "evt",
        type: "payment.succeeded",
        about: "payment",
        reference: "pi_event",
        account,
        chargeId,
      } as const;
      const outcomes = await Promise.allSettled([
        settle(chargeId, { kind: "nothing" }),
        settle(chargeId, succeeded),
        search(chargeId),
        receiveProcessorEvent(deps, { processor: "simulator", event, requestId: "req_event" }),
      ]);
      const { state, processorRef } = await rowOf(chargeId);
      const settled = outcomes.slice(0, 3).filter(({ status }) => status === "fulfilled");
      const byOperator = await auditOf(chargeId);
      const byEvent = (await auditOf(chargeId, "system")).filter(({ action }) => action === "charge.succeeded");
      expect([byOperator.length + byEvent.length, settled.length]).toEqual([1, byOperator.length]);
      expect(["succeeded", "declined"]).toContain(state);
      expect(await setup.counters()).toMatchObject({ held: 0n, used: state === "succeeded" ? 1_000n : 0n });
      expect(processorRef === null).toBe(state === "declined");
      expect(await listContradictions(deps, { chargeId })).toMatchObject(
        state === "declined" ? [{ processorRef: "pi_event", reported: "succeeded" }] : [],
      );
      expect((await eventsOf(chargeId)).filter((type) => type === "charge.reconciled")).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "charge_not_under_review" });
      }
    }
  });
});

describe("a charge that an operator can't settle", () => {
  test("is refused if its id is unknown, if it is settled, or if it is still looked up", async () => {
    expect((await refusalOf(settle("chg_nowhere", succeeded))).code).toBe("charge_not_found");
    const setup = await makeChargeableMandate(deps);
    const { chargeId } = await setup.charge();
    expect(await rowOf(chargeId)).toMatchObject({ state: "unknown" });
    expect((await refusalOf(settle(chargeId, succeeded))).code).toBe("charge_not_under_review");
    expect((await refusalOf(search(chargeId))).code).toBe("charge_not_under_review");
    expect(await auditOf(chargeId)).toEqual([]);
  });
});
