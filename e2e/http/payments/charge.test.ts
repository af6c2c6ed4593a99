import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { expectFieldProblem, expectProblem } from "../../support/answers/error-shape.ts";
import { postForm, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import * as flow from "../../support/oauth/mandate-flow.ts";
import { clientToken, registerMerchant } from "../../support/oauth/parties.ts";
import { listPayments, movedAmount } from "../../support/peers/simulator-ledger.ts";

const { sandboxUrl } = currentInstance();
let mandate: flow.ChargeableMandate;
beforeAll(async () => {
  mandate = await flow.makeChargeableMandate(sandboxUrl);
});

describe("POST /merchant_test/charge: the table of responses (docs/spec/payments.md, Charge responses)", () => {
  test("responds with 201 and Location to a charge that succeeds; the processor moves the money once", async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl);
    const fields = { reference: "order-1042", metadata: { basket: "7", note: "äöü ☕" }, transaction_id: "t-1" };
    const answer = await flow.charge(own, fields);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("idempotent-replayed")).toBeNull();
    const id = textOf(answer, "id");
    expect(answer.headers.get("location")).toBe(`${sandboxUrl}/merchant_test/charges/${id}`);
    expect(answer.json).toEqual({
      id: expect.stringMatching(/^chg_/),
      status: "succeeded",
      amount: 1_250,
      currency: "EUR",
      amount_captured: 1_250,
      amount_refunded: 0,
      mandate_id: own.mandateId,
      merchant_id: own.merchant.merchantId,
      reference: "order-1042",
      payer_presence: "in_session",
      capture_method: "automatic",
      metadata: fields.metadata,
      created_at: expect.stringMatching(/Z$/),
    });
    expect((await flow.merchantGet(own, `/merchant_test/charges/${id}`)).json).toEqual(answer.json);
    const payments = await listPayments("sandbox", own.merchant.merchantId);
    expect(payments).toMatchObject([{ status: "succeeded", amount: 1_250, charge_id: id }]);
  });

  test("responds with 402 to a declined charge, says why and whether a retry can help, and releases the hold", async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl, { max_total_amount: 1_250 });
    const answer = await flow.charge(own, { metadata: { simulate: "decline:insufficient_funds" } });
    expectProblem(answer, 402);
    expect(answer.json).toMatchObject({
      charge_id: expect.stringMatching(/^chg_/),
      code: "card_declined",
      decline_code: "insufficient_funds",
      retryable: true,
      advice: expect.any(String),
    });
    const read = await flow.merchantGet(own, `/merchant_test/charges/${textOf(answer, "charge_id")}`);
    expect(read.json).toMatchObject({
      status: "declined",
      amount_captured: 0,
      decline: { decline_code: "insufficient_funds" },
    });
    expect(movedAmount(await listPayments("sandbox", own.merchant.merchantId))).toBe(0);
    expect((await flow.charge(own)).status).toBe(201);
  });

  test("responds with 403 and the reasons to a charge that the mandate refuses; no charge is created, and the key stays unused", async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl);
    const key = randomUUID();
    const answer = await flow.charge(own, { amount: 6_001 }, key);
    expectProblem(answer, 403, "refused_by_mandate");
    expect(answer.json).toMatchObject({
      reasons: [{ code: "amount_exceeds_per_payment", constraint: "max_amount_per_payment" }],
    });
    expect((await flow.merchantGet(own, "/merchant_test/charges")).json).toEqual({ data: [], has_more: false });
    expect(await listPayments("sandbox", own.merchant.merchantId)).toEqual([]);
    expect((await flow.charge(own, { amount: 6_000 }, key)).status).toBe(201);
  });

  test("responds with 202 and next_action to a charge above step_up_above, holds its amount, and submits nothing", async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl, { step_up_above: 1_000, max_total_amount: 2_000 });
    const answer = await flow.charge(own);
    expect(answer.status).toBe(202);
    expect(answer.headers.get("location")).toContain("/merchant_test/charges/chg_");
    expect(answer.json).toMatchObject({
      status: "requires_action",
      next_action: {
        type: expect.any(String),
        url: expect.stringContaining(sandboxUrl),
        expires_at: expect.stringMatching(/Z$/),
      },
    });
    expect(await listPayments("sandbox", own.merchant.merchantId)).toEqual([]);
    expectProblem(await flow.charge(own, { amount: 1_000 }), 403, "refused_by_mandate");
    expect((await flow.charge(own, { amount: 750 })).status).toBe(201);
  });

  test("responds with 202 and requires_action if the processor requires 3-D Secure", async () => {
    const answer = await flow.charge(mandate, { metadata: { simulate: "requires_action" } });
    expect(answer.status, answer.text).toBe(202);
    expect(answer.json).toMatchObject({
      status: "requires_action",
      next_action: { url: expect.stringMatching(/^http/) },
    });
  });
});

