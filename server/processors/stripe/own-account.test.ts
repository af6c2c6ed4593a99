import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startStripeStandIn } from "./stand-in.fixture.ts";
import { createStripeProcessor } from "./stripe-processor.ts";

const secretKey = "sk_test_standin";
let standIn: Awaited<ReturnType<typeof startStripeStandIn>>;
beforeAll(async () => {
  standIn = await startStripeStandIn(secretKey);
});
afterAll(() => standIn.close());

const ownAccount = (change: { totalMs?: number; apiUrl?: string } = {}) => {
  const processor = createStripeProcessor({
    secretKey,
    webhookSecret: "whsec_standin",
    returnUrl: "https://wallet.test/wallet",
    apiUrl: standIn.url,
    connectMs: 10_000,
    totalMs: 20_000,
    ...change,
  });
  if (!processor.ownAccount) throw new Error("no account of our own");
  return processor.ownAccount;
};
const payment = (key: string, paymentMethodRef = standIn.keep("pm_card_visa")) => ({
  key: `bpay_${key}`,
  paymentMethodRef,
  amountMinor: 5831n,
  currency: "EUR",
});
const find = (request: ReturnType<typeof payment>, reference: string | null = null) =>
  ownAccount().lookup({ ...request, reference });
const intentsOf = ({ key }: { key: string }) =>
  [...standIn.intents.values()].filter(({ metadata }) => metadata["payment_id"] === key);

describe("merchants' payments of invoices, on our own Stripe account (docs/spec/billing.md, Collection)", () => {
  test("charges the stored card once per key, without a clone and without another account", async () => {
    const request = payment("paid");
    const paid = await ownAccount().pay(request);
    expect(paid.kind).toBe("succeeded");
    expect(await ownAccount().pay(request)).toEqual(paid);
    const [customer, payment_method] = request.paymentMethodRef.split("/");
    expect(intentsOf(request)).toMatchObject([
      { account: "", customer, payment_method, amount: 5831, amount_received: 5831, currency: "eur" },
    ]);
    expect(standIn.clonesOf("")).toEqual([]);
  });

  test.each([
    ["pm_card_visa_chargeDeclinedInsufficientFunds", "insufficient_funds", true],
    ["pm_card_visa_chargeDeclinedLostCard", "lost_card", false],
    ["pm_card_authenticationRequired", "authentication_required", true],
  ] as const)("%s is declined with %s, and a look-up returns the same", async (card, declineCode, retryable) => {
    const request = payment(declineCode, standIn.keep(card));
    const declined = await ownAccount().pay(request);
    expect(declined).toMatchObject({ kind: "declined", declineCode, retryable });
    expect(await find(request)).toEqual(declined);
  });

  test("after a lost answer, the outcome is unknown, and a look-up finds the payment by its key, without a delay", async () => {
    const request = payment("lost");
    standIn.plan("timeout_after_accept");
    expect(await ownAccount({ totalMs: 2_000 }).pay(request)).toEqual({ kind: "unknown" });
    const found = await find(request);
    const [intent] = intentsOf(request);
    expect(found).toEqual({ kind: "succeeded", processorRef: intent?.id });
    expect(await find(request, intent?.id)).toEqual(found);
  });

  test("a payment that never arrived isn't found, although the card has other payments", async () => {
    const { paymentMethodRef } = payment("any");
    await ownAccount().pay(payment("before", paymentMethodRef));
    expect(await find(payment("never", paymentMethodRef))).toEqual({ kind: "not_found" });
  });

  test("the outcome is unknown if the payment isn't among the newest hundred payments of its card", async () => {
    const { paymentMethodRef } = payment("any");
    const wanted = payment("beyond", paymentMethodRef);
    await ownAccount().pay(wanted);
    const [intent] = intentsOf(wanted);
    if (!intent) throw new Error("no payment");
    for (let n = 0; n < 100; n++) standIn.intents.set(`pi_more${n}`, { ...intent, id: `pi_more${n}`, metadata: {} });
    expect(await find(wanted)).toEqual({ kind: "unknown" });
  });

  test("a refused look-up proves nothing: the key may belong to another Stripe account", async () => {
    const elsewhere = payment("elsewhere", "cus_elsewhere/pm_elsewhere");
    expect(await find(elsewhere)).toEqual({ kind: "unknown" });
    expect(await find(elsewhere, "pi_elsewhere")).toEqual({ kind: "unknown" });
    expect(await ownAccount({ apiUrl: "http://127.0.0.1:9" }).lookup({ ...elsewhere, reference: null })).toEqual({
      kind: "unknown",
    });
  });

  test("a payment of another amount settles nothing", async () => {
    const request = payment("changed");
    await ownAccount().pay(request);
    const [intent] = intentsOf(request);
    Object.assign(intent ?? {}, { amount: 5832 });
    expect(await find(request)).toEqual({ kind: "mismatch", processorRef: intent?.id, amountMinor: 5832n });
  });

  test("nothing is sent if Stripe can't be reached, and another customer's card is declined", async () => {
    expect(await ownAccount({ apiUrl: "http://127.0.0.1:9" }).pay(payment("away"))).toEqual({ kind: "not_sent" });
    const [, method] = standIn.keep("pm_card_visa").split("/");
    for (const ref of ["pm_card_visa", `cus_other/${method}`]) {
      const refused = { kind: "declined", declineCode: "invalid_request", retryable: false };
      expect(await ownAccount().pay(payment(`wrong${ref}`, ref))).toMatchObject(refused);
    }
  });

  test("reads no other object of our account", async () => {
    for (const reference of ["../customers/cus_1", "pi_1/cancel"]) {
      expect(await find(payment("other"), reference)).toEqual({ kind: "unknown" });
    }
  });
});
