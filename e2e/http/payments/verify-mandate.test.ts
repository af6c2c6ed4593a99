import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "../../support/answers/error-shape.ts";
import { send, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { consent } from "../../support/oauth/consent-driver.ts";
import * as flow from "../../support/oauth/mandate-flow.ts";
import { clientToken, postAs, registerMerchant } from "../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
let mandate: flow.ChargeableMandate;
beforeAll(async () => {
  mandate = await flow.makeChargeableMandate(sandboxUrl, { payer_presence: ["in_session"] });
});

const verify = (fields: object = {}, by: flow.ChargeableMandate = mandate) =>
  flow.merchantPost(by, "/merchant_test/verify-mandate", { body: flow.chargeBody(by, fields) });

describe("POST /merchant_test/verify-mandate (docs/spec/payments.md, Verify a mandate)", () => {
  test("a payment within the limits: 200, valid, without the remaining budget", async () => {
    const answer = await verify();
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.json).toMatchObject({
      valid: true,
      mandate_id: mandate.mandateId,
      status: "active",
      version: 1,
      reasons: [],
      step_up_required: false,
      checked_at: expect.stringMatching(/Z$/),
      verdict_expires_at: expect.stringMatching(/Z$/),
    });
    expect(answer.json).not.toHaveProperty("left");
  });

  test("the status_list entries of the response link to published lists", async () => {
    const entries = (await verify()).json?.["status_list"] as { uri: string; index: number; format: string }[];
    expect(entries).toHaveLength(3);
    expect(new Set(entries.map(({ index }) => index)).size).toBe(1);
    for (const { uri, format } of entries) {
      const list = await send(uri, { headers: { accept: `application/${format}` } });
      expect(list.status, uri).toBe(200);
      expect(list.headers.get("content-type")).toBe(`application/${format}`);
    }
  });

  test("the verdict is signed as a receipt, a JWS that can be verified with the JWKS", async () => {
    const answer = await verify({ transaction_id: "order-7" });
    const jwks = (await send(`${sandboxUrl}/.well-known/jwks.json`)).json as unknown as JSONWebKeySet;
    const { payload, protectedHeader } = await jwtVerify(textOf(answer, "receipt"), createLocalJWKSet(jwks), {
      typ: "paygrant-receipt+jwt",
      audience: mandate.merchant.merchantId,
      issuer: sandboxUrl,
    });
    expect(protectedHeader.kid).toBeTruthy();
    const { receipt: _receipt, ...verdict } = answer.json ?? {};
    expect(payload).toMatchObject({ env: "sandbox", verdict, request: { amount: 1_250, transaction_id: "order-7" } });
  });

  const refusals: [string, object, string, string][] = [
    ["more than the limit per payment", { amount: 6_001 }, "amount_exceeds_per_payment", "max_amount_per_payment"],
    ["more than the total limit", { amount: 100_001 }, "total_limit_exceeded", "max_total_amount"],
    ["another currency", { currency: "USD" }, "currency_mismatch", "currency"],
    ["an absent payer", { payer_presence: "off_session" }, "presence_not_allowed", "payer_presence"],
  ];
  test.each(refusals)("%s: 200, not valid, with the reason", async (_name, fields, code, constraint) => {
    const answer = await verify(fields);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      valid: false,
      reasons: expect.arrayContaining([expect.objectContaining({ code, constraint })]),
    });
  });

  test("suggests a remedy that can be pushed unchanged and reveals no other limit", async () => {
    const reasons = (await verify({ amount: 6_001 })).json?.["reasons"] as {
      remedy: { authorization_details: object[] };
    }[];
    const details = reasons[0]?.remedy.authorization_details ?? [];
    expect(details).toMatchObject([
      {
        max_amount_per_payment: 6_001,
        max_total_amount: 6_001,
        max_payments: 1,
        payees: [{ id: mandate.merchant.merchantId }],
      },
    ]);
    expect(JSON.stringify(details)).not.toContain("100000");
    const pushed = await postAs(mandate.agent, "/oauth/par", { form: flow.pushFields(details).form });
    expect(pushed.status, pushed.text).toBe(201);
  });

  test.each<[string, object, object]>([
    ["amount_exceeds_per_payment", {}, { amount: 6_001 }],
    ["total_limit_exceeded", { max_total_amount: 1_249 }, {}],
    ["period_limit_exceeded", { periodic_limits: [{ period: "week", alignment: "consent", max_amount: 1_249 }] }, {}],
  ])(
    "%s: its remedy can be pushed unchanged by PAR, and the mandate granted for it can be charged once",
    async (code, limits, fields) => {
      const refused = await flow.makeChargeableMandate(sandboxUrl, limits);
      const verdict = (await verify(fields, refused)).json as {
        reasons: { code: string; remedy: { authorization_details: object[] } }[];
      };
      expect(verdict.reasons.map((reason) => reason.code)).toEqual([code]);
      const [details = {}] = verdict.reasons[0]?.remedy.authorization_details ?? [];
      const remedied = { ...refused, ...(await flow.obtainMandate(refused.agent, details)) };
      expect((await verify(fields, remedied)).json).toMatchObject({ valid: true, reasons: [] });
      const charged = await flow.charge(remedied, fields);
      expect(charged.status, charged.text).toBe(201);
      expectProblem(await flow.charge(remedied, fields), 403, "refused_by_mandate");
      expect((await verify(fields, remedied)).json).toMatchObject({ status: "consumed" });
    },
  );

  test("ten verifications leave the budget unchanged", async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl, { max_total_amount: 1_250 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => verify({}, own)));
    expect(answers.every(({ json }) => json?.["valid"] === true)).toBe(true);
    expect((await flow.charge(own)).status).toBe(201);
    expect((await verify({}, own)).json).toMatchObject({
      valid: false,
      status: "consumed",
      reasons: [{ code: "mandate_consumed" }],
    });
  });

  test("above step_up_above: step_up_required", async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl, { step_up_above: 1_000 });
    expect((await verify({ amount: 1_001 }, own)).json).toMatchObject({ valid: true, step_up_required: true });
    expect((await verify({ amount: 1_000 }, own)).json).toMatchObject({ valid: true, step_up_required: false });
  });

  test("an action that wasn't granted: action_not_allowed", async () => {
    const chargeOnly = await flow.makeChargeableMandate(sandboxUrl, { actions: ["charge"] });
    expect((await verify({}, chargeOnly)).json).toMatchObject({
      valid: false,
      reasons: [{ code: "action_not_allowed" }],
    });
    const verifyOnly = await flow.makeChargeableMandate(sandboxUrl, { actions: ["verify"] });
    expectProblem(await flow.charge(verifyOnly), 403, "refused_by_mandate");
  });

  test("before valid_from: outside_validity_window", async () => {
    const valid_from = new Date(Date.now() + 86_400_000).toISOString();
    const own = await flow.makeChargeableMandate(sandboxUrl, { valid_from });
    expect((await verify({}, own)).json).toMatchObject({
      valid: false,
      reasons: [{ code: "outside_validity_window" }],
    });
  });
});

