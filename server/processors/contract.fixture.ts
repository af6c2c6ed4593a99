import { expect, test } from "vitest";
import type { PaymentRequest, Processor } from "../deps/processor-port.ts";

type ContractFault = "timeout_before_accept" | "timeout_after_accept" | "error_once";

/** One processor and its adapter, under test. */
export type Subject = {
  /** @param totalMs how long a call may take */
  processor(totalMs?: number): Processor;
  /** A payer keeps a method of that behaviour with us. @returns how we name it. */
  keep(card: string): string;
  /** nothing listens there */
  unreachable(): Processor;
  /** its key isn't known */
  unknownKey(): Processor;
  /** the next call that moves money meets it */
  plan(fault: ContractFault): Promise<void> | void;
  /** a bank asks for the charge's payment back. @returns the dispute's id there */
  dispute(account: string, chargeId: string, amount: number): Promise<string> | string;
  closeDispute(account: string, id: string, status: "won" | "lost"): Promise<void> | void;
  /** what really moved, by the processor's own books, in our minor units */
  moved(account: string): Promise<{ captured: number; refunded: number; released: boolean }[]>;
};

let count = 0;

/** What every adapter has to keep, whichever processor is behind it (docs/spec/payments.md, Processors). */
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
      asked: { ...request, reference: outcome.processorRef },
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

  test("contract: authentication is asked of a payer in session, and declined without one", async () => {
    const paymentMethodRef = "pm_card_authenticationRequired";
    const asked = await subject().processor().pay(paymentOf({ paymentMethodRef }));
    expect(asked).toMatchObject({ kind: "requires_action", actionUrl: expect.stringMatching(/^https?:\/\//) });
    const absent = await subject()
      .processor()
      .pay(paymentOf({ paymentMethodRef, payerPresence: "off_session" }));
    expect(absent).toMatchObject({ kind: "declined", declineCode: "authentication_required", retryable: true });
  });

  test("contract: the same request moves money once, and tells the same; another under its key moves nothing", async () => {
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

  test("contract: after a time-out nobody can tell, until the same request or a look-up does; once is moved", async () => {
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

  test("contract: one error is repeated under the same key", async () => {
    const request = paymentOf();
    await subject().plan("error_once");
    expect(await subject().processor().pay(request)).toMatchObject({ kind: "succeeded" });
    expect(await subject().moved(request.account)).toHaveLength(1);
  });

  test("contract: what reaches nobody, or is turned away at the door, was not sent", async () => {
    expect(await subject().unreachable().pay(paymentOf())).toEqual({ kind: "not_sent" });
    expect(await subject().unknownKey().pay(paymentOf())).toEqual({ kind: "not_sent" });
    const lookup = { ...paymentOf(), reference: null };
    expect(await subject().unreachable().lookup(lookup)).toEqual({ kind: "unknown" });
  });

  test("contract: accounts see their own payments alone", async () => {
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

  test("contract: what is authorized is captured once, in part, and the rest is released", async () => {
    const payment = await authorize();
    const capture = (key: string, amountMinor: bigint) =>
      subject()
        .processor()
        .capture({ ...payment, key, amountMinor });
    expect(await capture(`${payment.reference}:0`, 1_001n)).toMatchObject({ kind: "refused" });
    expect(await capture(`${payment.reference}:1`, 600n)).toEqual({ kind: "captured" });
    expect(await capture(`${payment.reference}:1`, 600n)).toEqual({ kind: "captured" });
    expect(await capture(`${payment.reference}:2`, 400n)).toMatchObject({ kind: "refused" });
    expect(await subject().processor().lookup(payment.asked)).toEqual({
      kind: "captured",
      processorRef: payment.reference,
      amountMinor: 600n,
    });
    expect(await subject().moved(payment.account)).toEqual([{ captured: 600, refunded: 0, released: false }]);
  });

  test("contract: what is authorized is voided, and not captured after", async () => {
    const payment = await authorize();
    const voided = (key: string) =>
      subject()
        .processor()
        .void({ ...payment, key });
    expect(await voided(`${payment.reference}:v`)).toEqual({ kind: "voided" });
    expect(await voided(`${payment.reference}:v`)).toEqual({ kind: "voided" });
    expect(await voided(`${payment.reference}:w`)).toEqual({ kind: "voided" });
    expect(await subject().processor().lookup(payment.asked)).toEqual({
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

  test("contract: refunds together never exceed what was captured, and one key refunds once", async () => {
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

  test("contract: a dispute tells its payment, charge, amount and end, to its own account alone", async () => {
    for (const end of ["won", "lost"] as const) {
      const request = paymentOf();
      const { account, chargeId } = request;
      const paid = await subject().processor().pay(request);
      const disputeRef = await subject().dispute(account, chargeId, 700);
      const find = (own: string) => subject().processor().findDispute({ account: own, disputeRef });
      const payment = { reference: "processorRef" in paid ? paid.processorRef : "", chargeId };
      const told = {
        kind: "dispute",
        disputeRef,
        ...payment,
        amountMinor: 700n,
        currency: "EUR",
        reason: "fraudulent",
      };
      expect(await find(account)).toEqual({ ...told, status: "open" });
      await subject().closeDispute(account, disputeRef, end);
      expect(await find(account)).toEqual({ ...told, status: end });
      expect(await find("acct_other")).toEqual({ kind: "not_found" });
      expect(await subject().unreachable().findDispute({ account, disputeRef })).toEqual({ kind: "unknown" });
    }
  });
};
