import { createHash, randomUUID } from "node:crypto";
import { type CryptoKey, calculateJwkThumbprint, SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError, expectProblem } from "../../support/answers/error-shape.ts";
import { type Answer, postJson, send, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { signIn } from "../../support/oauth/consent-driver.ts";
import { agentGet, chargeBody, mandateDetails, merchantPost, pushFields } from "../../support/oauth/mandate-flow.ts";
import { makeKey, type Signer, signProof } from "../../support/oauth/oauth-client.ts";
import { clientToken, type Party, postAs, registerMerchant } from "../../support/oauth/parties.ts";
import { type Exchanger, exchange, makeExchanger } from "../../support/oauth/token-exchange.ts";

const { sandboxUrl } = currentInstance();
const operator = { email: "operator@demo.paygrant.test", password: "paygrant-demo" };

const call = async (procedure: "block" | "unblock", input: object): Promise<Answer> =>
  postJson(`${sandboxUrl}/api/trpc/operatorBlocklist.${procedure}`, input, {
    cookie: await signIn(sandboxUrl, operator),
    origin: sandboxUrl,
  });

const block = async (key: Signer): Promise<void> => {
  const answer = await call("block", { key: JSON.stringify(key.publicJwk), reason: "It leaked" });
  expect(answer.status, answer.text).toBe(200);
};

const tokenForm = { grant_type: "client_credentials" };

/** The same client with another key, which isn't blocked. */
const withKey = (party: Party, { privateKey }: Signer): Party => ({ ...party, privateKey });

describe("client authentication and registration (docs/spec/oauth.md, Blocked keys)", () => {
  test("an assertion that the blocked key signed is refused at each endpoint, and the client's Bearer tokens end", async () => {
    const [leaked, other] = [await makeKey("a"), await makeKey("b")];
    const keys = [{ ...leaked.publicJwk, kid: "test" }, other.publicJwk];
    const merchant = await registerMerchant(sandboxUrl, { key: leaked, metadata: { jwks: { keys } } });
    const token = await clientToken(merchant);
    await block(leaked);
    for (const path of ["/oauth/token", "/oauth/introspect", "/oauth/revoke", "/oauth/par"]) {
      const answer = await postAs(merchant, path, { form: { ...tokenForm, token } });
      expectOAuthError(answer, 401, "invalid_client");
      expect(textOf(answer, "error_description")).toBe("the assertion's key is blocked: use another key");
    }
    const charges = () =>
      send(`${sandboxUrl}/merchant_test/charges`, { headers: { authorization: `Bearer ${token}` } });
    expectProblem(await charges(), 401);
    const { kid } = other.publicJwk;
    const again = await postAs(withKey(merchant, other), "/oauth/token", {
      form: { ...tokenForm, client_assertion: await assertionOf(merchant, other, kid ?? "") },
    });
    expect(again.status, again.text).toBe(200);
  });

  test("the key can't be registered, by a new client or an existing one", async () => {
    const leaked = await makeKey();
    await block(leaked);
    const metadata = { grant_types: ["client_credentials"], scope: "charges.read" };
    const jwks = { keys: [leaked.publicJwk] };
    const registered = await postJson(`${sandboxUrl}/oauth/register`, { ...metadata, jwks });
    expectOAuthError(registered, 400, "invalid_client_metadata");
    expect(textOf(registered, "error_description")).toMatch(/a key that is blocked/);

    const merchant = await registerMerchant(sandboxUrl);
    const { registration_client_uri: uri, registration_access_token: token } = merchant.registration;
    const replaced = await send(String(uri), {
      method: "PUT",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ ...metadata, client_id: merchant.id, jwks }),
    });
    expectOAuthError(replaced, 400, "invalid_client_metadata");
  });

  test("a private key is refused, and the response doesn't repeat its secret part", async () => {
    const { d, ...publicJwk } = { ...(await makeKey()).publicJwk, d: "c2VjcmV0LXBhcnQ" };
    const answer = await call("block", { key: JSON.stringify({ ...publicJwk, d }), reason: "It leaked" });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain("This is a private key.");
    expect(answer.text).not.toContain(d);
  });
});

const assertionOf = async (party: Party, key: Signer, kid: string): Promise<string> => {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: party.id, sub: party.id, aud: sandboxUrl, jti: randomUUID(), iat, exp: iat + 60 };
  return new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid }).sign(key.privateKey);
};

