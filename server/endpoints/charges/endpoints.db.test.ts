import { compactVerify, createLocalJWKSet } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant, makeMerchantClient } from "#e2e/support/factories.ts";
import { statementsOf } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { provideDeps } from "../../http/runtime.ts";
import { type Handler, serve } from "../../http/serve.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { signAccessToken } from "../../oauth/tokens/sign-access-token.ts";
import { captureChargeEndpoint, voidChargeEndpoint } from "./act-on-charge.ts";
import { chargeEndpoint } from "./charge.ts";
import { getChargeEndpoint, listChargesEndpoint, listMandateChargesEndpoint } from "./list-charges.ts";
import { createRefundEndpoint, listRefundsEndpoint } from "./refunds.ts";
import { verifyMandateEndpoint } from "./verify-mandate.ts";

let deps: TestDeps;
const bank = scriptedProcessor();
beforeAll(async () => {
  deps = await createTestDeps({ processors: bank.processors });
  provideDeps(deps);
});
afterAll(() => deps.close());

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;

const merchantToken = async (
  clientId: string,
  scopes = ["mandates.verify", "charges.write", "charges.read", "refunds.write"],
) => {
  const audience = `${deps.config.baseUrl}/merchant_test`;
  const input = { subject: clientId, audience, clientId, scopes, lifetimeSeconds: 600, clientEpoch: 1, jkt: null };
  return signAccessToken(deps, { ...input, jti: newSecret() }).token;
};

