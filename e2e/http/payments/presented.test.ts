import { createHash, randomUUID } from "node:crypto";
import { type CryptoKey, SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "../../support/answers/error-shape.ts";
import { send, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { consent } from "../../support/oauth/consent-driver.ts";
import {
  agentGet,
  type ChargeableMandate,
  chargeBody,
  codeForm,
  mandateDetails,
  mandateIdOf,
  merchantPost,
  pushFields,
} from "../../support/oauth/mandate-flow.ts";
import { signProof } from "../../support/oauth/oauth-client.ts";
import { clientToken, postAs, registerAgent } from "../../support/oauth/parties.ts";
import { exchange, makeExchanger } from "../../support/oauth/token-exchange.ts";

const { sandboxUrl } = currentInstance();
let mandate: ChargeableMandate;
let exchanger: Awaited<ReturnType<typeof makeExchanger>>;
beforeAll(async () => {
  exchanger = await makeExchanger(sandboxUrl);
  mandate = { ...exchanger, merchantToken: await clientToken(exchanger.merchant) };
});

const { mandate_id: _, ...payment } = chargeBody({ mandateId: "" });
const post = (path: string, credentials: object, key: string = randomUUID()) =>
  merchantPost(mandate, path, { body: { ...payment, ...credentials }, headers: { "idempotency-key": key } });

/** A credential bound to this merchant and payment (RFC 9901 §4.3). */
const bind = async (credential: string, key: CryptoKey, claims: object = {}): Promise<string> => {
  const binding = new SignJWT({
    aud: mandate.merchant.merchantId,
    nonce: randomUUID(),
    iat: Math.floor(Date.now() / 1000),
    sd_hash: createHash("sha256").update(credential).digest("base64url"),
    transaction: { amount: payment.amount, currency: payment.currency, transaction_id: randomUUID() },
    ...claims,
  });
  return credential + (await binding.setProtectedHeader({ alg: "ES256", typ: "kb+jwt" }).sign(key));
};

const present = async (claims: object = {}): Promise<string> => {
  const { text: credential, status } = await agentGet(mandate, `/oauth/mandates/${mandate.mandateId}/credential`);
  expect(status).toBe(200);
  return bind(credential, mandate.dpop.privateKey, claims);
};

const obtainToken = async () => {
  const token = textOf(await exchange(exchanger), "access_token");
  const proofFor = (path: string) => signProof(mandate.dpop, { url: `${sandboxUrl}${path}`, accessToken: token });
  return async (path: string) => ({ mandate_token: token, mandate_token_proof: await proofFor(path) });
};

describe("an agent and a merchant use a mandate (docs/spec/payments.md, Who may use a mandate)", () => {
  test("a fetched credential is presented, verified and charged once", async () => {
    const presentation = await present();
    const verdict = await post("/merchant_test/verify-mandate", { presentation });
    expect(verdict.json).toMatchObject({ valid: true, mandate_id: mandate.mandateId, reasons: [] });
    const key = randomUUID();
    const first = await post("/merchant_test/charge", { presentation }, key);
    expect(first.status, first.text).toBe(201);
    expect((await post("/merchant_test/charge", { presentation }, key)).text).toBe(first.text);
    const again = await post("/merchant_test/charge", { presentation });
    expectProblem(again, 403, "refused_by_mandate");
    expect(again.json).toMatchObject({ reasons: [{ code: "replayed" }] });
  });

  test("an exchanged token is accepted with a proof for the merchant's request", async () => {
    const credentialsFor = await obtainToken();
    const path = "/merchant_test/verify-mandate";
    expect((await post(path, await credentialsFor(path))).json).toMatchObject({ valid: true });
    const charged = await post("/merchant_test/charge", await credentialsFor("/merchant_test/charge"));
    expect(charged.status, charged.text).toBe(201);
    const refused = await post("/merchant_test/charge", await credentialsFor(path));
    expect(refused.json).toMatchObject({ reasons: [{ code: "audience_mismatch" }] });
  });

  test("binds a Bearer client's credential to the key that signed its token request", async () => {
    const agent = await registerAgent(sandboxUrl, { metadata: { dpop_bound_access_tokens: false } });
    const details = [mandateDetails(mandate.merchant.merchantId)];
    const { form, verifier } = pushFields(details);
    const requestUri = textOf(await postAs(agent, "/oauth/par", { form }), "request_uri");
    const code = (await consent(sandboxUrl, { clientId: agent.id, requestUri })).get("code") ?? "";
    const granted = await postAs(agent, "/oauth/token", { form: codeForm({ code, verifier }) });
    const [accessToken, mandateId] = [textOf(granted, "access_token"), mandateIdOf(granted)];
    const headers = { authorization: `Bearer ${accessToken}` };
    const { text: credential } = await send(`${sandboxUrl}/oauth/mandates/${mandateId}/credential`, { headers });
    const presentation = await bind(credential, agent.privateKey);
    expect((await post("/merchant_test/charge", { presentation })).status).toBe(201);
    const introspection = (await postAs(agent, "/oauth/introspect", { form: { token: accessToken } })).json;
    expect([introspection?.["active"], introspection?.["request_jwk"]]).toEqual([true, undefined]);
  });

  test("reveals nothing to a merchant for whom the presentation wasn't made", async () => {
    const verdict = await post("/merchant_test/verify-mandate", { presentation: await present({ aud: "mch_other" }) });
    expect(verdict.json).toMatchObject({ valid: false, mandate_id: null, reasons: [{ code: "audience_mismatch" }] });
    expect(verdict.text).not.toContain(mandate.mandateId);
  });
});
