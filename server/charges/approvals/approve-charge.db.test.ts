import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { countLockWaits } from "#e2e/support/statements.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { searchAudit } from "../../audit/search-audit.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import { lockMandate } from "../../data/mandates/mandates.ts";
import { UnconfiguredProcessor } from "../../deps/processor-port.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds, businessClockOf } from "../../kernel/time/clock.ts";
import { resumeMandate } from "../../mandates/lifecycle/resume-mandate.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { suspendMandate } from "../../mandates/lifecycle/suspend-mandate.ts";
import { requestCharge, requestVoid } from "../charge/answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { reconcileDueCharges } from "../reconcile/reconcile-due-charges.ts";
import { approveCharge } from "./approve-charge.ts";
import { declineCharge } from "./decline-charge.ts";
import { getApproval, listApprovals } from "./find-approvals.ts";

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;

let deps: TestDeps;
/** another process of the service, on the same database */
let node: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
let relay: ReturnType<typeof scriptedProcessor>["processors"];
beforeAll(async () => {
  deps = await createTestDeps({ processors: { get: (name) => relay.get(name) } });
  node = await anotherNode(deps);
});
beforeEach(() => {
  bank = scriptedProcessor();
  relay = bank.processors;
});
afterAll(async () => {
  expect(await findViolations(deps.db.sql)).toEqual([]);
  await node.close();
  await deps.close();
});

const limits = { step_up_above: 500, max_total_amount: 3_000 };
const proof = () => ({ authTime: deps.clock.now(), acr: "urn:paygrant:acr:password" });
const bodyOf = (answer: { body: string }): Record<string, unknown> => JSON.parse(answer.body);

/** A charge that waits for its payer, made under the key `k`. */
const makeWaiting = async (fields: Parameters<Setup["charge"]>[0] = {}, terms: object = limits) => {
  const setup = await makeChargeableMandate(deps, terms);
  const answer = await setup.charge(fields, "k");
  expect([answer.status, bodyOf(answer)["status"]]).toEqual([202, "requires_action"]);
  const { chargeId } = answer;
  const decision = { chargeId, payerId: setup.payer.id, requestId: "req_payer" };
  return {
    ...setup,
    chargeId,
    answer,
    decision,
    approve: (on: TestDeps = deps) => approveCharge(on, { ...decision, proof: proof() }),
    decline: (on: TestDeps = deps) => declineCharge(on, decision),
    void: (idempotencyKey: string = newId("req"), on: TestDeps = deps) =>
      requestVoid(on, {
        merchantId: setup.merchant.id,
        clientId: setup.merchantClient.id,
        requestId: "r",
        chargeId,
        idempotencyKey,
      }),
    revoke: () =>
      revokeMandate(deps, {
        mandateId: setup.mandateId,
        actor: { kind: "payer", id: setup.payer.id },
        requestId: "r",
      }),
    repeat: () => setup.charge(fields, "k"),
    row: () => deps.db.prisma.charge.findFirstOrThrow({ where: { id: chargeId } }),
    events: async () =>
      (await deps.db.prisma.event.findMany({ where: { objectId: chargeId }, orderBy: { sequence: "asc" } })).map(
        ({ type }) => type,
      ),
    audit: async () =>
      (await searchAudit(deps, { subjectId: chargeId })).entries
        .map(({ action, actorKind }) => `${action} by ${actorKind}`)
        .reverse(),
  };
};

