import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, postForm, postJson, send, textOf, untilAnswered } from "../support/answers/wire.ts";
import { currentInstance, isBehindProxy } from "../support/instance.ts";
import { decide, openConsent, signIn } from "../support/oauth/consent-driver.ts";
import * as flow from "../support/oauth/mandate-flow.ts";
import { assertionType, makeKey, signAssertion, signProof } from "../support/oauth/oauth-client.ts";
import {
  clientToken,
  type Merchant,
  makeInitialAccessToken,
  type Party,
  postAs,
  registerAgent,
  registerMerchant,
} from "../support/oauth/parties.ts";
import { listPayments, movedAmount } from "../support/peers/simulator-ledger.ts";
import { listRole } from "../support/processes.ts";
import { waitUntil } from "../support/wait-until.ts";

const { sandboxUrl, productionUrl, dataDirectory } = currentInstance();
const times = 50;

/** Sends all requests in parallel. The supervisor distributes the connections to the web processes in turn. */
const race = (act: (index: number) => Promise<Answer>, total = times): Promise<Answer[]> =>
  Promise.all(Array.from({ length: total }, (_, index) => untilAnswered(() => act(index))));

const tally = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, json } of answers) {
    const problem = String(json?.["type"] ?? "").split("#")[1];
    const name = [status, json?.["error"] ?? problem].filter(Boolean).join(" ");
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};

let agent: Party;
let merchant: Merchant;
beforeAll(async () => {
  [agent, merchant] = await Promise.all([registerAgent(sandboxUrl), registerMerchant(sandboxUrl)]);
});

// Behind a proxy, one of the two web processes isn't a child of the supervisor.
test.skipIf(isBehindProxy)("both web processes of each environment answer", async () => {
  expect((await listRole(dataDirectory, "web")).length).toBe(4);
});

