import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchantClient } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { addressHeader } from "../../contract/headers.ts";
import { parseRateLimits } from "../../contract/limit-classes.ts";
import type { RateLimiter } from "../../http/limits/rate-limiter.ts";
import { startRateLimiter } from "../../http/limits/start-rate-limiter.ts";
import { provideDeps, provideRateLimiter } from "../../http/runtime.ts";
import { serve } from "../../http/serve.ts";
import { newSecret } from "../../kernel/ids.ts";
import { signAccessToken } from "../../oauth/tokens/sign-access-token.ts";
import { chargeEndpoint } from "./charge.ts";
import { verifyMandateEndpoint } from "./verify-mandate.ts";

let deps: TestDeps;
let limiter: RateLimiter;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
  limiter = startRateLimiter({ db: deps.db, config: { rateLimits: parseRateLimits("") }, log: deps.log });
  provideDeps(deps);
  provideRateLimiter(limiter);
});
afterAll(async () => {
  await limiter.stop();
  await deps.close();
});

const tokenOf = (clientId: string) => {
  const audience = `${deps.config.baseUrl}/merchant_test`;
  const scopes = ["mandates.verify", "charges.write"];
  const input = { subject: clientId, audience, clientId, scopes, lifetimeSeconds: 600 };
  return signAccessToken(deps, { ...input, clientEpoch: 1, jkt: null, jti: newSecret() }).token;
};

const asking =
  (endpoint: Endpoint) =>
  async (token: string, fields: object, address = "203.0.113.7") => {
    const authorization = { authorization: `Bearer ${token}`, "idempotency-key": newSecret() };
    const response = await serve(endpoint)(
      new Request(`${deps.config.baseUrl}${endpoint.path}`, {
        method: "POST",
        headers: { ...authorization, "content-type": "application/json", [addressHeader]: address },
        body: JSON.stringify({ amount: 100, currency: "EUR", payer_presence: "in_session", ...fields }),
      }),
    );
    return { status: response.status, headers: response.headers, json: await response.json() };
  };
const verify = asking(verifyMandateEndpoint);
const charge = asking(chargeEndpoint);

/**
 * Repeats `attempt` until the rate limit refuses it.
 * @returns `passed`: how many requests were answered before the refusal; `refused`: the refusal; `refilled`: how many
 *   more requests the limit may have allowed in the meantime.
 */
const untilRefused = async (attempt: () => ReturnType<typeof verify>) => {
  const startedAt = performance.now();
  for (let passed = 0; passed < 100; passed += 1) {
    const refused = await attempt();
    if (refused.status === 429)
      return { passed, refused, refilled: Math.ceil((performance.now() - startedAt) / 2_000) };
  }
  throw new Error("never refused");
};

describe("budget answers are limited to 30 a minute per merchant and mandate (docs/spec/payments.md, Verify a mandate)", () => {
  test("returns 30 refusals because of a mandate's limit, then 429 with Retry-After; requests that don't reveal the budget still get answers", async () => {
    const setup = await makeChargeableMandate(deps);
    const token = tokenOf(setup.merchantClient.id);
    const ask = (amount: number) => verify(token, { mandate_id: setup.mandateId, amount });
    for (let count = 0; count < 40; count += 1) expect((await ask(100)).json).toMatchObject({ valid: true });
    const { passed, refused, refilled } = await untilRefused(() => ask(5_001));
    expect(passed).toBeGreaterThanOrEqual(30);
    expect(passed).toBeLessThanOrEqual(30 + refilled);
    expect(refused.json).toMatchObject({ status: 429, type: expect.stringMatching(/too_many_requests$/) });
    expect(refused.json).not.toHaveProperty("reasons");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(refused.headers.get("ratelimit-policy")).toContain('"budget-client";q=30;w=60');
    expect(refused.headers.get("ratelimit")).toMatch(/"budget-client";r=0;/);
    expect((await ask(100)).status).toBe(200);
    expect((await verify(token, { mandate_id: setup.mandateId, currency: "USD" })).json).toMatchObject({
      reasons: [{ code: "currency_mismatch" }],
    });
  });

  test("answers with the remaining budget are counted for all clients of the merchant together, and for each mandate separately", async () => {
    const one = await makeChargeableMandate(deps, { max_total_amount: 1_000 }, { budgetVisible: true });
    const colleague = await makeMerchantClient(deps, one.merchant.id);
    const tokens = [tokenOf(one.merchantClient.id), tokenOf(colleague.id)];
    let turn = 0;
    const { passed, refilled } = await untilRefused(() => {
      turn += 1;
      return verify(tokens[turn % 2] ?? "", { mandate_id: one.mandateId });
    });
    expect(passed).toBeGreaterThanOrEqual(30);
    expect(passed).toBeLessThanOrEqual(30 + refilled);
    const other = await makeChargeableMandate(deps, { max_total_amount: 1_000 }, { budgetVisible: true });
    const answer = await verify(tokenOf(other.merchantClient.id), { mandate_id: other.mandateId });
    expect(answer.json).toMatchObject({ left: [{ constraint: "max_total_amount", amount: 1_000 }] });
  });

  test("a charge that is refused because of a mandate's limit also reveals the budget, so it counts like a verification", async () => {
    const setup = await makeChargeableMandate(deps);
    const token = tokenOf(setup.merchantClient.id);
    const tooMuch = { mandate_id: setup.mandateId, amount: 5_001 };
    let turn = 0;
    const { passed, refused, refilled } = await untilRefused(() => {
      turn += 1;
      return (turn % 2 ? charge : verify)(token, tooMuch);
    });
    expect(passed).toBeGreaterThanOrEqual(30);
    expect(passed).toBeLessThanOrEqual(30 + refilled);
    expect(refused.json).not.toHaveProperty("reasons");
    expect((await charge(token, { ...tooMuch, amount: 100 })).status).toBe(201);
  });

  test("the audit entry of the refusal has the merchant as actor and the mandate as subject", async () => {
    const setup = await makeChargeableMandate(deps);
    const token = tokenOf(setup.merchantClient.id);
    await untilRefused(() => verify(token, { mandate_id: setup.mandateId, amount: 5_001 }));
    await limiter.share();
    const findEntries = () => deps.db.prisma.$queryRaw`
      SELECT actor_kind, actor_id, data FROM audit_entry WHERE subject_id = ${setup.mandateId} AND action = 'request.rate_limited'`;
    // `share` may have waited for a report that began before the refusal, so the entry may appear later.
    await expect.poll(findEntries).toEqual([
      {
        actor_kind: "merchant",
        actor_id: setup.merchant.id,
        data: { operation: "verifyMandate", policy: "budget-client" },
      },
    ]);
  });

  test("the limit doesn't apply on loopback with the embedded database (docs/spec/product.md, Rate limits)", async () => {
    const setup = await makeChargeableMandate(deps);
    const token = tokenOf(setup.merchantClient.id);
    provideDeps({ ...deps, config: { ...deps.config, isEmbedded: true } });
    for (let count = 0; count < 70; count += 1) {
      const answer = await verify(token, { mandate_id: setup.mandateId, amount: 5_001 }, "127.0.0.1");
      expect(answer.status).toBe(200);
    }
    provideDeps(deps);
  });
});