describe("an e-mail asks the payer for approval (docs/spec/payments.md, Step-up)", () => {
  const mailTo = async ({ payer }: Setup) => {
    const { email } = await deps.db.prisma.account.findUniqueOrThrow({ where: { id: payer.id } });
    return deps.db.prisma.mail.findMany({ where: { recipient: email } });
  };

  test("is sent once, and contains the merchant, the amount, the deadline and the link; only the payer gets mail", async () => {
    const waiting = await makeWaiting();
    await waiting.repeat();
    const [mail, ...more] = await mailTo(waiting);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ kind: "approval_needed", state: "pending", createdAt: deps.clock.now() });
    expect(mail?.subject).toContain("Approve €10.00 to Fresh Market?");
    expect(mail?.text).toContain("Grocer Bot");
    expect(mail?.text).toContain(`${deps.config.walletUrl}/wallet/approvals/${waiting.chargeId}`);
    expect(mail?.obsoleteAfter).toEqual(addSeconds(deps.clock.now(), 15 * 60));
    await waiting.approve();
    expect(await mailTo(waiting)).toHaveLength(1);
  });

  test("if the bank then requires authentication (3-D Secure), another mail is sent, and both mails link to the same page", async () => {
    bank.state.pay = async () => ({
      kind: "requires_action",
      processorRef: "r",
      actionUrl: "https://bank.example/3ds",
    });
    const waiting = await makeWaiting();
    await waiting.approve();
    await waiting.approve(node);
    const mails = await mailTo(waiting);
    expect(mails.map(({ kind }) => kind).sort()).toEqual(["approval_needed", "confirmation_needed"]);
    const page = `${deps.config.walletUrl}/wallet/approvals/${waiting.chargeId}`;
    for (const { text } of mails) expect(text).toContain(page);
    for (const { text } of mails) expect(text).not.toContain("bank.example");
  });

  test("is sent at most five times an hour for one mandate: later requests appear only in the wallet, and the audit log records this", async () => {
    const setup = await makeChargeableMandate(deps, { step_up_above: 1 });
    const ask = (on: TestDeps = deps) =>
      requestCharge(on, {
        merchantId: setup.merchant.id,
        clientId: setup.merchantClient.id,
        requestId: "r",
        idempotencyKey: newId("req"),
        request: { mandate_id: setup.mandateId, amount: 10, currency: "EUR", payer_presence: "in_session" },
      });
    await ask();
    deps.clock.advance(600);
    const created = await Promise.all(Array.from({ length: 9 }, (_, index) => ask(index % 2 ? node : deps)));
    expect(created.every(({ status }) => status === 202)).toBe(true);
    const mails = await mailTo(setup);
    expect(mails).toHaveLength(5);
    expect(mails.filter(({ text }) => text.includes("under Approvals"))).toHaveLength(1);
    expect(await listApprovals(deps, { payerId: setup.payer.id })).toHaveLength(10);
    const noted = await Promise.all(
      created.map(async ({ chargeId }) => (await searchAudit(deps, { subjectId: chargeId })).entries[0]?.data),
    );
    expect(noted.filter((data) => Reflect.get(Object(data), "mail") === "withheld")).toHaveLength(5);
    deps.clock.advance(3600 - 600 - 1);
    await ask();
    expect(await mailTo(setup)).toHaveLength(5);
    // After this second, the first of these mails is an hour old, and the others aren't.
    deps.clock.advance(1);
    await Promise.all([ask(), ask()]);
    expect(await mailTo(setup)).toHaveLength(6);
  });

  test("if the clock steps back an hour, the mails that were sent before don't count", async () => {
    const setup = await makeChargeableMandate(deps, { step_up_above: 1 });
    for (let count = 0; count < 6; count++) await setup.charge({ amount: 10 });
    expect(await mailTo(setup)).toHaveLength(5);
    await deps.db.prisma.$executeRaw`
      UPDATE mandate SET approval_mails_at = ARRAY(SELECT at + interval '1 hour' FROM unnest(approval_mails_at) AS at)
       WHERE id = ${setup.mandateId}`;
    await setup.charge({ amount: 10 });
    expect(await mailTo(setup)).toHaveLength(6);
  });

  test("no mail is sent if the charge needs no approval or if no charge was made", async () => {
    const setup = await makeChargeableMandate(deps, limits);
    await setup.charge({ amount: 500 });
    await refusalOf(setup.charge({ amount: 4_000 }));
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => setup.charge({ amount: 2_000 })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await mailTo(setup)).toHaveLength(1);
  });
});