describe("DPoP proofs by a blocked key, and the tokens and credentials bound to this key", () => {
  let mandate: Exchanger & { merchantToken: string };
  let credential: string;
  let mandateToken: string;
  const { mandate_id: _, ...payment } = chargeBody({ mandateId: "" });
  const verify = (credentials: object) =>
    merchantPost(mandate, "/merchant_test/verify-mandate", { body: { ...payment, ...credentials } });

  /** The credential with its holder's proof for this payment (RFC 9901 §4.3). */
  const present = async (key: CryptoKey): Promise<string> => {
    const binding = new SignJWT({
      aud: mandate.merchant.merchantId,
      nonce: randomUUID(),
      iat: Math.floor(Date.now() / 1000),
      sd_hash: createHash("sha256").update(credential).digest("base64url"),
      transaction: { amount: payment.amount, currency: payment.currency, transaction_id: randomUUID() },
    });
    return credential + (await binding.setProtectedHeader({ alg: "ES256", typ: "kb+jwt" }).sign(key));
  };
  const presentToken = async () => ({
    mandate_token: mandateToken,
    mandate_token_proof: await signProof(mandate.dpop, {
      url: `${sandboxUrl}/merchant_test/verify-mandate`,
      accessToken: mandateToken,
    }),
  });
  const introspect = async () =>
    (await postAs(mandate.agent, "/oauth/introspect", { form: { token: mandate.accessToken } })).json?.["active"];

  beforeAll(async () => {
    const exchanger = await makeExchanger(sandboxUrl);
    mandate = { ...exchanger, merchantToken: await clientToken(exchanger.merchant) };
    credential = (await agentGet(mandate, `/oauth/mandates/${mandate.mandateId}/credential`)).text;
    mandateToken = textOf(await exchange(mandate), "access_token");
    // The credential and both tokens are accepted before the key is blocked.
    expect((await verify({ presentation: await present(mandate.dpop.privateKey) })).json).toMatchObject({
      valid: true,
    });
    expect((await verify(await presentToken())).json).toMatchObject({ valid: true });
    expect(await introspect()).toBe(true);
    await block(mandate.dpop);
  });

  test("the proof is refused at an endpoint that changes something, and the token is inactive at introspection", async () => {
    const answer = await agentGet(mandate, `/oauth/mandates/${mandate.mandateId}/credential`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toContain('error="invalid_dpop_proof"');
    expect(await introspect()).toBe(false);
  });

  test("proofs are refused at the token and the PAR endpoint", async () => {
    const refreshed = await postAs(mandate.agent, "/oauth/token", {
      form: { grant_type: "refresh_token", refresh_token: mandate.refreshToken },
      dpop: mandate.dpop,
    });
    expectOAuthError(refreshed, 400, "invalid_dpop_proof");
    const { form } = pushFields([mandateDetails(mandate.merchant.merchantId)]);
    const pushed = await postAs(mandate.agent, "/oauth/par", { form, dpop: mandate.dpop });
    expectOAuthError(pushed, 400, "invalid_dpop_proof");
    expect(textOf(pushed, "error_description")).toBe("the proof's key is blocked: use another key");
    const merchant = await registerMerchant(sandboxUrl);
    expectOAuthError(
      await postAs(merchant, "/oauth/token", { form: tokenForm, dpop: mandate.dpop }),
      400,
      "invalid_dpop_proof",
    );
  });

  test("the holder's proofs for mandates are refused", async () => {
    const presented = await verify({ presentation: await present(mandate.dpop.privateKey) });
    expect(presented.json).toMatchObject({
      valid: false,
      reasons: [{ code: "invalid_signature", constraint: "presentation.key_binding" }],
    });
    expect((await verify(await presentToken())).json).toMatchObject({
      valid: false,
      reasons: [{ code: "invalid_signature", constraint: "mandate_token_proof" }],
    });
    expectOAuthError(await exchange(mandate, {}, { dpop: mandate.dpop }), 400);
  });

  test("a client that used the blocked key only for proofs can still authenticate, and push a request with another DPoP key", async () => {
    const dpop = await makeKey();
    const { form } = pushFields([mandateDetails(mandate.merchant.merchantId)]);
    const pushed = await postAs(mandate.agent, "/oauth/par", { form, dpop });
    expect(pushed.status, pushed.text).toBe(201);
  });

  test("an unblocked key is accepted again immediately", async () => {
    const thumbprint = await calculateJwkThumbprint(mandate.dpop.publicJwk);
    const answer = await call("unblock", { thumbprint, reason: "It was another key" });
    expect(answer.status, answer.text).toBe(200);
    expect(await introspect()).toBe(true);
    expect((await verify(await presentToken())).json).toMatchObject({ valid: true });
  });
});
