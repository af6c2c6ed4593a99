import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { base64url, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { send, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import * as flow from "../../support/oauth/mandate-flow.ts";
import { makeKey, signProof } from "../../support/oauth/oauth-client.ts";
import { clientToken, makeInitialAccessToken, postAs, registerMerchant } from "../../support/oauth/parties.ts";

const { sandboxUrl, productionUrl } = currentInstance();
const children: ChildProcess[] = [];

/** Starts a process that knows only the issuer's URL. @returns the URL of the process. */
const startResourceServer = async (execArgv: readonly string[] = []): Promise<string> => {
  const program = path.resolve("e2e/outside/resource-server.ts");
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...execArgv, program], {
    env: { NODE_ENV: "production", BASE_URL: sandboxUrl },
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const [line] = await once(child.stdout, "data");
  return String(line).trim();
};

let own: string;
let mandate: flow.ChargeableMandate;
beforeAll(async () => {
  [own, mandate] = await Promise.all([startResourceServer(), flow.makeChargeableMandate(sandboxUrl)]);
});
afterAll(() => {
  for (const child of children) child.stdin?.end();
});

const bearer = (token: string, at = "/merchant_test/orders", server = own) =>
  send(`${server}${at}`, { headers: { authorization: `Bearer ${token}` } });

const bound = async (options: Partial<Parameters<typeof signProof>[1]> = {}, signer = mandate.dpop) => {
  const url = `${own}/orders`;
  const { accessToken } = mandate;
  const dpop = await signProof(signer, { method: "GET", url, accessToken, ...options });
  return send(url, { headers: { authorization: `DPoP ${accessToken}`, dpop } });
};

describe("a resource server that knows only BASE_URL accepts (RFC 8414, RFC 9728, RFC 9068 §4, RFC 9449 §7)", () => {
  test("a merchant's Bearer token", async () => {
    const answer = await bearer(mandate.merchantToken);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toMatchObject({
      resource: `${sandboxUrl}/merchant_test`,
      claims: { sub: mandate.merchant.id, client_id: mandate.merchant.id, scope: expect.any(String) },
    });
  });

  test("a merchant's bound token with its proof", async () => {
    const key = await makeKey();
    const answer = await postAs(mandate.merchant, "/oauth/token", {
      form: { grant_type: "client_credentials" },
      dpop: key,
    });
    const accessToken = textOf(answer, "access_token");
    const url = `${own}/merchant_test/orders`;
    const dpop = await signProof(key, { method: "GET", url, accessToken });
    const checked = await send(url, { headers: { authorization: `DPoP ${accessToken}`, dpop } });
    expect(checked.status, checked.text).toBe(200);
  });

  test("an agent's mandate token, whose claims describe the mandate (RFC 9396 §9.1)", async () => {
    const answer = await bound();
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toMatchObject({
      resource: sandboxUrl,
      claims: {
        client_id: mandate.agent.id,
        authorization_details: [{ type: "payment_mandate_v1", identifier: mandate.mandateId }],
      },
    });
  });
});

const refused = (answer: Awaited<ReturnType<typeof send>>, error: string, why?: string) => {
  expect({ status: answer.status, ...answer.json }).toEqual({ status: 401, error, why: why ?? expect.any(String) });
};

describe("refuses a token (RFC 9068 §4)", () => {
  test("of another resource", async () => {
    refused(await bearer(mandate.merchantToken, "/orders"), "invalid_token", "ERR_JWT_CLAIM_VALIDATION_FAILED");
  });

  test("of the other environment, which has different keys", async () => {
    const { token } = await makeInitialAccessToken("production", "merchant");
    const live = await registerMerchant(productionUrl, { headers: { authorization: `Bearer ${token}` } });
    refused(await bearer(await clientToken(live)), "invalid_token", "ERR_JWKS_NO_MATCHING_KEY");
  });

  test("that has expired", async () => {
    const ahead = `const Own = Date;
      globalThis.Date = class extends Own {
        constructor(...given) { super(...(given.length > 0 ? given : [Own.now() + 601_000])); }
        static now() { return Own.now() + 601_000; }
      };`;
    const later = await startResourceServer(["--import", `data:text/javascript,${encodeURIComponent(ahead)}`]);
    const answer = await bearer(mandate.merchantToken, "/merchant_test/orders", later);
    refused(answer, "invalid_token", "ERR_JWT_EXPIRED");
  });

  test("with changed claims, without a signature, or with alg none", async () => {
    const [header = "", payload = "", signature = ""] = mandate.merchantToken.split(".");
    const claims = JSON.parse(new TextDecoder().decode(base64url.decode(payload)));
    const encode = (value: object) => base64url.encode(JSON.stringify(value));
    const wider = encode({ ...claims, scope: "charges.write refunds.write" });
    refused(await bearer(`${header}.${wider}.${signature}`), "invalid_token", "ERR_JWS_SIGNATURE_VERIFICATION_FAILED");
    refused(await bearer(`${header}.${payload}.`), "invalid_token");
    refused(await bearer(`${encode({ alg: "none", typ: "at+jwt" })}.${payload}.`), "invalid_token");
  });

  test("signed by another party with our kid", async () => {
    const [header = "", payload = ""] = mandate.merchantToken.split(".");
    const { privateKey } = await generateKeyPair("ES256");
    const forged = new SignJWT(JSON.parse(new TextDecoder().decode(base64url.decode(payload))));
    forged.setProtectedHeader(JSON.parse(new TextDecoder().decode(base64url.decode(header))));
    const answer = await bearer(await forged.sign(privateKey));
    refused(answer, "invalid_token", "ERR_JWS_SIGNATURE_VERIFICATION_FAILED");
  });

  test("that is another kind of JWT signed by Paygrant: a status list or a key list", async () => {
    const list = await send(`${sandboxUrl}/oauth/status-list`, { headers: { accept: "application/statuslist+jwt" } });
    const keys = await send(`${sandboxUrl}/.well-known/client-key-list`);
    for (const { text } of [list, keys]) {
      expect(text.split(".")).toHaveLength(3);
      refused(await bearer(text), "invalid_token", "ERR_JWT_CLAIM_VALIDATION_FAILED");
    }
  });
});

describe("refuses a bound token (RFC 9449 §4.3, §7)", () => {
  test("sent as Bearer (§7.2)", async () => {
    refused(await bearer(mandate.accessToken, "/orders"), "invalid_token", "scheme");
  });

  test("without a proof, or with two", async () => {
    const authorization = `DPoP ${mandate.accessToken}`;
    const url = `${own}/orders`;
    refused(await send(url, { headers: { authorization } }), "invalid_dpop_proof", "expected one proof");
    const sign = () => signProof(mandate.dpop, { method: "GET", url, accessToken: mandate.accessToken });
    const headers = { authorization, dpop: `${await sign()}, ${await sign()}` };
    refused(await send(url, { headers }), "invalid_dpop_proof");
  });

  test("with a proof that was already used", async () => {
    const claims = { jti: randomUUID() };
    expect((await bound({ claims })).status).toBe(200);
    refused(await bound({ claims }), "invalid_dpop_proof", "used before");
  });

  test("with a proof by another key", async () => {
    refused(await bound({}, await makeKey()), "invalid_token", "bound to another key");
  });

  test.each([
    ["another method", "htm", { method: "POST" }],
    ["another address", "htu", { url: `${sandboxUrl}/orders` }],
    ["another token", "ath", { accessToken: "another" }],
    ["another time", "ERR_JWT_EXPIRED", { claims: { iat: Math.floor(Date.now() / 1000) - 120 } }],
    ["another purpose", "ERR_JWT_CLAIM_VALIDATION_FAILED", { header: { typ: "JWT" } }],
  ])("with a proof for %s", async (_title, why, options) => {
    refused(await bound(options), "invalid_dpop_proof", why);
  });

  test("with a proof that contains its private key", async () => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    refused(await bound({ header: { jwk: await exportJWK(privateKey) } }), "invalid_dpop_proof");
  });
});
