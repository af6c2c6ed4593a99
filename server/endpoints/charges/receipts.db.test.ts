import { createLocalJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { provideDeps } from "../../http/runtime.ts";
import { serve } from "../../http/serve.ts";
import { newSecret } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { maintainSigningKeys } from "../../oauth/keys/maintain-signing-keys.ts";
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
  const input = { subject: clientId, audience, clientId, scopes: ["mandates.verify"], lifetimeSeconds: 600 };
  return signAccessToken(deps, { ...input, clientEpoch: 1, jkt: null, jti: newSecret() }).token;
};
const verify = async (token: string, body: object) => {
  const response = await serve(verifyMandateEndpoint)(
    new Request(`${deps.config.baseUrl}/merchant_test/verify-mandate`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
};
const requestFor = (mandateId: string, fields: object = {}) => ({
  mandate_id: mandateId,
  amount: 100,
  currency: "EUR",
  payer_presence: "in_session",
  ...fields,
});
const check = (receipt: string, merchantId: string) =>
  jwtVerify(receipt, createLocalJWKSet(deps.keys.jwks()), {
    typ: "paygrant-receipt+jwt",
    issuer: deps.config.baseUrl,
    audience: merchantId,
    currentDate: deps.clock.now(),
  });

describe("a receipt: a JWS of the verdict with typ paygrant-receipt+jwt and a kid (docs/spec/payments.md, Verify a mandate)", () => {
  test("a positive or negative receipt has the exact verdict and the request, and is signed by a key of the JWKS", async () => {
    const setup = await makeChargeableMandate(deps);
    for (const fields of [{ nonce: "n-1", transaction_id: "order-7" }, { amount: 5_001 }]) {
      const request = requestFor(setup.mandateId, fields);
      const { receipt, ...verdict } = (await verify(tokenOf(setup.merchantClient.id), request)).json;
      const { payload, protectedHeader } = await check(String(receipt), setup.merchant.id);
      const { mandate_id: _, ...signedRequest } = request;
      expect(payload).toMatchObject({ env: deps.config.environment, verdict, request: signedRequest });
      expect(payload["verdict"]).toEqual(verdict);
      expect(deps.keys.jwks().keys.map(({ kid }) => kid)).toContain(protectedHeader.kid);
    }
  });

  test("a changed receipt and another merchant's receipt fail verification", async () => {
    const setup = await makeChargeableMandate(deps);
    const answer = await verify(tokenOf(setup.merchantClient.id), requestFor(setup.mandateId, { amount: 5_001 }));
    const receipt = String(answer.json["receipt"]);
    const [header = "", payload = "", signature = ""] = receipt.split(".");
    const claims = Buffer.from(payload, "base64url").toString().replace('"valid":false', '"valid":true');
    const forged = [header, Buffer.from(claims).toString("base64url"), signature].join(".");
    expect(forged).not.toBe(receipt);
    await expect(check(forged, setup.merchant.id)).rejects.toThrow("signature verification failed");
    await expect(check(receipt, "mch_other")).rejects.toThrow("aud");
  });

  test("a receipt isn't accepted as an access token, and isn't signed by the key for access tokens", async () => {
    const setup = await makeChargeableMandate(deps);
    const token = tokenOf(setup.merchantClient.id);
    const { json } = await verify(token, requestFor(setup.mandateId));
    const receipt = String(json["receipt"]);
    const kidOf = (jws: string) => JSON.parse(Buffer.from(jws.split(".")[0] ?? "", "base64url").toString()).kid;
    expect(kidOf(receipt)).not.toBe(kidOf(token));
    expect((await verify(receipt, requestFor(setup.mandateId))).status).toBe(401);
  });
});

test("a receipt can be verified with the published keys until 400 days after its key's rotation, and not later (docs/spec/oauth.md, Signing keys)", async () => {
  const setup = await makeChargeableMandate(deps);
  const receipt = String((await verify(tokenOf(setup.merchantClient.id), requestFor(setup.mandateId))).json["receipt"]);
  const signedAt = deps.clock.now();
  const worker = { kind: "system", id: "worker" } as const;
  const isVerified = async (days: number) => {
    deps.clock.set(addSeconds(signedAt, days * 24 * 3600 + 3600));
    await maintainSigningKeys(deps, worker);
    await deps.keys.refresh();
    return check(receipt, setup.merchant.id).then(
      () => true,
      () => false,
    );
  };
  // The receipt's key is rotated after 30 days; the later rotations follow every 30 days.
  for (let days = 30; days <= 420; days += 30) expect([days, await isVerified(days)]).toEqual([days, true]);
  expect(await isVerified(429)).toBe(true);
  expect(await isVerified(431)).toBe(false);
});