describe("of 50 parallel uses, only the allowed uses succeed (docs/spec/oauth.md, Replay protection)", () => {
  test("a client assertion (RFC 7523 §3)", async () => {
    const assertion = await signAssertion(merchant, sandboxUrl);
    const fields = {
      grant_type: "client_credentials",
      client_assertion_type: assertionType,
      client_assertion: assertion,
    };
    const answers = await race(() => postForm(`${sandboxUrl}/oauth/token`, fields));
    expect(tally(answers)).toEqual({ "200": 1, "401 invalid_client": times - 1 });
  });

  test("a client assertion, over three endpoints", async () => {
    const assertion = await signAssertion(agent, sandboxUrl);
    const fields = { token: "x", client_assertion_type: assertionType, client_assertion: assertion };
    const paths = ["/oauth/introspect", "/oauth/revoke", "/oauth/introspect"];
    const answers = await race((index) => postForm(`${sandboxUrl}${paths[index % 3]}`, fields));
    expect(tally(answers)).toEqual({ "200": 1, "401 invalid_client": times - 1 });
  });

  test("an authorization code; its reuse revokes the tokens of the first use but not the mandate (RFC 6749 §4.1.2)", async () => {
    const pushed = await flow.obtainCode(agent, [flow.mandateDetails(merchant.merchantId)]);
    const answers = await race(() => postAs(agent, "/oauth/token", { form: flow.codeForm(pushed), dpop: pushed.dpop }));
    expect(tally(answers)).toEqual({ "200": 1, "400 invalid_grant": times - 1 });
    const winner = answers.find(({ status }) => status === 200);
    if (!winner) throw new Error("no request succeeded");
    const introspection = await postAs(agent, "/oauth/introspect", { form: { token: textOf(winner, "access_token") } });
    expect(introspection.text).toBe('{"active":false}');
    const refreshed = { grant_type: "refresh_token", refresh_token: textOf(winner, "refresh_token") };
    expect(tally([await postAs(agent, "/oauth/token", { form: refreshed, dpop: pushed.dpop })])).toEqual({
      "400 invalid_grant": 1,
    });
    const charged = await flow.merchantPost(
      { merchant, merchantToken: await clientToken(merchant) },
      "/merchant_test/charge",
      { body: flow.chargeBody({ mandateId: flow.mandateIdOf(winner) }), headers: { "idempotency-key": randomUUID() } },
    );
    expect(charged.status).toBe(201);
  });

  test("a decision about a request_uri: the first form wins, and sending it again repeats its redirect (docs/spec/oauth.md, Authorization endpoint)", async () => {
    const { form } = flow.pushFields([flow.mandateDetails(merchant.merchantId)]);
    const requestUri = textOf(await postAs(agent, "/oauth/par", { form }), "request_uri");
    const cookie = await signIn(sandboxUrl);
    const page = await openConsent(sandboxUrl, { clientId: agent.id, requestUri }, cookie);
    const answers = await race((index) => decide(page, cookie, { decision: index % 2 ? "approve" : "decline" }));
    const targets = answers.map(({ headers }) => new URL(headers.get("location") ?? "", sandboxUrl));
    expect(answers.every(({ status }) => status === 303)).toBe(true);
    // The form that succeeded gets the same redirect each time it is sent. The other form has no effect.
    const decided = targets.filter(({ origin }) => origin !== sandboxUrl);
    expect(decided).toHaveLength(answers.length / 2);
    expect(new Set(decided.map(({ href }) => href)).size).toBe(1);
    const query = new URLSearchParams({ client_id: agent.id, request_uri: requestUri });
    expect((await send(`${sandboxUrl}/oauth/authorize?${query}`)).status).toBe(400);
  });

  test.each(["/oauth/par", "/oauth/token"])("a DPoP proof at %s (RFC 9449 §11.1)", async (path) => {
    const dpop = await makeKey();
    const proof = await signProof(dpop, { url: `${sandboxUrl}${path}` });
    const { form } = flow.pushFields([flow.mandateDetails(merchant.merchantId)]);
    const answers = await race(() =>
      path === "/oauth/par"
        ? postAs(agent, path, { form, proof })
        : postAs(merchant, path, { form: { grant_type: "client_credentials" }, proof }),
    );
    expect(tally(answers)).toEqual({ [path === "/oauth/par" ? "201" : "200"]: 1, "400 invalid_dpop_proof": times - 1 });
  });

  test("a DPoP proof at a charge: one charge, although each request has its own Idempotency-Key", async () => {
    const mandate = await flow.makeChargeableMandate(sandboxUrl);
    const dpop = await makeKey();
    const url = `${sandboxUrl}/merchant_test/charge`;
    const bound = await postAs(mandate.merchant, "/oauth/token", { form: { grant_type: "client_credentials" }, dpop });
    const accessToken = textOf(bound, "access_token");
    const headers = { authorization: `DPoP ${accessToken}`, dpop: await signProof(dpop, { url, accessToken }) };
    const answers = await race(() =>
      postJson(url, flow.chargeBody(mandate), { ...headers, "idempotency-key": randomUUID() }),
    );
    expect(tally(answers)).toEqual({ "201": 1, "401 invalid_dpop_proof": times - 1 });
    expect(await listPayments("sandbox", mandate.merchant.merchantId)).toHaveLength(1);
  });

  test("a rotated refresh token has one successor, which every identical retry gets (docs/spec/oauth.md, Refresh tokens)", async () => {
    const bearer = await registerAgent(sandboxUrl, { metadata: { dpop_bound_access_tokens: false } });
    const pushed = await flow.obtainCode(bearer, [flow.mandateDetails(merchant.merchantId)]);
    const first = await postAs(bearer, "/oauth/token", { form: flow.codeForm(pushed), dpop: pushed.dpop });
    const fields = { grant_type: "refresh_token", refresh_token: textOf(first, "refresh_token") };
    const answers = await race(() => postAs(bearer, "/oauth/token", { form: fields }));
    expect(tally(answers)).toEqual({ "200": times });
    expect(new Set(answers.map((answer) => textOf(answer, "refresh_token"))).size).toBe(1);
    expect(new Set(answers.map((answer) => textOf(answer, "access_token"))).size).toBe(times);
  });

  test("an initial access token of five uses registers exactly five clients (RFC 7591 §3)", async () => {
    const { token } = await makeInitialAccessToken("production", "agent");
    const { publicJwk } = await makeKey();
    const metadata = { redirect_uris: ["https://bot.example/cb"], jwks: { keys: [publicJwk] } };
    const answers = await race(() =>
      postJson(`${productionUrl}/oauth/register`, metadata, { authorization: `Bearer ${token}` }),
    );
    expect(tally(answers)).toEqual({ "201": 5, "401 invalid_token": times - 5 });
  });
});

