import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currencies, currencyExponent } from "../../kernel/money/money.ts";
import { testProcessorContract } from "../contract.fixture.ts";
import { startStripeStandIn } from "./stand-in.fixture.ts";
import { createStripeProcessor } from "./stripe-processor.ts";
import { fromStripeUnits, stripeAmountSteps, stripeCurrencies, toStripeUnits } from "./units.ts";

const secretKey = "sk_test_standin";
const webhookSecret = "whsec_standin";
let standIn: Awaited<ReturnType<typeof startStripeStandIn>>;
beforeAll(async () => {
  standIn = await startStripeStandIn(secretKey);
});
afterAll(() => standIn.close());

const processor = (change: { totalMs?: number; apiUrl?: string; secretKey?: string } = {}) =>
  createStripeProcessor({
    secretKey,
    webhookSecret,
    returnUrl: "https://wallet.test/wallet",
    apiUrl: standIn.url,
    connectMs: 10_000,
    totalMs: 20_000,
    ...change,
  });

describe("the Stripe adapter, against a stand-in that behaves as Stripe documents it", () => {
  testProcessorContract(() => ({
    processor: (totalMs = 20_000) => processor({ totalMs }),
    unreachable: () => processor({ apiUrl: "http://127.0.0.1:9" }),
    unknownKey: () => processor({ secretKey: "sk_test_other" }),
    keep: (card) => standIn.keep(card),
    plan: (fault) => standIn.plan(fault),
    dispute: (account, chargeId, amount) => standIn.dispute(account, chargeId, amount),
    closeDispute: (_account, id, status) => standIn.setDispute(id, status),
    moved: async (account) =>
      [...standIn.intents.values()]
        .filter((intent) => intent.account === account)
        .map((intent) => ({
          captured: intent.amount_received,
          refunded: intent.amount_refunded,
          released: intent.status === "canceled",
        })),
  }));

  test("sends the SDK's API version, and no telemetry", () => {
    expect(standIn.telemetry).toEqual([]);
    expect([...standIn.versions]).toEqual([Stripe.API_VERSION]);
  });

  const payment = (key: string, account = "acct_own") => ({
    key,
    chargeId: `chg_${key}`,
    account,
    paymentMethodRef: "pm_card_visa",
    amountMinor: 700n,
    currency: "EUR",
    ...({ capture: "automatic", payerPresence: "in_session", simulate: null } as const),
  });

  test("a call that the rate limit refuses is not_sent; if only its repetition is refused, the outcome is unknown", async () => {
    standIn.plan("limited");
    expect(await processor().pay(payment("limited"))).toEqual({ kind: "not_sent" });
    standIn.plan("error_once");
    standIn.plan("limited");
    expect(await processor().pay(payment("doubtful"))).toEqual({ kind: "unknown" });
  });

  test.each([
    [49n, "amount_too_small"],
    [100_000_000n, "amount_too_large"],
  ] as const)(
    "an amount of %s, which Stripe never accepts, is declined with %s, and the advice names the processor's limits",
    async (amountMinor, declineCode) => {
      const request = { ...payment(declineCode), amountMinor };
      const refused = { kind: "declined", processorRef: null, declineCode, retryable: false };
      expect(await processor().pay(request)).toMatchObject({
        ...refused,
        advice: expect.stringContaining("the processor's"),
      });
    },
  );

  test("sends nothing without the merchant's account: the platform's account must never hold merchants' money", async () => {
    const before = standIn.intents.size;
    for (const account of ["", "mch_1"]) {
      expect(await processor().pay(payment(`none${account}`, account))).toEqual({ kind: "not_sent" });
    }
    expect(standIn.intents.size).toBe(before);
  });

  test("a payment with our metadata but another amount or currency is a mismatch; our own payment is preferred", async () => {
    const request = payment("changed");
    const paid = await processor().pay(request);
    const reference = "processorRef" in paid ? (paid.processorRef ?? "") : "";
    const intent = standIn.intents.get(reference);
    if (!intent) throw new Error("no payment");
    const lookUp = (by: string | null) => processor().lookup({ ...request, reference: by });
    standIn.intents.delete(reference);
    for (const [id, change, amountMinor] of [
      ["pi_more", { amount: 701 }, 701n],
      ["pi_dollars", { currency: "usd" }, null],
    ] as const) {
      standIn.intents.set(id, { ...intent, id, ...change });
      expect(await lookUp(id)).toEqual({ kind: "mismatch", processorRef: id, amountMinor });
    }
    expect(await lookUp(null)).toEqual({ kind: "mismatch", processorRef: "pi_more", amountMinor: 701n });
    standIn.intents.set(reference, intent);
    expect(await lookUp(null)).toEqual(paid);
  });

  test("finds a payment without its metadata by id, and not by search", async () => {
    const request = payment("unmarked");
    const paid = await processor().pay(request);
    const reference = "processorRef" in paid ? (paid.processorRef ?? "") : "";
    Object.assign(standIn.intents.get(reference) ?? {}, { metadata: {} });
    expect(await processor().lookup({ ...request, reference })).toEqual(paid);
    expect(await processor().lookup({ ...request, reference: null })).toEqual({ kind: "not_found" });
  });

  describe("a payer's method, stored on the platform's account (Stripe Connect, direct charges)", () => {
    const paidBy = (paymentMethodRef: string, name: string, account = "acct_own") => ({
      ...payment(name, account),
      paymentMethodRef,
    });
    const intentsOf = (chargeId: string) =>
      [...standIn.intents.values()].filter(({ metadata }) => metadata["charge_id"] === chargeId);

    test("is cloned to the merchant's account once per charge, even if the request is repeated", async () => {
      const card = standIn.keep("pm_card_visa");
      for (const [name, account] of [
        ["first", "acct_cloned"],
        ["second", "acct_cloned"],
        ["third", "acct_other_clone"],
      ] as const) {
        const request = paidBy(card, name, account);
        const paid = await processor().pay(request);
        expect(paid.kind).toBe("succeeded");
        expect(await processor().pay(request)).toEqual(paid);
        expect(intentsOf(request.chargeId)).toHaveLength(1);
      }
      expect(standIn.clonesOf("acct_cloned").map(({ isUsed }) => isUsed)).toEqual([true, true]);
      expect(standIn.clonesOf("acct_other_clone")).toHaveLength(1);
    });

    test("can't pay the merchant without a clone, with another customer's id, or after its removal", async () => {
      const [customer = "", method = ""] = standIn.keep("pm_card_visa").split("/");
      for (const ref of [method, `cus_other/${method}`, `${customer}/pm_gone`]) {
        const request = paidBy(ref, `refused${ref}`);
        const declined = { kind: "declined", declineCode: "invalid_request", processorRef: null };
        expect(await processor().pay(request)).toMatchObject(declined);
        expect(intentsOf(request.chargeId)).toEqual([]);
      }
    });

    test.each(["timeout_before_accept", "timeout_after_accept", "limited"] as const)(
      "isn't charged if it can't be cloned (%s); when the request is repeated, it is cloned and pays once",
      // Measured in real time. Other load on the machine may delay one measurement, but is unlikely to delay all three.
      { retry: 2 },
      async (fault) => {
        const request = paidBy(standIn.keep("pm_card_visa"), fault, `acct_${fault.replaceAll("_", "")}`);
        standIn.planClone(fault);
        const startedAt = performance.now();
        expect(await processor({ totalMs: 4_000 }).pay(request)).toEqual({ kind: "not_sent" });
        // Both calls share one deadline.
        expect(performance.now() - startedAt).toBeLessThan(7_900);
        expect(intentsOf(request.chargeId)).toEqual([]);
        expect((await processor().pay(request)).kind).toBe("succeeded");
        expect([intentsOf(request.chargeId).length, standIn.clonesOf(request.account).length]).toEqual([1, 1]);
      },
    );
  });

  describe("Stripe's page on which a payer enters a card (Stripe Checkout, setup mode)", () => {
    const setups = (change: Parameters<typeof processor>[0] = {}) => {
      const { cardSetups } = processor(change);
      if (!cardSetups) throw new Error("takes no cards");
      return cardSetups;
    };
    const setupRequest = (key: string) => ({
      key,
      doneUrl: `https://wallet.test/wallet/payment-methods?card=${key}`,
      leaveUrl: "https://wallet.test/wallet/payment-methods",
      expiresAt: new Date(Date.now() + 3_600_000),
    });
    const begin = async (key: string) => {
      const begun = await setups().begin(setupRequest(key));
      if (begun.kind !== "begun") throw new Error(begun.kind);
      return begun;
    };

    test("is open until the card is entered; the card's label has its brand and last four digits, and it can pay any merchant", async () => {
      const { setupRef, pageUrl } = await begin("cst_given");
      expect(pageUrl).toBe(`https://checkout.stripe.com/c/pay/${setupRef}`);
      expect(standIn.sessions.get(setupRef)).toMatchObject({
        success_url: "https://wallet.test/wallet/payment-methods?card=cst_given",
        cancel_url: "https://wallet.test/wallet/payment-methods",
      });
      expect(await setups().find({ setupRef })).toEqual({ kind: "open" });
      standIn.giveCard(setupRef, "pm_card_amex");
      const added = await setups().find({ setupRef });
      expect(added).toMatchObject({ kind: "added", type: "card", label: "American Express ending in 8431" });
      const ref = added.kind === "added" ? added.processorRef : "";
      expect((await processor().pay({ ...payment("given", "acct_given"), paymentMethodRef: ref })).kind).toBe(
        "succeeded",
      );
    });

    test("a repeat with the same key returns the same page and customer", async () => {
      const before = standIn.customers.size;
      const request = setupRequest("cst_twice");
      const [first, second] = [await setups().begin(request), await setups().begin(request)];
      expect(second).toEqual(first);
      expect(standIn.customers.size).toBe(before + 1);
    });

    test("an expired and an unknown session add nothing", async () => {
      const { setupRef } = await begin("cst_over");
      standIn.expireSession(setupRef);
      for (const ref of [setupRef, "cs_test_nowhere"]) {
        expect(await setups().find({ setupRef: ref })).toEqual({ kind: "ended" });
      }
    });

    test("without an answer, the outcome is unknown, or not_sent if the request can't have arrived", async () => {
      const { setupRef } = await begin("cst_unknown");
      const away = setups({ apiUrl: "http://127.0.0.1:9" });
      expect(await away.find({ setupRef })).toEqual({ kind: "unknown" });
      expect(await away.begin(setupRequest("cst_away"))).toEqual({ kind: "not_sent" });
      standIn.plan("timeout_after_accept");
      expect((await setups({ totalMs: 2_000 }).begin(setupRequest("cst_lost"))).kind).toBe("unknown");
    });

    test("makes no other call on the platform's own account", async () => {
      for (const setupRef of ["../../payment_intents/pi_1", "cs_1/expire"]) {
        expect(await setups().find({ setupRef })).toEqual({ kind: "unknown" });
      }
    });
  });

  test("declares that it can't look up by our key", () => {
    expect(processor().capabilities).toMatchObject({
      lookupByKey: false,
      separateCapture: true,
      webhooks: true,
      lateRefundFailures: true,
    });
  });

  const { webhooks } = new Stripe(secretKey, { telemetry: false });
  const event = (change: object = {}) =>
    JSON.stringify({
      id: "evt_1",
      object: "event",
      type: "payment_intent.succeeded",
      account: "acct_1",
      data: { object: { id: "pi_1", object: "payment_intent", metadata: { charge_id: "chg_1" } } },
      ...change,
    });
  const now = new Date("2026-11-21T10:00:00Z");
  const sign = (payload: string, secret = webhookSecret, at = now) =>
    webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at.getTime() / 1000) });
  const read = (body: string, header: string | null) => processor().readEvent({ body, header: () => header, now });

  test("a signed event names the payment, its account and its charge", () => {
    expect(read(event(), sign(event()))).toEqual({
      id: "evt_1",
      type: "payment_intent.succeeded",
      about: "payment",
      account: "acct_1",
      reference: "pi_1",
      chargeId: "chg_1",
    });
  });

  test.each<[string, object, "payment" | "refund"]>([
    ["payment_intent.canceled", { object: "payment_intent", id: "pi_1" }, "payment"],
    ["charge.captured", { object: "charge", id: "ch_1", payment_intent: "pi_1" }, "payment"],
    ["charge.refunded", { object: "charge", id: "ch_1", payment_intent: "pi_1" }, "refund"],
    ["charge.refund.updated", { object: "refund", id: "re_1", payment_intent: "pi_1" }, "refund"],
    ["refund.updated", { object: "refund", id: "re_1", payment_intent: { id: "pi_1" } }, "refund"],
  ])("%s is about the payment that it names", (type, object, about) => {
    const body = event({ type, data: { object: { ...object, metadata: { charge_id: "chg_1" } } } });
    expect(read(body, sign(body))).toMatchObject({ type, about, reference: "pi_1", chargeId: "chg_1" });
  });

  test("a refund made in the dashboard names its payment and no charge", () => {
    const refund = { object: "refund", id: "re_1", payment_intent: "pi_1", metadata: {} };
    const body = event({ type: "refund.created", data: { object: refund } });
    expect(read(body, sign(body))).toEqual({
      id: "evt_1",
      type: "refund.created",
      account: "acct_1",
      about: "refund",
      reference: "pi_1",
      chargeId: null,
    });
  });

  test("sends reason and metadata of a refund, as far as Stripe supports them", async () => {
    const request = payment("reasons");
    const paid = await processor().pay(request);
    const reference = "processorRef" in paid ? (paid.processorRef ?? "") : "";
    const { account, chargeId, currency } = request;
    const metadata = { ticket: "4711", refund_id: "not ours", "a[b]": "x", ["k".repeat(41)]: "long", empty: "" };
    for (const reason of ["fraudulent", "other", null] as const) {
      const key = `reasons:${reason}`;
      const wanted = { account, chargeId, currency, reference, amountMinor: 10n, key, refundId: key, reason, metadata };
      expect(await processor().refund(wanted)).toMatchObject({ kind: "succeeded" });
    }
    const marks = { charge_id: chargeId, ticket: "4711" };
    expect(standIn.refundsOf(reference)).toMatchObject([
      { reason: "fraudulent", metadata: { ...marks, refund_id: "reasons:fraudulent" } },
      { reason: null, metadata: { ...marks, refund_id: "reasons:other" } },
      { reason: null, metadata: { ...marks, refund_id: "reasons:null" } },
    ]);
    expect(standIn.refundsOf(reference).map((refund) => Object.keys(refund.metadata).length)).toEqual([3, 3, 3]);
  });

  test("repeats a refund unchanged, whatever the order of its metadata", async () => {
    const request = payment("repeated");
    const paid = await processor().pay(request);
    const reference = "processorRef" in paid ? (paid.processorRef ?? "") : "";
    const { account, chargeId, currency } = request;
    const wanted = { account, chargeId, currency, reference, amountMinor: 10n, key: "repeated:r", refundId: "rfd_1" };
    for (const metadata of [
      { ticket: "4711", by: "ada" },
      { by: "ada", ticket: "4711" },
    ])
      expect(await processor().refund({ ...wanted, metadata })).toMatchObject({ kind: "succeeded" });
    expect(standIn.refundsOf(reference)).toHaveLength(1);
  });

  test("lists every refund of our payment, with our id if it has one, for its own account only", async () => {
    const request = { ...payment("listed"), amountMinor: 12_340n, currency: "KWD" };
    const paid = await processor().pay(request);
    const reference = "processorRef" in paid ? (paid.processorRef ?? "") : "";
    const { account, chargeId, currency } = request;
    const wanted = { account, chargeId, currency, reference, amountMinor: 1_230n, key: "listed:r", refundId: "rfd_1" };
    const ours = await processor().refund(wanted);
    const foreign = standIn.refundByHand(reference, 4_560);
    standIn.failRefund(foreign.id);
    const list = (own: string, of = reference) => processor().listRefunds?.({ account: own, reference: of });
    expect(await list(account)).toEqual({
      kind: "refunds",
      chargeId,
      refunds: [
        {
          refundRef: foreign.id,
          refundId: null,
          status: "failed",
          amountMinor: 4_560n,
          code: "lost_or_stolen_card",
        },
        {
          refundRef: "refundRef" in ours ? ours.refundRef : "",
          refundId: "rfd_1",
          status: "succeeded",
          amountMinor: 1_230n,
          code: null,
        },
      ],
    });
    expect(await list("acct_other")).toEqual({ kind: "not_found" });
    expect(await list(account, "pi_nowhere")).toEqual({ kind: "not_found" });
    const intent = standIn.intents.get(reference);
    Object.assign(intent ?? {}, { metadata: {} });
    expect(await list(account)).toMatchObject({ kind: "refunds", chargeId: null });
    // We don't use this currency and don't know its unit.
    Object.assign(intent ?? {}, { currency: "ugx" });
    expect(await list(account)).toEqual({ kind: "not_found" });
    const unreachable = processor({ apiUrl: "http://127.0.0.1:9" });
    expect(await unreachable.listRefunds?.({ account, reference })).toEqual({ kind: "unknown" });
  });

  test("a forged, changed, unsigned or old event is refused", () => {
    const old = new Date(now.getTime() - 301_000);
    expect(read(event(), sign(event(), "whsec_other"))).toBe("forged");
    expect(read(event({ id: "evt_2" }), sign(event()))).toBe("forged");
    expect(read(event(), sign(event(), webhookSecret, old))).toBe("forged");
    expect([read(event(), null), read(event(), ""), read(event(), "t=1,v1=0")]).toEqual(["forged", "forged", "forged"]);
  });

  test("an event about a dispute names the dispute and its account", () => {
    const body = event({ type: "charge.dispute.created", data: { object: { object: "dispute", id: "du_1" } } });
    expect(read(body, sign(body))).toEqual({
      id: "evt_1",
      type: "charge.dispute.created",
      account: "acct_1",
      about: "dispute",
      disputeRef: "du_1",
    });
  });

  test.each<[string, string]>([
    ["warning_needs_response", "not_found"],
    ["warning_closed", "not_found"],
    ["prevented", "not_found"],
    ["under_review", "open"],
    ["appeal_under_review", "open"],
    ["a_new_status", "not_found"],
  ])(
    "a dispute with Stripe's status %s is reported as %s (an inquiry moves no money, so it isn't a dispute)",
    async (status, expected) => {
      const request = payment(`disputed ${status}`);
      await processor().pay(request);
      const disputeRef = standIn.dispute(request.account, request.chargeId, 700);
      standIn.setDispute(disputeRef, status);
      const found = await processor().findDispute({ account: request.account, disputeRef });
      expect(found.kind === "dispute" ? found.status : found.kind).toBe(expected);
    },
  );

  test("a dispute in a currency that we don't use isn't ours", async () => {
    const request = payment("shillings");
    const paid = await processor().pay(request);
    const reference = "processorRef" in paid ? (paid.processorRef ?? "") : "";
    Object.assign(standIn.intents.get(reference) ?? {}, { currency: "ugx" });
    const disputeRef = standIn.dispute(request.account, request.chargeId, 700);
    expect(await processor().findDispute({ account: request.account, disputeRef })).toEqual({ kind: "not_found" });
  });

  test("an event about a payment without our metadata contains the payment's id", () => {
    const body = event({ data: { object: { id: "pi_2", object: "payment_intent", metadata: {} } } });
    expect(read(body, sign(body))).toMatchObject({ about: "payment", reference: "pi_2", chargeId: null });
  });

  test("ignores events of the platform itself, events about other objects, and events without a payment", () => {
    const others = [
      event({ account: undefined }),
      event({ data: { object: { id: "cus_1", object: "customer" } } }),
      event({ data: { object: { id: "re_2", object: "refund", payment_intent: null, metadata: null } } }),
      event({ data: { object: { id: "ch_2", object: "charge", payment_intent: null, metadata: { charge_id: "c" } } } }),
    ];
    for (const body of others) expect(read(body, sign(body))).toBeNull();
  });
});

