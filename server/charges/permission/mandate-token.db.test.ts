import { calculateJwkThumbprint } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant, makeMerchantClient } from "#e2e/support/factories.ts";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { denyToken } from "../../data/oauth/liveness.ts";
import { newId } from "../../kernel/ids.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import { suspendMandate } from "../../mandates/lifecycle/suspend-mandate.ts";
import type { ChargeRequest } from "../charge/charge.wire.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { askingOf, makeMandateToken, prove } from "./presenting.fixture.ts";

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
beforeAll(async () => {
  deps = await createTestDeps({
    processors: { get: (name) => bank.processors.get(name) },
    config: { productionUrl: "https://pay.example" },
  });
});
beforeEach(() => {
  bank = scriptedProcessor();
});
afterAll(() => deps.close());

const { chargeBy, verifyBy } = askingOf(() => deps);

/** One charge by `token` with a fresh proof. */
const spend = async (setup: Setup, token: string, request: Partial<ChargeRequest> = {}) =>
  chargeBy(setup, { mandate_token: token, mandate_token_proof: await prove(deps, setup, { token }), ...request });

const charges = (setup: Setup) => deps.db.prisma.charge.count({ where: { mandateId: setup.mandateId } });

describe("a mandate token with its holder's proof (docs/spec/payments.md, Who may use a mandate)", () => {
  test("lets a merchant charge, each time with a fresh proof, even if payees doesn't name that merchant", async () => {
    const setup = await makeChargeableMandate(deps, { payees: [] });
    const token = await makeMandateToken(deps, setup);
    expect((await spend(setup, token)).status).toBe(201);
    expect((await spend(setup, token)).status).toBe(201);
    expect(await setup.counters()).toMatchObject({ used: 2_000n, held: 0n });
  });

  test("accepts each proof once for a charge; verify doesn't consume the proof", async () => {
    const setup = await makeChargeableMandate(deps);
    const token = await makeMandateToken(deps, setup);
    const verifying = {
      mandate_token: token,
      mandate_token_proof: await prove(deps, setup, { token, options: { path: "/merchant_test/verify-mandate" } }),
    };
    for (let turn = 0; turn < 2; turn += 1) expect(await verifyBy(setup, verifying)).toMatchObject({ valid: true });
    const proof = await prove(deps, setup, { token });
    const charging = { mandate_token: token, mandate_token_proof: proof };
    const first = await chargeBy(setup, charging, { key: "once" });
    expect(await chargeBy(setup, charging, { key: "once" })).toMatchObject({ body: first.body, isRepeat: true });
    expect((await refusalOf(chargeBy(setup, charging))).reasons).toEqual(["replayed"]);
    const sameJti = await prove(deps, setup, { token, options: { claims: { jti: "j-1", note: 1 } } });
    const other = await prove(deps, setup, { token, options: { claims: { jti: "j-1", note: 2 } } });
    expect((await chargeBy(setup, { ...charging, mandate_token_proof: sameJti })).status).toBe(201);
    expect((await refusalOf(chargeBy(setup, { ...charging, mandate_token_proof: other }))).reasons).toEqual([
      "replayed",
    ]);
  });

  test("twenty concurrent requests with one proof make one charge", async () => {
    const setup = await makeChargeableMandate(deps);
    const token = await makeMandateToken(deps, setup);
    const charging = { mandate_token: token, mandate_token_proof: await prove(deps, setup, { token }), amount: 100 };
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => chargeBy(setup, charging)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect([await charges(setup), bank.state.calls]).toEqual([1, 1]);
  });
});

