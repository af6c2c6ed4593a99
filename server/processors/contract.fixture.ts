import { expect, test } from "vitest";
import type { PaymentRequest, Processor } from "../deps/processor-port.ts";

type ContractFault = "timeout_before_accept" | "timeout_after_accept" | "error_once";

/** The tested processor and its adapter. */
export type Subject = {
  /** @param totalMs how long a call may take */
  processor(totalMs?: number): Processor;
  /** Stores a payment method that behaves like the test method `card`. @returns our reference to it. */
  keep(card: string): string;
  /** a processor whose address refuses connections */
  unreachable(): Processor;
  /** an adapter with an unknown API key */
  unknownKey(): Processor;
  /** applies to the next call that moves money */
  plan(fault: ContractFault): Promise<void> | void;
  /** opens a dispute about the charge's payment. @returns the dispute's id at the processor */
  dispute(account: string, chargeId: string, amount: number): Promise<string> | string;
  closeDispute(account: string, id: string, status: "won" | "lost"): Promise<void> | void;
  /** the moved money according to the processor's own records, in our minor units */
  moved(account: string): Promise<{ captured: number; refunded: number; released: boolean }[]>;
};

let count = 0;

/** The contract that every adapter fulfils (docs/spec/payments.md, Processors). */
export const testProcessorContract = (subject: () => Subject): void => {
  const paymentOf = ({
    paymentMethodRef = "pm_card_visa",
    ...change
  }: Partial<PaymentRequest> = {}): PaymentRequest => {
    count += 1;
    return {
      key: `contract:${count}`,
      chargeId: `chg_contract${count}`,
      account: `acct_contract${count}`,
      paymentMethodRef: subject().keep(paymentMethodRef),
      amountMinor: 1_000n,
      currency: "EUR",
      capture: "automatic",
      payerPresence: "in_session",
      simulate: null,
      ...change,
    };
  };

  const authorize = async () => {
    const request = paymentOf({ capture: "manual" });
    const outcome = await subject().processor().pay(request);
    if (outcome.kind !== "authorized") throw new Error(outcome.kind);
    return {
      account: request.account,
      reference: outcome.processorRef,
      currency: "EUR",
      amountMinor: 1_000n,
      lookup: { ...request, reference: outcome.processorRef },
    };
  };

  test.each([
    ["pm_card_chargeDeclined", "generic_decline"],
    ["pm_card_chargeDeclinedInsufficientFunds", "insufficient_funds"],
    ["pm_card_visa_chargeDeclinedLostCard", "lost_card"],
    ["pm_card_chargeDeclinedExpiredCard", "expired_card"],
  ])("contract: %s is declined with %s, and nothing moves", async (paymentMethodRef, declineCode) => {
    const request = paymentOf({ paymentMethodRef });
    const outcome = await subject().processor().pay(request);
    expect(outcome).toMatchObject({ kind: "declined", declineCode, advice: expect.any(String) });
    expect((await subject().moved(request.account)).filter(({ captured }) => captured > 0)).toEqual([]);
  });

  test("contract: requests authentication from a payer in session, and declines without one", async () => {
    const paymentMethodRef = "pm_card_authenticationRequired";
    const required = await subject().processor().pay(paymentOf({ paymentMethodRef }));
    expect(required).toMatchObject({ kind: "requires_action", actionUrl: expect.stringMatching(/^https?:\/\//) });
    const absent = await subject()
      .processor()
      .pay(paymentOf({ paymentMethodRef, payerPresence: "off_session" }));
    expect(absent).toMatchObject({ kind: "declined", declineCode: "authentication_required", retryable: true });
  });

  test("contract: a repeated request gets the same answer and moves money once; a different request with its key moves nothing", async () => {
    const request = paymentOf();
    const first = await subject().processor().pay(request);
    const again = await Promise.all(Array.from({ length: 10 }, () => subject().processor().pay(request)));
    expect(first.kind).toBe("succeeded");
    expect(again).toEqual(again.map(() => first));
    expect(
      await subject()
        .processor()
        .pay({ ...request, amountMinor: 2_000n }),
    ).toEqual({ kind: "unknown" });
    expect(await subject().moved(request.account)).toEqual([{ captured: 1_000, refunded: 0, released: false }]);
  });

  test("contract: after a time-out, the outcome is unknown until the call is repeated or looked up; money moves once", async () => {
    for (const fault of ["timeout_before_accept", "timeout_after_accept"] as const) {
      const request = paymentOf();
      await subject().plan(fault);
      expect(await subject().processor(2_000).pay(request)).toEqual({ kind: "unknown" });
      const found = await subject()
        .processor()
        .lookup({ ...request, reference: null });
      expect(found.kind).toBe(fault === "timeout_after_accept" ? "succeeded" : "not_found");
      expect((await subject().processor().pay(request)).kind).toBe("succeeded");
      expect(await subject().moved(request.account)).toHaveLength(1);
    }
  });

  test("contract: after an error, a call is repeated once under the same key", async () => {
    const request = paymentOf();
    await subject().plan("error_once");
    expect(await subject().processor().pay(request)).toMatchObject({ kind: "succeeded" });
    expect(await subject().moved(request.account)).toHaveLength(1);
  });

  test("contract: if the connection or the API key is refused, the outcome is not_sent", async () => {
    expect(await subject().unreachable().pay(paymentOf())).toEqual({ kind: "not_sent" });
    expect(await subject().unknownKey().pay(paymentOf())).toEqual({ kind: "not_sent" });
    const lookup = { ...paymentOf(), reference: null };
    expect(await subject().unreachable().lookup(lookup)).toEqual({ kind: "unknown" });
  });

  test("contract: an account sees only its own payments", async () => {
    const request = paymentOf();
    const paid = await subject().processor().pay(request);
    const reference = "processorRef" in paid ? paid.processorRef : null;
    const lookUpAs = (account: string) =>
      subject()
        .processor()
        .lookup({ ...request, account, reference });
    expect(await lookUpAs(request.account)).toEqual(paid);
    expect(await lookUpAs("acct_other")).toEqual({ kind: "not_found" });
  });

  test("contract: captures an authorized payment once, in part, and releases the rest", async () => {
    const payment = await authorize();
    const capture = (key: string, amountMinor: bigint) =>
      subject()
        .processor()
        .capture({ ...payment, key, amountMinor });
    expect(await capture(`${payment.reference}:0`, 1_001n)).toMatchObject({ kind: "refused" });
    expect(await capture(`${payment.reference}:1`, 600n)).toEqual({ kind: "captured" });
    expect(await capture(`${payment.reference}:1`, 600n)).toEqual({ kind: "captured" });
    expect(await capture(`${payment.reference}:2`, 400n)).toMatchObject({ kind: "refused" });
    expect(await subject().processor().lookup(payment.lookup)).toEqual({
      kind: "captured",
      processorRef: payment.reference,
      amountMinor: 600n,
    });
    expect(await subject().moved(payment.account)).toEqual([{ captured: 600, refunded: 0, released: false }]);
  });

  test("contract: voids an authorized payment, and doesn't capture it afterwards", async () => {
    const payment = await authorize();
    const voided = (key: string) =>
      subject()
        .processor()
        .void({ ...payment, key });
    expect(await voided(`${payment.reference}:v`)).toEqual({ kind: "voided" });
    expect(await voided(`${payment.reference}:v`)).toEqual({ kind: "voided" });
    expect(await voided(`${payment.reference}:w`)).toEqual({ kind: "voided" });
    expect(await subject().processor().lookup(payment.lookup)).toEqual({
      kind: "voided",
      processorRef: payment.reference,
    });
    expect(
      await subject()
        .processor()
        .capture({ ...payment, key: `${payment.reference}:c` }),
    ).toMatchObject({
      kind: "refused",
    });
    expect(await subject().moved(payment.account)).toEqual([{ captured: 0, refunded: 0, released: true }]);
  });

  test("contract: refunds never exceed the captured amount, and one key refunds once", async () => {
    const request = paymentOf();
    const paid = await subject().processor().pay(request);
    const reference = "processorRef" in paid ? (paid.processorRef ?? "") : "";
    const { account } = request;
    const refund = (key: string, amountMinor: bigint) =>
      subject().processor().refund({
        account,
        currency: "EUR",
        reference,
        key,
        amountMinor,
        chargeId: request.chargeId,
        refundId: key,
      });
    const first = await refund(`${request.key}:a`, 700n);
    expect(first).toMatchObject({ kind: "succeeded" });
    expect(await refund(`${request.key}:a`, 700n)).toEqual(first);
    expect(await refund(`${request.key}:b`, 301n)).toMatchObject({ kind: "refused" });
    expect(await refund(`${request.key}:c`, 300n)).toMatchObject({ kind: "succeeded" });
    const refundRef = "refundRef" in first ? first.refundRef : "";
    const find = (key: string, own: string, ref: string | null) =>
      subject().processor().findRefund({ account: own, reference, key, refundId: key, refundRef: ref });
    expect(await find(`${request.key}:a`, account, refundRef)).toEqual(first);
    expect(await find(`${request.key}:a`, account, null)).toEqual(first);
    expect(await find(`${request.key}:b`, account, null)).toEqual({ kind: "not_found" });
    expect(await find(`${request.key}:a`, "acct_other", refundRef)).toEqual({ kind: "not_found" });
    expect(await subject().moved(account)).toEqual([{ captured: 1_000, refunded: 1_000, released: false }]);
  });

  test("contract: a refund may fail or be pending", async () => {
    for (const [paymentMethodRef, kind] of [
      ["pm_card_refundFail", "failed"],
      ["pm_card_pendingRefund", "pending"],
    ] as const) {
      const request = paymentOf({ paymentMethodRef });
      const paid = await subject().processor().pay(request);
      const reference = "processorRef" in paid ? (paid.processorRef ?? "") : "";
      const money = { account: request.account, currency: "EUR", reference, amountMinor: 5n };
      const wanted = { ...money, key: `${request.key}:r`, chargeId: request.chargeId, refundId: "rfd_1" };
      expect((await subject().processor().refund(wanted)).kind).toBe(kind);
    }
  });

  test("contract: a dispute names its payment, charge, amount and result, and is found only by its own account", async () => {
    for (const end of ["won", "lost"] as const) {
      const request = paymentOf();
      const { account, chargeId } = request;
      const paid = await subject().processor().pay(request);
      const disputeRef = await subject().dispute(account, chargeId, 700);
      const find = (own: string) => subject().processor().findDispute({ account: own, disputeRef });
      const payment = { reference: "processorRef" in paid ? paid.processorRef : "", chargeId };
      const dispute = {
        kind: "dispute",
        disputeRef,
        ...payment,
        amountMinor: 700n,
        currency: "EUR",
        reason: "fraudulent",
        evidenceDueAt: expect.any(Date),
      };
      expect(await find(account)).toEqual({ ...dispute, status: "open" });
      await subject().closeDispute(account, disputeRef, end);
      expect(await find(account)).toEqual({ ...dispute, status: end });
      expect(await find("acct_other")).toEqual({ kind: "not_found" });
      expect(await subject().unreachable().findDispute({ account, disputeRef })).toEqual({ kind: "unknown" });
    }
  });
};
