import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectFieldProblem, expectOAuthError, expectProblem } from "../../support/answers/error-shape.ts";
import { send, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { charge, chargeBody, mandateDetails, merchantPost, obtainMandate } from "../../support/oauth/mandate-flow.ts";
import { clientToken, type Merchant, postAs, registerAgent, registerMerchant } from "../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
const billing = `${sandboxUrl}/billing`;

let merchant: Merchant;
let token: string;
let merchantToken: string;
beforeAll(async () => {
  merchant = await registerMerchant(sandboxUrl, {
    metadata: { scope: "charges.write charges.read mandates.verify billing.read" },
  });
  token = await clientToken(merchant, { scope: "billing.read" });
  merchantToken = await clientToken(merchant);
});

const get = (path: string, bearer = token) =>
  send(`${sandboxUrl}${path}`, { headers: { authorization: `Bearer ${bearer}` } });
const requestToken = (fields: Record<string, string>) =>
  postAs(merchant, "/oauth/token", { form: { grant_type: "client_credentials", ...fields } });

describe("the scope of the billing resource (docs/spec/oauth.md, Clients, scopes and resources)", () => {
  test("is granted only for the billing resource; a token request without `scope` gets the registered scopes of the merchants' resource", async () => {
    expect(decodeJwt(token)).toMatchObject({ aud: billing, scope: "billing.read" });
    expect(decodeJwt(merchantToken)).toMatchObject({
      aud: `${sandboxUrl}/merchant_test`,
      scope: "charges.write charges.read mandates.verify",
    });
    const named = decodeJwt(await clientToken(merchant, { resource: billing }));
    expect(named).toMatchObject({ aud: billing, scope: "billing.read" });
  });

  test("is refused with a scope of another resource (invalid_scope), and for another resource (invalid_target, RFC 8707 §2)", async () => {
    expectOAuthError(await requestToken({ scope: "billing.read charges.read" }), 400, "invalid_scope");
    expectOAuthError(
      await requestToken({ scope: "billing.read", resource: `${sandboxUrl}/merchant_test` }),
      400,
      "invalid_target",
    );
    expectOAuthError(await requestToken({ scope: "charges.read", resource: billing }), 400, "invalid_target");
    expectOAuthError(await requestToken({ resource: `${billing}/usage` }), 400, "invalid_target");
  });

  test("can't be registered by an agent", async () => {
    const metadata = { grant_types: ["authorization_code", "client_credentials"], scope: "billing.read" };
    await expect(registerAgent(sandboxUrl, { metadata })).rejects.toThrow("400");
  });

  test("is the default for a client that registered no other scope", async () => {
    const reader = await registerMerchant(sandboxUrl, { metadata: { scope: "billing.read" } });
    expect(decodeJwt(await clientToken(reader))).toMatchObject({ aud: billing, scope: "billing.read" });
  });

  test("each resource refuses the other resource's token (RFC 9068 §4)", async () => {
    for (const [path, bearer] of [
      ["/billing/usage", merchantToken],
      ["/billing/usage/events", merchantToken],
      ["/merchant_test/charges", token],
    ] as const) {
      const answer = await get(path, bearer);
      expectProblem(answer, 401);
      expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
    }
  });
});

describe("GET /billing/usage", () => {
  test("counts a charge after it has succeeded, and lists the event behind it", async () => {
    const empty = await get("/billing/usage");
    expect(empty.json).toMatchObject({
      meters: {
        successful_charges: { count: 0, amounts: [] },
        active_mandates: { count: 0 },
        verifications: { count: 0 },
      },
    });
    const agent = await registerAgent(sandboxUrl);
    const { mandateId } = await obtainMandate(agent, mandateDetails(merchant.merchantId));
    const from = new Date(Date.now() - 60_000).toISOString();
    const made = await charge({ merchant, merchantToken, mandateId }, { amount: 1_250 });
    expect(made.status, made.text).toBe(201);
    const to = new Date(Date.now() + 60_000).toISOString();
    const counted = await get(`/billing/usage?from=${from}&to=${to}`);
    expect(counted.headers.get("cache-control")).toBe("no-store");
    expect(counted.json).toEqual({
      from,
      to,
      meters: {
        successful_charges: { count: 1, amounts: [{ currency: "EUR", count: 1, amount: 1_250 }] },
        active_mandates: { count: 1 },
        verifications: { count: 0 },
        tokens_issued: { count: expect.any(Number) },
        introspections: { count: 0 },
        step_ups: { count: 0 },
        webhooks_delivered: { count: 0 },
      },
      own_meters: { data: [], has_more: false },
      time_zone: "UTC",
    });
    const listed = await get(`/billing/usage/events?from=${from}&to=${to}&meter=successful_charges&limit=1`);
    expect(listed.json).toEqual({
      data: [
        {
          id: made.json?.["id"],
          meter: "successful_charges",
          time: expect.any(String),
          mandate_id: mandateId,
          currency: "EUR",
          amount: 1_250,
        },
      ],
      has_more: false,
    });
  });

  test("counts each verdict of verify-mandate, valid or not, and lists it by its receipt (docs/spec/billing.md, Meters)", async () => {
    const agent = await registerAgent(sandboxUrl);
    const { mandateId } = await obtainMandate(agent, mandateDetails(merchant.merchantId));
    const before = (await get("/billing/usage")).json as { meters: { verifications: { count: number } } };
    const from = new Date().toISOString();
    const mandate = { merchant, merchantToken, mandateId };
    const verify = (fields: object) =>
      merchantPost(mandate, "/merchant_test/verify-mandate", { body: chargeBody(mandate, fields) });
    const fits = await verify({});
    const refused = await verify({ amount: 99_999_999 });
    const after = (await get("/billing/usage")).json as typeof before;
    expect(after.meters.verifications.count - before.meters.verifications.count).toBe(2);
    const listed = await get(`/billing/usage/events?meter=verifications&from=${from}`);
    expect(listed.json).toEqual({
      data: [fits, refused].map((answer) => ({
        id: decodeJwt(textOf(answer, "receipt")).jti,
        meter: "verifications",
        time: answer.json?.["checked_at"],
        client_id: decodeJwt(merchantToken)["client_id"],
        mandate_id: mandateId,
        log: {
          valid: answer.json?.["valid"],
          reason: answer === fits ? null : (refused.json as { reasons: { code: string }[] }).reasons[0]?.code,
          request_id: answer.headers.get("x-request-id"),
        },
      })),
      has_more: false,
    });
    expect([fits.json?.["valid"], refused.json?.["valid"]]).toEqual([true, false]);
    // A cursor is valid only if it names one of the merchant's own items.
    const cursor = `starting_after=${decodeJwt(textOf(fits, "receipt")).jti}`;
    expect((await get(`/billing/usage/events?meter=verifications&from=${from}&${cursor}`)).json).toMatchObject({
      data: [{ log: { valid: false } }],
    });
    const other = await registerMerchant(sandboxUrl, { metadata: { scope: "billing.read" } });
    const foreign = await get(`/billing/usage/events?${cursor}`, await clientToken(other));
    expectFieldProblem(foreign, "#starting_after");
  });

  test("divides a period into windows in a time zone; the counts of all windows add up to the period's count (docs/spec/billing.md, Usage)", async () => {
    const shop = await registerMerchant(sandboxUrl, { metadata: { scope: "billing.read" } });
    const bearer = await clientToken(shop);
    const to = new Date(Date.now() + 1_000).toISOString();
    const from = new Date(Date.now() - 25 * 3_600_000).toISOString();
    const answer = await get(`/billing/usage?from=${from}&to=${to}&window=hour&time_zone=Asia/Kolkata`, bearer);
    expect(answer.status, answer.text).toBe(200);
    const body = answer.json as {
      time_zone: string;
      meters: { tokens_issued: { count: number } };
      windows: { from: string; to: string; meters: { tokens_issued: { count: number } } }[];
    };
    expect([body.time_zone, body.meters.tokens_issued.count]).toEqual(["Asia/Kolkata", 1]);
    expect([body.windows[0]?.from, body.windows.at(-1)?.to]).toEqual([from, to]);
    expect(body.windows[1]?.from.slice(13)).toBe(":30:00.000Z");
    expect(body.windows.reduce((sum, one) => sum + one.meters.tokens_issued.count, 0)).toBe(1);
    const listed = await get(`/billing/usage/events?from=${from}&meter=tokens_issued`, bearer);
    expect(listed.json).toMatchObject({ data: [{ meter: "tokens_issued", subject: null }], has_more: false });
  });

  test.each([
    ["window=week", "#window"],
    ["window=hour&from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z", "#window"],
    ["time_zone=Mars/Base", "#time_zone"],
    ["time_zone=%2B01:00", "#time_zone"],
  ])("refuses %s and names the field (docs/spec/billing.md, Usage)", async (query, pointer) => {
    expectFieldProblem(await get(`/billing/usage?${query}`), pointer);
  });

  test.each([
    ["from=yesterday", "#from"],
    ["to=2026-11-21", "#to"],
    ["from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z", "#from"],
    ["from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z", "#from"],
  ])("refuses %s and names the field", async (query, pointer) => {
    expectFieldProblem(await get(`/billing/usage?${query}`), pointer);
    expectFieldProblem(await get(`/billing/usage/events?${query}`), pointer);
  });

  test.each([
    ["limit=0", "#limit"],
    ["starting_after=chg_unknown", "#starting_after"],
  ])("refuses a list's %s and names the field", async (query, pointer) => {
    expectFieldProblem(await get(`/billing/usage/events?${query}`), pointer);
  });
});
