import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { denyToken } from "../../data/oauth/liveness.ts";
import { provideDeps } from "../../http/runtime.ts";
import { serve } from "../../http/serve.ts";
import { newSecret } from "../../kernel/ids.ts";
import { signAccessToken } from "../../oauth/tokens/sign-access-token.ts";
import { verifyMandateEndpoint } from "./verify-mandate.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
  provideDeps(deps);
});
afterAll(() => deps.close());

const tokenOf = (clientId: string) => {
  const audience = `${deps.config.baseUrl}/merchant_test`;
  const jti = newSecret();
  const input = { subject: clientId, audience, clientId, scopes: ["mandates.verify"], lifetimeSeconds: 600 };
  return { jti, ...signAccessToken(deps, { ...input, clientEpoch: 1, jkt: null, jti }) };
};

const verify = async (token: string, mandateId: string, amount: number) => {
  const response = await serve(verifyMandateEndpoint)(
    new Request(`${deps.config.baseUrl}/merchant_test/verify-mandate`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ mandate_id: mandateId, amount, currency: "EUR", payer_presence: "in_session" }),
    }),
  );
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
};

test("requests that share a statement get separate answers: each is about the merchant's own mandates, and an ended token is refused", async () => {
  const [ours, theirs] = [await makeChargeableMandate(deps), await makeChargeableMandate(deps)];
  const [ourToken, theirToken] = [tokenOf(ours.merchantClient.id), tokenOf(theirs.merchantClient.id)];
  const ended = tokenOf(ours.merchantClient.id);
  await denyToken(deps.db.sql, { jti: ended.jti, expiresAt: new Date(deps.clock.now().getTime() + 600_000) });
  const rounds = Array.from({ length: 20 }, (_, index) => index + 1);
  const answers = await Promise.all(
    rounds.map((round) =>
      Promise.all([
        verify(ourToken.token, ours.mandateId, round),
        verify(theirToken.token, theirs.mandateId, round),
        verify(ourToken.token, theirs.mandateId, round),
        verify(ended.token, ours.mandateId, round),
        verify(ourToken.token, "mdt_unknown", round),
      ]),
    ),
  );
  for (const [own, other, foreign, dead, unknown] of answers) {
    expect(own.json).toMatchObject({ valid: true, mandate_id: ours.mandateId });
    expect(other.json).toMatchObject({ valid: true, mandate_id: theirs.mandateId });
    expect(foreign.status).toBe(404);
    expect({ ...foreign.json, instance: null }).toEqual({ ...unknown.json, instance: null });
    expect(dead.status).toBe(401);
  }
});