describe("the payer approves (docs/spec/payments.md, Step-up)", () => {
  test("the charge is sent once and settled; an event and a repeat with the same key report the result", async () => {
    const waiting = await makeWaiting();
    expect(bank.state.calls).toBe(0);
    expect((await waiting.approve()).state).toBe("succeeded");
    expect(bank.state.calls).toBe(1);
    expect(await waiting.counters()).toMatchObject({ used: 1_000n, held: 0n, usedCount: 1n, heldCount: 0n });
    expect(await waiting.events()).toEqual(["charge.requires_action", "charge.succeeded"]);
    expect(await waiting.audit()).toEqual([
      "charge.requires_action by client",
      "charge.approved by payer",
      "charge.succeeded by payer",
    ]);
    const polled = await waiting.repeat();
    expect([polled.status, polled.isRepeat, bodyOf(polled)["status"]]).toEqual([201, true, "succeeded"]);
    expect(bodyOf(polled)).not.toHaveProperty("next_action");
  });

  test("with capture_method manual the charge is authorized, and the merchant captures it", async () => {
    const waiting = await makeWaiting({ capture_method: "manual" });
    expect((await waiting.approve()).state).toBe("authorized");
    expect(await waiting.counters()).toMatchObject({ used: 0n, held: 1_000n });
  });

  test("the state `submitted` is committed with a lease before anything is sent; while the payment is being sent, a repeat gets 409", async () => {
    const waiting = await makeWaiting();
    const { pay } = bank.state;
    let during: unknown[] = [];
    bank.state.pay = async (request) => {
      const { state, submittedAt, approvedAt } = await waiting.row();
      during = [state, submittedAt, approvedAt, (await refusalOf(waiting.repeat())).code];
      return pay(request);
    };
    await waiting.approve();
    expect(during).toEqual(["submitted", deps.clock.now(), deps.clock.now(), "idempotency_key_in_use"]);
  });

  test("if the processor declines, a repeat with the key gets 402, and nothing is held", async () => {
    const advice = { retryable: true, advice: "Later." };
    bank.state.pay = async () => ({
      kind: "declined",
      processorRef: "r",
      declineCode: "insufficient_funds",
      ...advice,
    });
    const waiting = await makeWaiting();
    expect((await waiting.approve()).decline).toMatchObject({ code: "card_declined" });
    expect(await waiting.counters()).toMatchObject({ used: 0n, held: 0n });
    expect(await waiting.events()).toEqual(["charge.requires_action", "charge.declined"]);
    expect((await waiting.repeat()).status).toBe(402);
  });

  test("if the processor accepts no connection, the charge is declined as not submitted, and repeats with the key get this answer", async () => {
    bank.state.pay = async () => ({ kind: "not_sent" });
    const waiting = await makeWaiting();
    expect((await waiting.approve()).decline).toMatchObject({ code: "not_submitted", retryable: true });
    expect(await waiting.counters()).toMatchObject({ used: 0n, held: 0n });
    const kept = await waiting.repeat();
    expect([kept.status, kept.isRepeat, bodyOf(kept)["charge_id"]]).toEqual([402, true, waiting.chargeId]);
  });

  test("if the processor also requires authentication (3-D Secure), the charge waits for the authentication after the approval", async () => {
    bank.state.pay = async () => ({
      kind: "requires_action",
      processorRef: "r",
      actionUrl: "https://bank.example/3ds",
    });
    const waiting = await makeWaiting();
    await waiting.approve();
    expect(bodyOf(await waiting.repeat())).toMatchObject({
      status: "requires_action",
      next_action: { type: "redirect", url: "https://bank.example/3ds" },
    });
    expect((await refusalOf(waiting.decline())).code).toBe("approval_approved");
    expect((await waiting.row()).state).toBe("requires_action");
    // The charge has been sent. The merchant may still void it at the processor.
    bank.state.void = async () => ({ kind: "refused", code: "not_voidable" });
    expect((await waiting.void()).status).toBe(402);
    bank.state.void = async () => ({ kind: "voided" });
    bank.state.lookup = async () => ({ kind: "voided", processorRef: "r" });
    expect(bodyOf(await waiting.void())["status"]).toBe("voided");
  });

  test("a second approval, even on another node, returns the charge in its current state", async () => {
    const waiting = await makeWaiting();
    await waiting.approve();
    expect((await waiting.approve(node)).state).toBe("succeeded");
    expect(bank.state.calls).toBe(1);
    expect(await waiting.audit()).toHaveLength(3);
  });

  test("an authentication older than 5 minutes is refused; a recent one is accepted", async () => {
    const waiting = await makeWaiting();
    const stale = { authTime: new Date(deps.clock.now().getTime() - 300_001), acr: "a" };
    const attempt = approveCharge(deps, { ...waiting.decision, proof: stale });
    expect(await refusalOf(attempt)).toMatchObject({ kind: "forbidden", code: "proof_too_old" });
    expect(await waiting.events()).toEqual(["charge.requires_action"]);
    expect((await waiting.approve()).state).toBe("succeeded");
  });

  test("if the process has no access to the processor, nothing is marked as sent, and the charge can be approved later", async () => {
    const { approve, chargeId } = await makeWaiting();
    relay = {
      get: (name) => {
        throw new UnconfiguredProcessor(name);
      },
    };
    expect((await refusalOf(approve())).code).toBe("processor_unavailable");
    expect(await deps.db.prisma.charge.findFirstOrThrow({ where: { id: chargeId } })).toMatchObject({
      state: "requires_action",
      approvedAt: null,
    });
    relay = bank.processors;
    expect((await approve()).state).toBe("succeeded");
  });

  test("another payer's charge, a charge without step-up and an unknown charge get the same answer", async () => {
    const [waiting, other] = [await makeWaiting(), await makeWaiting()];
    const plain = await waiting.charge({ amount: 500 });
    for (const chargeId of [other.chargeId, plain.chargeId, newId("chg")]) {
      const otherDecision = { ...waiting.decision, chargeId };
      const refusals = [await refusalOf(approveCharge(deps, { ...otherDecision, proof: proof() }))];
      refusals.push(await refusalOf(declineCharge(deps, otherDecision)));
      for (const refusal of refusals) expect(refusal).toMatchObject({ kind: "not_found", code: "charge_not_found" });
    }
    expect((await other.row()).state).toBe("requires_action");
  });

  test("while the mandate is paused, the charge can't be approved, but it still waits", async () => {
    const waiting = await makeWaiting();
    const act = {
      mandateId: waiting.mandateId,
      actor: { kind: "payer", id: waiting.payer.id },
      requestId: "r",
    } as const;
    await suspendMandate(deps, act);
    expect((await refusalOf(waiting.approve())).code).toBe("mandate_not_active");
    expect((await waiting.row()).state).toBe("requires_action");
    await resumeMandate(deps, act);
    expect((await waiting.approve()).state).toBe("succeeded");
  });

  test("the charge uses the payment method that was chosen at its creation, even if the mandate's method has changed; if the chosen method is removed, nothing is charged", async () => {
    const [waiting, late] = [await makeWaiting(), await makeWaiting()];
    for (const { payer, mandateId } of [waiting, late]) {
      const id = newId("pm");
      const card = { type: "card", label: "Mastercard ending in 4444", processorRef: "pm_card_mastercard" };
      const method = { id, payerId: payer.id, processor: "simulator", createdAt: deps.clock.now(), ...card };
      await deps.db.prisma.paymentMethod.create({ data: method });
      await deps.db.prisma.mandate.update({ where: { id: mandateId }, data: { paymentMethodId: id } });
    }
    await waiting.approve();
    expect([...bank.moved.values()].map(({ paymentMethodRef }) => paymentMethodRef)).toEqual(["pm_card_visa"]);
    const removed = { where: { id: late.payer.paymentMethodId }, data: { removedAt: deps.clock.now() } };
    await deps.db.prisma.paymentMethod.update(removed);
    expect(await refusalOf(late.approve())).toMatchObject({ kind: "conflict", code: "payment_method_removed" });
    expect([(await late.row()).state, bank.state.calls]).toEqual(["requires_action", 1]);
    expect((await late.decline()).state).toBe("declined");
  });

  test("while the merchant is suspended, the charge can't be approved (docs/spec/payments.md, Inactive merchants); it still waits, and can be declined", async () => {
    const waiting = await makeWaiting();
    const where = { id: waiting.merchant.id };
    await deps.db.prisma.merchant.update({ where, data: { suspendedAt: deps.clock.now() } });
    expect(await refusalOf(waiting.approve())).toMatchObject({ kind: "conflict", code: "merchant_suspended" });
    expect([(await waiting.row()).state, bank.state.calls]).toEqual(["requires_action", 0]);
    expect((await waiting.decline()).state).toBe("declined");
  });

  const blocks = [
    [
      "the merchant is suspended",
      "merchant_suspended",
      ({ merchant }: Setup) =>
        deps.db.prisma.merchant.update({ where: { id: merchant.id }, data: { suspendedAt: deps.clock.now() } }),
    ],
    [
      "the payment method is removed",
      "payment_method_removed",
      ({ payer }: Setup) =>
        deps.db.prisma.paymentMethod.update({
          where: { id: payer.paymentMethodId },
          data: { removedAt: deps.clock.now() },
        }),
    ],
  ] as const;
  test.each(blocks)(
    "if %s while the approval waits for the mandate's lock, nothing is charged",
    async (_, code, block) => {
      const waiting = await makeWaiting();
      const refused = await deps.db.sqlTransaction(async (sql) => {
        await lockMandate(sql, waiting.mandateId, { withGrant: false });
        const approving = refusalOf(waiting.approve(node));
        await expect.poll(() => countLockWaits(deps)).toBe(1);
        await block(waiting);
        return { approving };
      });
      expect((await refused.approving).code).toBe(code);
      expect([(await waiting.row()).state, bank.state.calls]).toEqual(["requires_action", 0]);
    },
  );

  test("the payer sees that a merchant without a processor account, a declined or a suspended one can't charge", async () => {
    const waiting = await makeWaiting();
    const isInactive = async (data: object) => {
      await deps.db.prisma.merchant.update({ where: { id: waiting.merchant.id }, data });
      return (await getApproval(deps, { payerId: waiting.payer.id, chargeId: waiting.chargeId })).isMerchantInactive;
    };
    expect(await isInactive({})).toBe(false);
    expect(await isInactive({ chargesEnabled: false })).toBe(true);
    expect(await isInactive({ chargesEnabled: true, review: "declined" })).toBe(true);
    expect(await isInactive({ review: "approved", suspendedAt: deps.clock.now() })).toBe(true);
    await waiting.decline();
  });

  test("an approval at the exact end of the mandate is too late", async () => {
    const validUntil = new Date(deps.clock.now().getTime() + 60_000);
    const waiting = await makeWaiting({}, { ...limits, valid_until: validUntil.toISOString() });
    deps.clock.set(validUntil);
    expect((await refusalOf(waiting.approve())).code).toBe("mandate_not_active");
    expect(bank.state.calls).toBe(0);
    await waiting.decline();
  });
});