describe("a token has its own limits, and its payments are counted under its spend_id (docs/spec/oauth.md, Token exchange)", () => {
  test("refuses payments above the token's narrower caps, even if the mandate would allow them", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 20_000 });
    const token = await makeMandateToken(deps, setup, {
      details: { max_amount_per_payment: 1_500, max_total_amount: 2_000, max_payments: 2 },
    });
    expect((await refusalOf(spend(setup, token, { amount: 1_501 }))).reasons).toEqual(["amount_exceeds_per_payment"]);
    expect((await spend(setup, token, { amount: 1_500 })).status).toBe(201);
    expect((await refusalOf(spend(setup, token, { amount: 501 }))).reasons).toEqual(["total_limit_exceeded"]);
    expect((await spend(setup, token, { amount: 500 })).status).toBe(201);
    expect((await refusalOf(spend(setup, token, { amount: 1 }))).reasons).toEqual([
      "total_limit_exceeded",
      "count_limit_exceeded",
    ]);
    // Another token of the same mandate has its own counter.
    expect((await spend(setup, await makeMandateToken(deps, setup), { amount: 501 })).status).toBe(201);
  });

  test("counts only payments made with the token towards its periodic limit", async () => {
    const setup = await makeChargeableMandate(deps);
    await setup.charge({ amount: 900 });
    const token = await makeMandateToken(deps, setup, {
      details: { periodic_limits: [{ period: "year", alignment: "consent", max_amount: 1_000 }] },
    });
    expect((await spend(setup, token, { amount: 600 })).status).toBe(201);
    expect((await refusalOf(spend(setup, token, { amount: 401 }))).reasons).toEqual(["period_limit_exceeded"]);
  });

  test("refuses a payment between the mandate's valid_from and the token's later valid_from: outside_validity_window", async () => {
    const setup = await makeChargeableMandate(deps);
    const valid_from = new Date(deps.clock.now().getTime() + 60_000).toISOString();
    const token = await makeMandateToken(deps, setup, { details: { valid_from } });
    expect((await refusalOf(spend(setup, token))).reasons).toEqual(["outside_validity_window"]);
    deps.clock.advance(60);
    expect((await spend(setup, token)).status).toBe(201);
  });

  test("releases the amount of a declined charge", async () => {
    const setup = await makeChargeableMandate(deps);
    const token = await makeMandateToken(deps, setup, { details: { max_total_amount: 1_000 } });
    const { pay } = bank.state;
    bank.state.pay = async () => ({
      kind: "declined",
      processorRef: "r",
      declineCode: "generic",
      retryable: true,
      advice: "",
    });
    expect((await spend(setup, token)).status).toBe(402);
    bank.state.pay = pay;
    expect((await spend(setup, token)).status).toBe(201);
  });

  test("never exceeds its total under twenty concurrent charges", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 20_000 });
    const token = await makeMandateToken(deps, setup, { details: { max_total_amount: 1_000 } });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => spend(setup, token, { amount: 300 })));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await setup.counters()).toMatchObject({ used: 900n, held: 0n, usedCount: 3n });
  });
});