test("accepts an idempotency key of 255 characters, and 20 metadata strings of 500 characters (docs/spec/payments.md, Charges)", async () => {
  const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, "v".repeat(500)]));
  const answer = await flow.charge(mandate, { metadata }, randomUUID().padEnd(255, "k"));
  expect(answer.status, answer.text).toBe(201);
  expect(answer.json).toMatchObject({ metadata });
});

describe("responds with 400 to an invalid field and names it by JSON pointer (docs/spec/payments.md, Charge responses)", () => {
  const rows: [string, string, unknown][] = [
    ["/amount", "text", "1250"],
    ["/amount", "a fraction", 12.5],
    ["/amount", "zero", 0],
    ["/amount", "negative", -1],
    ["/amount", "over the limit", 100_000_000_000],
    ["/amount", "missing", undefined],
    ["/amount", "null", null],
    ["/currency", "unknown", "ABC"],
    ["/currency", "a test code", "XTS"],
    ["/currency", "a metal", "XAU"],
    ["/currency", "lower case", "eur"],
    ["/currency", "missing", undefined],
    ["/payer_presence", "unknown", "asleep"],
    ["/payer_presence", "missing", undefined],
    ["/capture_method", "unknown", "later"],
    ["/mandate_id", "missing", undefined],
    ["/mandate_id", "a number", 7],
    ["/reference", "empty", ""],
    ["/reference", "a list", []],
    ["/metadata", "a list", []],
    ["/metadata/basket", "a number as a value", { basket: 7 }],
    ["/metadata/basket", "a value of 501 characters", { basket: "x".repeat(501) }],
    ["/metadata", "21 strings", Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, "v"]))],
    ["/tip", "unknown field", 1],
    ["/presentation", "a second credential with mandate_id", "eyJ"],
    ["/mandate_token_proof", "without mandate_token", "eyJ"],
  ];
  test.each(rows)("%s %s", async (pointer, _name, value) => {
    const member = pointer.split("/")[1] ?? "";
    const answer = await flow.charge(mandate, { [member]: value });
    expectFieldProblem(answer, pointer === "/presentation" ? "/mandate_id" : pointer);
  });

  test.each(["", " ", "with space", "k".repeat(256), "schlüssel"])("Idempotency-Key %j", async (key) => {
    const headers: Record<string, string> =
      key === "" ? {} : { "idempotency-key": Buffer.from(key).toString("latin1") };
    const answer = await flow.merchantPost(mandate, "/merchant_test/charge", {
      body: flow.chargeBody(mandate),
      headers,
    });
    expectFieldProblem(answer, "#Idempotency-Key");
  });

  test("responds with 415 to a form instead of JSON", async () => {
    const headers = { authorization: `Bearer ${mandate.merchantToken}`, "idempotency-key": "k" };
    expectProblem(await postForm(`${sandboxUrl}/merchant_test/charge`, { amount: "1" }, headers), 415);
  });
});

describe("GET /merchant_test/charges (docs/spec/payments.md, Lists)", () => {
  let own: flow.ChargeableMandate;
  const ids: string[] = [];
  beforeAll(async () => {
    own = await flow.makeChargeableMandate(sandboxUrl);
    for (const amount of [100, 200, 300, 400, 500]) ids.unshift(textOf(await flow.charge(own, { amount }), "id"));
  });
  type Page = { data: { id: string }[]; has_more: boolean };
  const page = async (query: string) =>
    (await flow.merchantGet(own, `/merchant_test/charges${query}`)).json as unknown as Page;

  test("lists charges newest first, with a cursor for each next page", async () => {
    const first = await page("?limit=2");
    const second = await page(`?limit=2&starting_after=${first.data.at(-1)?.id}`);
    const third = await page(`?limit=2&starting_after=${second.data.at(-1)?.id}`);
    expect([first, second, third].flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids);
    expect([first.has_more, second.has_more, third.has_more]).toEqual([true, true, false]);
  });

  test.each(["?limit=0", "?limit=101", "?limit=-1", "?limit=1.5", "?limit=ten"])("refuses %s: 400", async (query) => {
    expectFieldProblem(await flow.merchantGet(own, `/merchant_test/charges${query}`), "#limit");
  });

  test("responds with 404 to another merchant's charge, and with 400 to its id as a cursor", async () => {
    const stranger = await registerMerchant(sandboxUrl);
    const by = { merchant: stranger, merchantToken: await clientToken(stranger) };
    expectProblem(await flow.merchantGet(by, `/merchant_test/charges/${ids[0]}`), 404);
    expectProblem(await flow.merchantGet(by, `/merchant_test/charges?starting_after=${ids[0]}`), 400);
    expect((await flow.merchantGet(by, "/merchant_test/charges")).json).toEqual({ data: [], has_more: false });
  });

  test("lets the agent read its mandate's charges at GET /oauth/mandates/{mandate_id}/charges", async () => {
    const answer = await flow.agentGet(own, `/oauth/mandates/${own.mandateId}/charges?limit=3`);
    expect((answer.json as unknown as Page).data.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    const foreign = await flow.agentGet(own, `/oauth/mandates/${mandate.mandateId}/charges`);
    expect([403, 404]).toContain(foreign.status);
  });
});