describe("one 404 for every unavailable mandate (docs/spec/payments.md, Who may use a mandate)", () => {
  test("an unknown mandate, one that doesn't name the merchant, and mandates for any merchant or for a category get the same response", async () => {
    const stranger = await registerMerchant(sandboxUrl);
    const open = await flow.makeChargeableMandate(sandboxUrl, { payees: [] });
    const category = await flow.makeChargeableMandate(sandboxUrl, { payees: [{ category: "5999" }] });
    const asStranger = { merchant: stranger, merchantToken: await clientToken(stranger) };
    const attempts: [Pick<flow.ChargeableMandate, "merchant" | "merchantToken">, string][] = [
      [mandate, "mdt_unknown"],
      [mandate, "x".repeat(64)],
      [asStranger, mandate.mandateId],
      [open, open.mandateId],
      [category, category.mandateId],
    ];
    for (const path of ["/merchant_test/verify-mandate", "/merchant_test/charge"]) {
      const answers = await Promise.all(
        attempts.map(([by, mandateId]) =>
          flow.merchantPost(by, path, { body: flow.chargeBody({ mandateId }), headers: { "idempotency-key": "k" } }),
        ),
      );
      for (const answer of answers) expectProblem(answer, 404, "mandate_not_found");
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    }
  });
});

describe("reveals the remaining budget only when the payer allowed it (docs/spec/payments.md, Verify a mandate)", () => {
  test("counts used and held amounts", async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl);
    const { form, verifier } = flow.pushFields([flow.mandateDetails(own.merchant.merchantId, { max_payments: 3 })]);
    const requestUri = textOf(await postAs(own.agent, "/oauth/par", { form, dpop: own.dpop }), "request_uri");
    const request = { clientId: own.agent.id, requestUri };
    const code = (await consent(sandboxUrl, request, { budget_visible: "on" })).get("code") ?? "";
    const pushed = { code, verifier, dpop: own.dpop, requestUri };
    const answer = await postAs(own.agent, "/oauth/token", { form: flow.codeForm(pushed), dpop: own.dpop });
    const visible = { ...own, mandateId: flow.mandateIdOf(answer) };
    expect((await flow.charge(visible)).status).toBe(201);
    expect((await verify({}, visible)).json?.["left"]).toEqual([
      { constraint: "max_total_amount", amount: 98_750 },
      { constraint: "max_payments", payments: 2 },
    ]);
  });
});