describe("an invalid mandate token or proof returns its reason and charges nothing", () => {
  const rows: [string, string, (setup: Setup) => Promise<Partial<ChargeRequest>>][] = [
    ["text that is not a JWT", "invalid_signature", async () => ({ mandate_token: "eyJ", mandate_token_proof: "eyJ" })],
    ...(
      [
        ["another issuer", "untrusted_issuer", { iss: "https://evil.example" }],
        ["production's issuer in the sandbox", "wrong_environment", { iss: "https://pay.example" }],
        ["production's env in the sandbox", "wrong_environment", { env: "production" }],
        ["an expired token", "credential_expired", { exp: 1 }],
        ["a token whose exp is text", "credential_expired", { exp: "soon" as never }],
        ["another merchant's aud", "audience_mismatch", { aud: "mch_other" }],
        [
          "two mandates",
          "presentation_mismatch",
          { authorization_details: [{ identifier: "a" }, { identifier: "b" }] },
        ],
        ["an earlier grant epoch", "credential_expired", { grant_epoch: 0 }],
      ] as const
    ).map(([name, code, claims]): [string, string, (setup: Setup) => Promise<Partial<ChargeRequest>>] => [
      name,
      code,
      async (own) => {
        const mandate_token = await makeMandateToken(deps, own, { claims });
        return { mandate_token, mandate_token_proof: await prove(deps, own, { token: mandate_token }) };
      },
    ]),
    ["no proof", "key_binding_missing", async (own) => ({ mandate_token: await makeMandateToken(deps, own) })],
  ];
  test.each(rows)("%s: %s", async (_name, code, make) => {
    const setup = await makeChargeableMandate(deps);
    const request = await make(setup);
    expect(await refusalOf(chargeBy(setup, request))).toMatchObject({ kind: "forbidden", reasons: [code] });
    expect(await charges(setup)).toBe(0);
  });

  const proofs: [
    string,
    string,
    Parameters<typeof prove>[2]["options"] | (() => Promise<Parameters<typeof prove>[2]["options"]>),
  ][] = [
    ["for verify", "audience_mismatch", { path: "/merchant_test/verify-mandate" }],
    ["for another method", "audience_mismatch", { method: "GET" }],
    ["with the ath of another token", "presentation_mismatch", { claims: { ath: "x" } }],
    ["of two minutes ago", "credential_expired", { claims: { iat: 1 } }],
    ["that has expired", "credential_expired", { claims: { exp: 1 } }],
    ["whose exp isn't a number", "credential_expired", { claims: { exp: "soon" } }],
    ["that isn't valid yet", "credential_expired", { claims: { nbf: 9_999_999_999 } }],
    ["with a nonce that we didn't issue", "nonce_mismatch", { claims: { nonce: "made-up" } }],
    ["without jti", "invalid_signature", { claims: { jti: "" } }],
    ["signed by another key", "invalid_signature", async () => ({ key: await makeKey() })],
  ];
  test.each(proofs)("a proof %s: %s", async (_name, code, options) => {
    const setup = await makeChargeableMandate(deps);
    const token = await makeMandateToken(deps, setup);
    const made = typeof options === "function" ? await options() : options;
    const request = { mandate_token: token, mandate_token_proof: await prove(deps, setup, { token, options: made }) };
    expect(await refusalOf(chargeBy(setup, request))).toMatchObject({ kind: "forbidden", reasons: [code] });
    expect(await charges(setup)).toBe(0);
  });

  test("the agent's own access token isn't a mandate token: invalid_signature", async () => {
    const setup = await makeChargeableMandate(deps);
    const { signAccessToken } = await import("../../oauth/tokens/sign-access-token.ts");
    const { token } = signAccessToken(deps, {
      jti: newId("req"),
      subject: "s",
      audience: setup.merchant.id,
      clientId: setup.agent.id,
      scopes: [],
      lifetimeSeconds: 300,
      clientEpoch: 1,
      jkt: await calculateJwkThumbprint(setup.agent.publicJwk),
    });
    expect((await refusalOf(spend(setup, token))).reasons).toEqual(["invalid_signature"]);
  });

  test("a revoked token: credential_expired; a token of a suspended mandate: mandate_suspended", async () => {
    const setup = await makeChargeableMandate(deps);
    const jti = newId("req");
    const token = await makeMandateToken(deps, setup, { claims: { jti } });
    await denyToken(deps.db.sql, { jti, expiresAt: new Date((epochSeconds(deps.clock.now()) + 300) * 1000) });
    expect((await refusalOf(spend(setup, token))).reasons).toEqual(["credential_expired"]);
    const live = await makeMandateToken(deps, setup);
    const actor = { kind: "payer", id: setup.payer.id } as const;
    await suspendMandate(deps, { mandateId: setup.mandateId, actor, requestId: "r" });
    expect((await refusalOf(spend(setup, live))).reasons).toEqual(["mandate_suspended"]);
  });

  test("a token addressed to a merchant that isn't a payee: payee_not_allowed", async () => {
    const setup = await makeChargeableMandate(deps);
    const other = await makeMerchant(deps);
    const own = { ...setup, merchant: other, merchantClient: await makeMerchantClient(deps, other.id) };
    const token = await makeMandateToken(deps, own);
    expect((await refusalOf(spend(own, token))).reasons).toEqual(["payee_not_allowed"]);
  });
});