describe("the payer declines", () => {
  test("the charge is declined with declined_by_payer, and its hold is released; a second decline is not an error", async () => {
    const waiting = await makeWaiting();
    expect((await waiting.decline()).decline).toMatchObject({ code: "declined_by_payer", retryable: false });
    await waiting.decline();
    expect(bank.state.calls).toBe(0);
    expect(await waiting.counters()).toMatchObject({ used: 0n, held: 0n, usedCount: 0n, heldCount: 0n });
    expect(await waiting.events()).toEqual(["charge.requires_action", "charge.declined"]);
    expect(await waiting.audit()).toEqual(["charge.requires_action by client", "charge.declined by payer"]);
    const kept = await waiting.repeat();
    expect([kept.status, kept.isRepeat]).toEqual([402, true]);
    expect(bodyOf(kept)).toMatchObject({
      code: "declined_by_payer",
      type: expect.stringMatching(/#declined_by_payer$/),
    });
    expect((await refusalOf(waiting.approve())).code).toBe("approval_declined");
  });
});

describe("the deadline of 15 minutes", () => {
  test("after the deadline, neither an approval nor a decline has an effect; the worker records the expiry", async () => {
    const waiting = await makeWaiting();
    deps.clock.advance(15 * 60);
    expect((await refusalOf(waiting.approve())).code).toBe("approval_expired");
    expect((await refusalOf(waiting.decline())).code).toBe("approval_expired");
    expect((await waiting.row()).state).toBe("requires_action");
    await reconcileDueCharges(deps, { limit: 1_000 });
    expect((await waiting.row()).state).toBe("expired");
    expect(await waiting.events()).toEqual(["charge.requires_action", "charge.expired"]);
    expect(await waiting.counters()).toMatchObject({ used: 0n, held: 0n });
    expect((await refusalOf(waiting.approve())).code).toBe("approval_expired");
    expect(bank.state.calls).toBe(0);
  });

  test("a millisecond before the deadline, the charge can be approved", async () => {
    const waiting = await makeWaiting();
    deps.clock.advance(15 * 60 - 0.001);
    expect((await waiting.approve()).state).toBe("succeeded");
  });
});

describe("the merchant voids a waiting charge", () => {
  test("the response is 200, and the hold is released immediately; a repeated void gets the same response, a repeated charge 402", async () => {
    const waiting = await makeWaiting();
    const voided = await waiting.void("v");
    expect([voided.status, bodyOf(voided)["status"], voided.isRepeat]).toEqual([200, "voided", false]);
    expect(await waiting.void("v")).toEqual({ ...voided, isRepeat: true });
    expect(await waiting.repeat()).toMatchObject({ status: 402, isRepeat: true });
    expect(await waiting.counters()).toMatchObject({ used: 0n, held: 0n });
    expect(await waiting.events()).toEqual(["charge.requires_action", "charge.voided"]);
    expect((await refusalOf(waiting.void("w"))).code).toBe("charge_not_authorized");
    expect((await refusalOf(waiting.approve())).code).toBe("approval_withdrawn");
    expect(bank.state.calls).toBe(0);
  });

  test("a revocation of the mandate voids the charge", async () => {
    const waiting = await makeWaiting();
    await waiting.revoke();
    expect((await refusalOf(waiting.approve())).code).toBe("approval_withdrawn");
    expect((await refusalOf(waiting.decline())).code).toBe("approval_withdrawn");
    expect(bank.state.calls).toBe(0);
  });
});

describe("concurrent decisions", () => {
  const faultsOf = (results: readonly PromiseSettledResult<unknown>[]) =>
    results.flatMap((result) =>
      result.status === "rejected" && !isDomainError(result.reason) ? [String(result.reason)] : [],
    );

  test("ten approvals from two nodes send the charge once, and each approval returns the approved charge", async () => {
    const waiting = await makeWaiting();
    const results = await Promise.all(Array.from({ length: 10 }, (_, n) => waiting.approve(n % 2 ? node : deps)));
    expect(results.map(({ approvedAt }) => approvedAt)).toEqual(results.map(() => deps.clock.now()));
    expect(bank.state.calls).toBe(1);
    expect(await waiting.counters()).toMatchObject({ used: 1_000n, held: 0n, usedCount: 1n });
    expect(await waiting.audit()).toHaveLength(3);
  });

  type Waiting = Awaited<ReturnType<typeof makeWaiting>>;
  const rivals: [string, (waiting: Waiting) => Promise<unknown>, string][] = [
    ["a revocation", (waiting) => waiting.revoke(), "voided"],
    ["the merchant's void", (waiting) => waiting.void("v", node), "voided"],
    ["the payer's own decline", (waiting) => waiting.decline(node), "declined"],
    ["the expiry", () => reconcileDueCharges(node, { limit: 100 }), "expired"],
  ];
  test.each(rivals)("either an approval or %s decides the charge, never both", async (_, rival, lost) => {
    for (let round = 0; round < 8; round += 1) {
      const waiting = await makeWaiting();
      if (lost === "expired") deps.clock.advance(15 * 60);
      // Close to the deadline: the clocks of the payer's node and the worker may differ.
      const payers = { ...deps, businessClock: businessClockOf({ now: () => addSeconds(deps.clock.now(), -0.001) }) };
      const acts = [() => waiting.approve(lost === "expired" ? payers : deps), () => rival(waiting)];
      if (round % 2) acts.reverse();
      const before = bank.state.calls;
      expect(faultsOf(await Promise.allSettled(acts.map((act) => act())))).toEqual([]);
      const { state } = await waiting.row();
      expect([state, bank.state.calls - before]).toEqual(state === "succeeded" ? [state, 1] : [lost, 0]);
      const counters = await waiting.counters();
      expect(counters).toMatchObject({ used: state === "succeeded" ? 1_000n : 0n, held: 0n, heldCount: 0n });
      expect(await waiting.events()).toEqual(["charge.requires_action", `charge.${state}`]);
    }
  });
});

describe("after a crash between the approval and the processor's answer", () => {
  class Died extends Error {}

  test("if the charge was sent, the reconciler looks the payment up, and the payment counts once", async () => {
    const waiting = await makeWaiting();
    const { pay } = bank.state;
    bank.state.pay = async (request) => {
      await pay(request);
      throw new Died();
    };
    await expect(waiting.approve()).rejects.toThrow(Died);
    expect((await waiting.row()).state).toBe("submitted");
    deps.clock.advance(13);
    await reconcileDueCharges(node, { limit: 1_000 });
    expect((await waiting.row()).state).toBe("succeeded");
    expect(bank.moved.size).toBe(1);
    expect((await waiting.approve()).state).toBe("succeeded");
    expect((await waiting.repeat()).status).toBe(201);
  });

  test("if the charge was never sent, it is declined and its hold is released once the request can no longer arrive", async () => {
    const waiting = await makeWaiting();
    bank.state.pay = async () => {
      throw new Died();
    };
    await expect(waiting.approve()).rejects.toThrow(Died);
    for (const seconds of [13, 20, 61]) {
      deps.clock.advance(seconds);
      await reconcileDueCharges(node, { limit: 1_000 });
    }
    expect((await waiting.row()).state).toBe("declined");
    expect(await waiting.counters()).toMatchObject({ used: 0n, held: 0n });
    expect((await waiting.approve()).decline).toMatchObject({ code: "not_submitted" });
  });
});