const call = async (
  handler: Handler,
  path: string,
  { token, body, headers = {} }: { token: string; body?: unknown; headers?: Record<string, string> },
) => {
  const request = new Request(`${deps.config.baseUrl}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const response = await handler(request);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: JSON.parse(text) as Record<string, unknown>,
  };
};

const charge = (token: string, body: unknown, key: string | null = newId("req")) =>
  call(serve(chargeEndpoint), "/merchant_test/charge", {
    token,
    body,
    headers: key === null ? {} : { "idempotency-key": key },
  });
const verify = (token: string, body: unknown) =>
  call(serve(verifyMandateEndpoint), "/merchant_test/verify-mandate", { token, body });
const basic = (setup: Setup) => ({
  mandate_id: setup.mandateId,
  amount: 100,
  currency: "EUR",
  payer_presence: "in_session",
});

test("verify-mandate runs two statements: one reads the token's state and the mandate's decision data, one inserts the verdict", async () => {
  const setup = await makeChargeableMandate(deps, { max_total_amount: 10_000 });
  const token = await merchantToken(setup.merchantClient.id);
  const ask = { mandate_id: setup.mandateId, amount: 1_000, currency: "EUR", payer_presence: "in_session" };
  const names = await statementsOf(deps.db, async () => {
    const handler = serve(verifyMandateEndpoint);
    expect((await call(handler, "/merchant_test/verify-mandate", { token, body: ask })).json["valid"]).toBe(true);
  });
  expect(names).toEqual(["token_liveness_and_decisions", "insert_verifications"]);
});

describe("a suspended merchant's client (docs/spec/payments.md, Inactive merchants)", () => {
  const suspended = async () => {
    const setup = await makeChargeableMandate(deps);
    const token = await merchantToken(setup.merchantClient.id);
    const make = async (change: object = {}) =>
      String((await charge(token, { ...basic(setup), ...change })).json["id"]);
    const held = { capture_method: "manual" };
    const ids = { captured: await make(held), voided: await make(held), refunded: await make() };
    const kept = await charge(token, basic(setup), "k");
    const where = { id: setup.merchant.id };
    await deps.db.prisma.merchant.update({ where, data: { suspendedAt: deps.clock.now() } });
    return { ...setup, token, ids, kept, where };
  };
  const post = (handler: Handler, token: string, path: string) =>
    call(handler, `/merchant_test/charges/${path}`, { token, body: {}, headers: { "idempotency-key": newId("req") } });

  test("new charges and verifications get 403 and hold no amount; both work again once the suspension is lifted", async () => {
    const own = await suspended();
    const before = await own.counters();
    for (const ask of [charge, verify]) {
      const answer = await ask(own.token, basic(own));
      expect([answer.status, answer.json["type"]]).toEqual([403, expect.stringMatching(/#merchant_suspended$/)]);
    }
    expect(await own.counters()).toEqual(before);
    await deps.db.prisma.merchant.update({ where: own.where, data: { suspendedAt: null } });
    expect((await verify(own.token, basic(own))).json["valid"]).toBe(true);
    expect((await charge(own.token, basic(own))).status).toBe(201);
  });

  test("earlier charges can still be captured, voided, refunded, repeated and read", async () => {
    const { token, ids, kept, ...own } = await suspended();
    expect((await post(serve(captureChargeEndpoint), token, `${ids.captured}/capture`)).status).toBe(200);
    expect((await post(serve(voidChargeEndpoint), token, `${ids.voided}/void`)).status).toBe(200);
    expect((await post(serve(createRefundEndpoint), token, `${ids.refunded}/refunds`)).status).toBe(201);
    expect((await call(serve(getChargeEndpoint), `/merchant_test/charges/${ids.refunded}`, { token })).status).toBe(
      200,
    );
    expect((await charge(token, basic(own), "k")).text).toBe(kept.text);
  });
});

describe("POST /merchant_test/charge over HTTP", () => {
  test("returns 201 with Location; a repeated request gets the same bytes, with Idempotent-Replayed", async () => {
    const setup = await makeChargeableMandate(deps);
    const token = await merchantToken(setup.merchantClient.id);
    const first = await charge(token, basic(setup), "k");
    expect(first.status).toBe(201);
    expect(first.headers.get("location")).toBe(`${deps.config.baseUrl}/merchant_test/charges/${first.json["id"]}`);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const again = await charge(token, basic(setup), "k");
    expect([again.status, again.text, again.headers.get("location")]).toEqual([
      201,
      first.text,
      first.headers.get("location"),
    ]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect((await charge(token, { ...basic(setup), amount: 101 }, "k")).status).toBe(422);
  });

  test.each<[string, (body: Record<string, unknown>) => unknown, string]>([
    ["an amount as text", (body) => ({ ...body, amount: "100" }), "/amount"],
    ["a fraction", (body) => ({ ...body, amount: 1.5 }), "/amount"],
    ["zero", (body) => ({ ...body, amount: 0 }), "/amount"],
    ["a negative amount", (body) => ({ ...body, amount: -1 }), "/amount"],
    ["an amount above 99,999,999,999", (body) => ({ ...body, amount: 100_000_000_000 }), "/amount"],
    ["an unknown currency", (body) => ({ ...body, currency: "EUX" }), "/currency"],
    ["an unknown field", (body) => ({ ...body, merchant_id: "mch_1" }), "/merchant_id"],
    ["no payer_presence", ({ payer_presence: _, ...body }) => body, "/payer_presence"],
    ["no credential", ({ mandate_id: _, ...body }) => body, "/mandate_id"],
    ["two credentials", (body) => ({ ...body, presentation: "p" }), "/mandate_id"],
    ["a proof without its token", (body) => ({ ...body, mandate_token_proof: "p" }), "/mandate_token_proof"],
    [
      "a mandate token of 8,193 characters",
      ({ mandate_id: _, ...body }) => ({ ...body, mandate_token: "t".repeat(8_193) }),
      "/mandate_token",
    ],
    [
      "a presentation of 32,769 characters",
      ({ mandate_id: _, ...body }) => ({ ...body, presentation: "p".repeat(32_769) }),
      "/presentation",
    ],
    [
      "21 metadata entries",
      (body) => ({ ...body, metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, "v"])) }),
      "/metadata",
    ],
    ["metadata of 501 characters", (body) => ({ ...body, metadata: { note: "x".repeat(501) } }), "/metadata/note"],
    ["metadata that isn't text", (body) => ({ ...body, metadata: { "a/b": 1 } }), "/metadata/a~1b"],
  ])("returns 400 and names the field for %s", async (_, change, pointer) => {
    const setup = await makeChargeableMandate(deps);
    const answer = await charge(await merchantToken(setup.merchantClient.id), change(basic(setup)));
    expect(answer.status).toBe(400);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect((answer.json["errors"] as { pointer: string }[]).map((error) => error.pointer)).toContain(pointer);
    expect(await deps.db.prisma.charge.count({ where: { mandateId: setup.mandateId } })).toBe(0);
  });

  test.each([
    (body: string) => body.replace("{", '{"amount":1,'),
    (body: string) => body.replace("}", ',"metadata":{"a":"1","\\u0061":"2"}}'),
  ])(
    "returns 400 for a repeated member, because parsers could read different amounts (RFC 7493 §2.3)",
    async (twice) => {
      const setup = await makeChargeableMandate(deps);
      const answer = await charge(await merchantToken(setup.merchantClient.id), twice(JSON.stringify(basic(setup))));
      expect([answer.status, answer.json["type"]]).toEqual([400, expect.stringMatching(/#invalid_request$/)]);
      expect(answer.text).toContain("has a repeated member");
      expect(await deps.db.prisma.charge.count({ where: { mandateId: setup.mandateId } })).toBe(0);
    },
  );

  test.each([null, "", "a b", "x".repeat(256), "ü"])("returns 400 for the Idempotency-Key %s", async (key) => {
    const setup = await makeChargeableMandate(deps);
    expect((await charge(await merchantToken(setup.merchantClient.id), basic(setup), key)).status).toBe(400);
  });

  test("the Idempotency-Key is required on every POST that moves money: capture, void and refunds too", async () => {
    const setup = await makeChargeableMandate(deps);
    const token = await merchantToken(setup.merchantClient.id);
    const held = await charge(token, { ...basic(setup), capture_method: "manual" });
    const paid = await charge(token, basic(setup));
    const counters = await setup.counters();
    for (const [endpoint, id, act] of [
      [captureChargeEndpoint, held.json["id"], "capture"],
      [voidChargeEndpoint, held.json["id"], "void"],
      [createRefundEndpoint, paid.json["id"], "refunds"],
    ] as const) {
      for (const headers of [{}, { "idempotency-key": "a b" }] as Record<string, string>[]) {
        const answer = await call(serve(endpoint), `/merchant_test/charges/${id}/${act}`, { token, body: {}, headers });
        expect([answer.status, answer.json["type"]]).toEqual([400, expect.stringMatching(/#invalid_request$/)]);
      }
    }
    expect(await setup.counters()).toEqual(counters);
  });

  test("the charge object has exactly the documented members; next_action and decline only if they apply (docs/spec/payments.md, Charges)", async () => {
    const setup = await makeChargeableMandate(deps, { step_up_above: 500 });
    const token = await merchantToken(setup.merchantClient.id);
    const always = [
      "amount",
      "amount_captured",
      "amount_refunded",
      "capture_method",
      "created_at",
      "currency",
      "id",
      "mandate_id",
      "merchant_id",
      "metadata",
      "payer_presence",
      "reference",
      "status",
    ];
    const membersOf = (object: unknown) => Object.keys(Object(object)).sort();
    const waiting = await charge(token, { ...basic(setup), amount: 600 });
    expect(membersOf((await charge(token, basic(setup))).json)).toEqual(always);
    expect(membersOf(waiting.json)).toEqual([...always, "next_action"].sort());
    expect(membersOf(waiting.json["next_action"])).toEqual(["expires_at", "type", "url"]);
    const { pay } = bank.state;
    const decline = { declineCode: "insufficient_funds", retryable: true, advice: "Later." };
    bank.state.pay = async () => ({ kind: "declined", processorRef: null, ...decline });
    const declined = await charge(token, basic(setup));
    bank.state.pay = pay;
    const read = await call(serve(getChargeEndpoint), `/merchant_test/charges/${declined.json["charge_id"]}`, {
      token,
    });
    expect(membersOf(read.json)).toEqual([...always, "decline"].sort());
    expect(membersOf(read.json["decline"])).toEqual(["advice", "code", "decline_code", "retryable"]);
  });

  test("returns 403 with reasons; the remedy for an exceeded limit is a mandate for this payment only", async () => {
    const setup = await makeChargeableMandate(deps);
    const answer = await charge(await merchantToken(setup.merchantClient.id), { ...basic(setup), amount: 5_001 });
    expect(answer.status).toBe(403);
    const [reason] = answer.json["reasons"] as { code: string; remedy: { authorization_details: object[] } }[];
    expect(reason).toMatchObject({ code: "amount_exceeds_per_payment", constraint: "max_amount_per_payment" });
    expect(reason?.remedy.authorization_details).toMatchObject([
      {
        max_amount_per_payment: 5_001,
        max_total_amount: 5_001,
        max_payments: 1,
        payees: [{ id: setup.merchant.id }],
      },
    ]);
    const { readAuthorizationDetails } = await import("../../mandates/details/validate-authorization-details.ts");
    expect(
      readAuthorizationDetails(deps, {
        replaceable: null,
        at: deps.clock.now(),
        raw: reason?.remedy.authorization_details,
      }),
    ).toHaveLength(1);
  });

  test("returns the same 404 response for an unknown mandate and for another merchant's mandate", async () => {
    const setup = await makeChargeableMandate(deps);
    const other = await makeMerchant(deps);
    const token = await merchantToken((await makeMerchantClient(deps, other.id)).id);
    const foreign = await charge(token, basic(setup));
    const unknown = await charge(token, { ...basic(setup), mandate_id: newId("mdt") });
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect((await verify(token, basic(setup))).text).toBe(foreign.text);
  });

  test("returns 401 without a token and 403 without the scope, and stores nothing", async () => {
    const setup = await makeChargeableMandate(deps);
    expect((await charge("", basic(setup))).status).toBe(401);
    const reader = await merchantToken(setup.merchantClient.id, ["charges.read"]);
    expect((await charge(reader, basic(setup))).status).toBe(403);
    expect(await deps.db.prisma.charge.count({ where: { mandateId: setup.mandateId } })).toBe(0);
  });
});

describe("POST /merchant_test/verify-mandate", () => {
  test("returns 200 with the verdict and a receipt that our JWKS verifies, and counts nothing", async () => {
    const setup = await makeChargeableMandate(deps, { step_up_above: 99 });
    const before = await setup.counters();
    const { status, json } = await verify(await merchantToken(setup.merchantClient.id), {
      ...basic(setup),
      nonce: "n-1",
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      valid: true,
      mandate_id: setup.mandateId,
      status: "active",
      version: 1,
      reasons: [],
      step_up_required: true,
    });
    expect(json["status_list"]).toHaveLength(3);
    expect(json).not.toHaveProperty("left");
    const { payload, protectedHeader } = await compactVerify(
      String(json["receipt"]),
      createLocalJWKSet(deps.keys.jwks()),
    );
    expect(protectedHeader).toMatchObject({ typ: "paygrant-receipt+jwt", alg: "ES256" });
    const { receipt: _, ...verdict } = json;
    expect(JSON.parse(new TextDecoder().decode(payload))).toMatchObject({
      aud: setup.merchant.id,
      request: { amount: 100, nonce: "n-1" },
      verdict,
    });
    expect(await setup.counters()).toEqual(before);
  });

  test("returns 200 for a negative verdict too, with every reason", async () => {
    const setup = await makeChargeableMandate(deps, { payer_presence: ["in_session"] });
    const { status, json } = await verify(await merchantToken(setup.merchantClient.id), {
      ...basic(setup),
      amount: 9_999,
      payer_presence: "off_session",
    });
    expect(status).toBe(200);
    expect(json["valid"]).toBe(false);
    expect((json["reasons"] as { code: string }[]).map(({ code }) => code)).toEqual([
      "presence_not_allowed",
      "amount_exceeds_per_payment",
    ]);
  });

  test("the next call after Revoke returns mandate_revoked", async () => {
    const setup = await makeChargeableMandate(deps);
    await revokeMandate(deps, {
      mandateId: setup.mandateId,
      actor: { kind: "payer", id: setup.payer.id },
      requestId: "r",
    });
    const { json } = await verify(await merchantToken(setup.merchantClient.id), basic(setup));
    expect(json).toMatchObject({ valid: false, status: "revoked", reasons: [{ code: "mandate_revoked" }] });
  });

  test("the remaining budget is returned only if the payer allows it", async () => {
    const setup = await makeChargeableMandate(
      deps,
      {
        max_total_amount: 1_000,
        periodic_limits: [{ period: "week", alignment: "calendar", max_amount: 600, max_payments: 4 }],
      },
      { budgetVisible: true },
    );
    await setup.charge({ amount: 250 });
    const { json } = await verify(await merchantToken(setup.merchantClient.id), basic(setup));
    expect(json["left"]).toMatchObject([
      { constraint: "max_total_amount", amount: 750 },
      { constraint: "periodic_limits[week:calendar]", amount: 350, payments: 3 },
    ]);
  });
});

describe("reading charges", () => {
  const pathOf = (query: string) => `/merchant_test/charges${query}`;

  test("a merchant pages through its own charges by cursor, newest first", async () => {
    const setup = await makeChargeableMandate(deps);
    const token = await merchantToken(setup.merchantClient.id);
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.unshift((await setup.charge({ amount: 10 })).chargeId);
    const seen: string[] = [];
    let cursor = "";
    for (let page = 0; page < 3; page += 1) {
      const { json } = await call(serve(listChargesEndpoint), pathOf(`?limit=2${cursor}`), { token });
      const data = json["data"] as { id: string }[];
      seen.push(...data.map(({ id }) => id));
      expect(json["has_more"]).toBe(page < 2);
      cursor = `&starting_after=${data.at(-1)?.id}`;
    }
    expect([...seen].sort()).toEqual([...ids].sort());
    expect(new Set(seen).size).toBe(5);
  });

  test("another merchant's charge is not found, and isn't valid as a cursor", async () => {
    const [mine, other] = await Promise.all([makeChargeableMandate(deps), makeChargeableMandate(deps)]);
    const { chargeId } = await other.charge({});
    const token = await merchantToken(mine.merchantClient.id);
    expect((await call(serve(getChargeEndpoint), `/merchant_test/charges/${chargeId}`, { token })).status).toBe(404);
    expect((await call(serve(listChargesEndpoint), pathOf(`?starting_after=${chargeId}`), { token })).status).toBe(400);
    for (const limit of ["0", "101", "x", "-1"]) {
      expect((await call(serve(listChargesEndpoint), pathOf(`?limit=${limit}`), { token })).status).toBe(400);
    }
    const own = await merchantToken(other.merchantClient.id);
    expect(
      (await call(serve(getChargeEndpoint), `/merchant_test/charges/${chargeId}`, { token: own })).json,
    ).toMatchObject({
      id: chargeId,
      status: "succeeded",
    });
  });

  test("an agent reads only charges of the mandates that its token names (docs/spec/payments.md, Lists)", async () => {
    const [mine, other] = await Promise.all([makeChargeableMandate(deps), makeChargeableMandate(deps)]);
    const { chargeId } = await mine.charge({});
    const tokenOf = async (setup: Setup) => {
      const details = { type: "payment_mandate_v1", identifier: setup.mandateId };
      const grant = { id: setup.grant.id, epoch: 1, details: [details], authTime: deps.clock.now(), acr: "1" };
      const input = { subject: "pairwise", audience: deps.config.baseUrl, clientId: setup.agent.id, scopes: [] };
      return signAccessToken(deps, {
        ...input,
        jti: newSecret(),
        lifetimeSeconds: 300,
        clientEpoch: 1,
        jkt: null,
        grant,
      }).token;
    };
    const read = async (setup: Setup, mandateId: string) =>
      call(serve(listMandateChargesEndpoint), `/oauth/mandates/${mandateId}/charges`, { token: await tokenOf(setup) });
    expect((await read(mine, mine.mandateId)).json).toMatchObject({ data: [{ id: chargeId }], has_more: false });
    expect((await read(other, mine.mandateId)).status).toBe(404);
    expect((await read(mine, newId("mdt"))).status).toBe(404);
    // Another payer's mandate with the same client. A token that doesn't name the mandate can't read its charges.
    await deps.db.prisma.mandate.update({ where: { id: other.mandateId }, data: { clientId: mine.agent.id } });
    expect((await read(mine, other.mandateId)).status).toBe(404);
    const byClient = (scopes: string[]) =>
      call(serve(listMandateChargesEndpoint), `/oauth/mandates/${other.mandateId}/charges`, {
        token: signAccessToken(deps, {
          subject: mine.agent.id,
          audience: deps.config.baseUrl,
          clientId: mine.agent.id,
          scopes,
          jti: newSecret(),
          lifetimeSeconds: 600,
          clientEpoch: 1,
          jkt: null,
        }).token,
      });
    expect((await byClient(["grant_management_query"])).status).toBe(200);
    expect((await byClient(["grant_management_revoke"])).status).toBe(403);
  });
});

describe("POST /merchant_test/charges/{charge_id}/capture and /void over HTTP (docs/spec/payments.md, Capture and void)", () => {
  const manual = async (token: string, setup: Setup) => {
    const answer = await charge(token, { ...basic(setup), capture_method: "manual" });
    expect([answer.status, answer.json["status"]]).toEqual([201, "authorized"]);
    return `/merchant_test/charges/${answer.json["id"]}`;
  };
  const post = (
    path: string,
    token: string,
    { body = {}, key = newId("req") }: { body?: unknown; key?: string | null } = {},
  ) => {
    const handler = serve(path.endsWith("/capture") ? captureChargeEndpoint : voidChargeEndpoint);
    return call(handler, path, { token, body, headers: key === null ? {} : { "idempotency-key": key } });
  };

  test("return 200 with the charge; a repeated request gets the same bytes, with Idempotent-Replayed", async () => {
    const setup = await makeChargeableMandate(deps);
    const token = await merchantToken(setup.merchantClient.id);
    const path = await manual(token, setup);
    const first = await post(`${path}/capture`, token, { body: { amount: 60 }, key: "k" });
    expect([first.status, first.json["status"], first.json["amount_captured"]]).toEqual([
      200,
      "partially_captured",
      60,
    ]);
    expect(first.headers.get("location")).toBeNull();
    const again = await post(`${path}/capture`, token, { body: { amount: 60 }, key: "k" });
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([200, first.text, "true"]);
    const other = await manual(token, setup);
    expect((await post(`${other}/void`, token)).json).toMatchObject({ status: "voided", amount_captured: 0 });
    expect((await post(`${other}/void`, token)).status).toBe(409);
  });

  test.each([{ amount: "60" }, { amount: 0 }, { amount: 1.5 }, { amount: null }])(
    "return 400 and name the amount for %j",
    async (body) => {
      const setup = await makeChargeableMandate(deps);
      const token = await merchantToken(setup.merchantClient.id);
      const answer = await post(`${await manual(token, setup)}/capture`, token, { body });
      expect([answer.status, (answer.json["errors"] as object[])[0]]).toMatchObject([400, { pointer: "/amount" }]);
    },
  );

  test.each([undefined, "application/json", "application/x-www-form-urlencoded"])(
    "treat a missing body (Content-Type: %s) as an empty object, and capture or void the whole amount",
    async (contentType) => {
      const setup = await makeChargeableMandate(deps);
      const token = await merchantToken(setup.merchantClient.id);
      const postNothing = async (path: string) =>
        (
          await serve(path.endsWith("/capture") ? captureChargeEndpoint : voidChargeEndpoint)(
            new Request(`${deps.config.baseUrl}${path}`, {
              method: "POST",
              headers: {
                authorization: `Bearer ${token}`,
                "idempotency-key": newId("req"),
                ...(contentType === undefined ? {} : { "content-type": contentType }),
              },
            }),
          )
        ).json();
      expect(await postNothing(`${await manual(token, setup)}/capture`)).toMatchObject({ status: "captured" });
      expect(await postNothing(`${await manual(token, setup)}/void`)).toMatchObject({ status: "voided" });
    },
  );

  test("return 400 for a partial void and release nothing; return 415 or 400 for a body that isn't JSON", async () => {
    const setup = await makeChargeableMandate(deps);
    const token = await merchantToken(setup.merchantClient.id);
    const path = `${await manual(token, setup)}/void`;
    const send = async (body: string, type: string) =>
      (
        await serve(voidChargeEndpoint)(
          new Request(`${deps.config.baseUrl}${path}`, {
            method: "POST",
            headers: { authorization: `Bearer ${token}`, "idempotency-key": newId("req"), "content-type": type },
            body: Buffer.from(body, "latin1"),
          }),
        )
      ).status;
    expect((await post(path, token, { body: { amount: 1 } })).status).toBe(400);
    expect([await send("amount=1", "text/plain"), await send("\xc3(", "text/plain")]).toEqual([415, 400]);
    expect(await setup.counters()).toMatchObject({ held: 100n, used: 0n });
    expect((await post(path, token)).json).toMatchObject({ status: "voided" });
  });

  test("return 400 without a key, 403 without the scope, and 404 for another merchant", async () => {
    const [setup, other] = await Promise.all([makeChargeableMandate(deps), makeChargeableMandate(deps)]);
    const token = await merchantToken(setup.merchantClient.id);
    const path = await manual(token, setup);
    for (const act of ["capture", "void"]) {
      const withoutKey = await post(`${path}/${act}`, token, { key: null });
      expect([withoutKey.status, withoutKey.text]).toEqual([400, expect.stringContaining("#Idempotency-Key")]);
      const reader = await merchantToken(setup.merchantClient.id, ["charges.read"]);
      expect((await post(`${path}/${act}`, reader)).status).toBe(403);
      expect((await post(`${path}/${act}`, await merchantToken(other.merchantClient.id))).status).toBe(404);
    }
    expect((await post(`${path}/capture`, token)).status).toBe(200);
  });
});

describe("POST and GET /merchant_test/charges/{charge_id}/refunds over HTTP (docs/spec/payments.md, Refunds)", () => {
  const refunds = serve(createRefundEndpoint);
  const post = (
    path: string,
    token: string,
    { body = {}, key = newId("req") }: { body?: unknown; key?: string | null } = {},
  ) => call(refunds, path, { token, body, headers: key === null ? {} : { "idempotency-key": key } });

  test("return 201 with the refund; a repeated request gets the same bytes; the list contains the refund once", async () => {
    const setup = await makeChargeableMandate(deps);
    const token = await merchantToken(setup.merchantClient.id);
    const path = `/merchant_test/charges/${(await setup.charge({})).chargeId}/refunds`;
    const first = await post(path, token, { body: { amount: 60 }, key: "k" });
    expect([first.status, first.json["status"], first.json["amount"]]).toEqual([201, "succeeded", 60]);
    const again = await post(path, token, { body: { amount: 60 }, key: "k" });
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([201, first.text, "true"]);
    expect((await post(path, token, { body: { amount: 941 } })).status).toBe(422);
    const list = await call(serve(listRefundsEndpoint), path, { token });
    expect([list.status, list.json]).toEqual([200, { data: [first.json], has_more: false }]);
  });

  test("return 400 and name an invalid field, 403 without refunds.write, and 404 for another merchant", async () => {
    const [setup, other] = await Promise.all([makeChargeableMandate(deps), makeChargeableMandate(deps)]);
    const token = await merchantToken(setup.merchantClient.id);
    const path = `/merchant_test/charges/${(await setup.charge({})).chargeId}/refunds`;
    for (const body of [{ amount: "60" }, { amount: 0 }, { amount: 1.5 }]) {
      const answer = await post(path, token, { body });
      expect([answer.status, (answer.json["errors"] as object[])[0]]).toMatchObject([400, { pointer: "/amount" }]);
    }
    expect((await post(path, token, { key: null })).text).toContain("#Idempotency-Key");
    const writer = await merchantToken(setup.merchantClient.id, ["charges.write"]);
    expect((await post(path, writer)).status).toBe(403);
    expect((await call(serve(listRefundsEndpoint), path, { token: writer })).status).toBe(403);
    const foreign = await merchantToken(other.merchantClient.id);
    expect((await post(path, foreign)).status).toBe(404);
    expect((await call(serve(listRefundsEndpoint), path, { token: foreign })).status).toBe(404);
  });
});