describe("Stripe's units (docs.stripe.com/currencies)", () => {
  test.each<[bigint, string, number]>([
    [1_234n, "EUR", 1_234],
    [1_234n, "JPY", 1_234],
    [12_340n, "KWD", 12_340],
    [5n, "ISK", 500],
    [500n, "MGA", 5],
  ])("%s minor units of %s are %s units at Stripe", (amount, currency, units) => {
    expect(toStripeUnits(amount, currency)).toBe(units);
    expect(fromStripeUnits(units, currency)).toBe(amount);
  });

  test.each<[bigint, string]>([
    [12_341n, "KWD"],
    [501n, "MGA"],
    [5n, "UGX"],
    [5n, "XXX"],
  ])("%s minor units of %s can't be represented", (amount, currency) => {
    expect(() => toStripeUnits(amount, currency)).toThrow(RangeError);
  });

  test("Paygrant supports every currency in stripeCurrencies, and no amount step is larger than the currency's main unit", () => {
    expect(stripeCurrencies.filter((currency) => !currencies.includes(currency))).toEqual([]);
    expect(new Set(stripeCurrencies).size).toBe(stripeCurrencies.length);
    for (const [currency, step] of Object.entries(stripeAmountSteps)) {
      expect(step <= 10n ** BigInt(currencyExponent(currency))).toBe(true);
    }
  });
});