describe("an Idempotency-Key used 50 times in parallel makes one charge (docs/spec/payments.md, Idempotency)", () => {
  test("with the same body", async () => {
    const mandate = await flow.makeChargeableMandate(sandboxUrl);
    const key = randomUUID();
    const answers = await race(() => flow.chargeUntilFinal(mandate, {}, { key }));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    // If the first response asked for a retry, all 201 responses are repetitions.
    expect(made.filter(({ headers }) => headers.get("idempotent-replayed") === null).length).toBeLessThanOrEqual(1);
    const others = answers.filter(({ status }) => status !== 201);
    expect(Object.keys(tally(others)).every((name) => name === "409 idempotency_key_in_use")).toBe(true);
    for (const { headers } of others) expect(headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await listPayments("sandbox", mandate.merchant.merchantId)).toHaveLength(1);
  });

  test("with other bodies", async () => {
    const mandate = await flow.makeChargeableMandate(sandboxUrl);
    const key = randomUUID();
    const answers = await race((index) => flow.chargeUntilFinal(mandate, { amount: 100 + index }, { key }));
    expect(tally(answers)).toEqual({ "201": 1, "422 idempotency_key_reused": times - 1 });
    expect(await listPayments("sandbox", mandate.merchant.merchantId)).toHaveLength(1);
  });

  test("for each of two merchants, because each merchant has its own keys", async () => {
    const [one, other] = [await flow.makeChargeableMandate(sandboxUrl), await flow.makeChargeableMandate(sandboxUrl)];
    const key = randomUUID();
    const answers = await race((index) => flow.chargeUntilFinal(index % 2 ? one : other, {}, { key }));
    expect(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(2);
  });
});

describe("200 parallel charges at the limit never exceed it (docs/spec/payments.md, Charges)", () => {
  const caps = [
    ["max_total_amount", { max_total_amount: 5_000, max_amount_per_payment: 100 }, "total_limit_exceeded"],
    ["max_payments", { max_payments: 50 }, "count_limit_exceeded"],
    [
      "a day's max_amount",
      { periodic_limits: [{ period: "day", alignment: "calendar", max_amount: 5_000 }] },
      "period_limit_exceeded",
    ],
    [
      "a month's max_payments",
      { periodic_limits: [{ period: "month", alignment: "consent", max_payments: 50 }] },
      "count_limit_exceeded",
    ],
  ] as const;

  test.each(caps)("%s", async (_name, limits, code) => {
    const mandate = await flow.makeChargeableMandate(sandboxUrl, limits);
    const answers = await race(() => flow.chargeUntilFinal(mandate, { amount: 100 }), 200);
    expect(tally(answers)).toEqual({ "201": 50, "403 refused_by_mandate": 150 });
    const codes = answers.flatMap(({ json }) =>
      ((json?.["reasons"] ?? []) as { code: string }[]).map((reason) => reason.code),
    );
    expect([...new Set(codes)].filter((found) => found !== code && found !== "mandate_consumed")).toEqual([]);
    const payments = await listPayments("sandbox", mandate.merchant.merchantId);
    expect(movedAmount(payments)).toBe(5_000);
    expect(payments).toHaveLength(50);
  });

  test("charges of many sizes, some declined: the money taken equals the successful charges and stays within the limit", async () => {
    const mandate = await flow.makeChargeableMandate(sandboxUrl, {
      max_total_amount: 10_000,
      max_amount_per_payment: 900,
    });
    const answers = await race((index) => {
      const metadata = index % 5 === 0 ? { simulate: "decline:insufficient_funds" } : {};
      return flow.chargeUntilFinal(mandate, { amount: 1 + ((index * 37) % 900), metadata });
    }, 200);
    const sum = answers
      .filter(({ status }) => status === 201)
      .reduce((total, { json }) => total + Number(json?.["amount"]), 0);
    expect(Object.keys(tally(answers)).sort()).toEqual(["201", "402 card_declined", "403 refused_by_mandate"]);
    expect(movedAmount(await listPayments("sandbox", mandate.merchant.merchantId))).toBe(sum);
    expect(sum).toBeLessThanOrEqual(10_000);
    // Declined charges have released their holds, so the remaining budget can be charged.
    const rest = 10_000 - sum;
    if (rest > 0) expect((await flow.chargeUntilFinal(mandate, { amount: Math.min(rest, 900) })).status).toBe(201);
  });
});

test("no charge succeeds after a revocation; the money taken equals the charges that succeeded before it (docs/spec/payments.md, Charges)", async () => {
  const mandate = await flow.makeChargeableMandate(sandboxUrl);
  let isRevoked = false;
  const early: Answer[] = [];
  const late: Answer[] = [];
  const chargeUntilRefusedLate = async () => {
    while (late.length < times) {
      const answers = isRevoked ? late : early;
      answers.push(await flow.chargeUntilFinal(mandate, { amount: 100 }));
    }
  };
  const charging = Promise.all(Array.from({ length: 20 }, chargeUntilRefusedLate));
  await waitUntil(async () => early.some(({ status }) => status === 201));
  expect((await postAs(mandate.agent, "/oauth/revoke", { form: { token: mandate.refreshToken } })).status).toBe(200);
  isRevoked = true;
  await charging;
  expect(Object.keys(tally(late))).toEqual(["403 refused_by_mandate"]);
  const made = early.filter(({ status }) => status === 201).length;
  expect(made).toBeGreaterThan(0);
  expect(movedAmount(await listPayments("sandbox", mandate.merchant.merchantId))).toBe(made * 100);
});
