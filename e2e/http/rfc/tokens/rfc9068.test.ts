import { createHmac } from "node:crypto";
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError, expectProblem } from "../../../support/answers/error-shape.ts";
import { postJson, send, textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import * as flow from "../../../support/oauth/mandate-flow.ts";
import { makeKey, signProof } from "../../../support/oauth/oauth-client.ts";
import { clientToken, postAs, registerAgent } from "../../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
const resource = `${sandboxUrl}/merchant_test`;

let mandate: flow.ChargeableMandate;
beforeAll(async () => {
  mandate = await flow.makeChargeableMandate(sandboxUrl);
});

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("RFC 9068 §2.1: the header", () => {
  test("has typ at+jwt, alg ES256 and the kid of its key, and nothing else", async () => {
    for (const token of [mandate.merchantToken, mandate.accessToken]) {
      expect(decodeProtectedHeader(token)).toEqual({
        alg: "ES256",
        typ: "at+jwt",
        kid: expect.stringMatching(/^[\w-]{43}$/),
      });
    }
  });
});

describe("RFC 9068 §2.2: a client's own token", () => {
  test("has the required claims, scope, and our own claims env and client_epoch; sub is the client", () => {
    const claims = decodeJwt(mandate.merchantToken);
    expect(claims).toEqual({
      iss: sandboxUrl,
      sub: mandate.merchant.id,
      aud: resource,
      client_id: mandate.merchant.id,
      iat: expect.any(Number),
      exp: Number(claims.iat) + 600,
      jti: expect.stringMatching(/^[\w-]{22,}$/),
      scope: "mandates.verify charges.write charges.read refunds.write",
      env: "sandbox",
      client_epoch: expect.any(Number),
    });
    expect(Math.abs(Date.now() / 1000 - Number(claims.iat))).toBeLessThan(120);
  });

  test("has cnf.jkt when the request had a proof (RFC 9449 §6.1)", async () => {
    const dpop = await makeKey();
    const answer = await postAs(mandate.merchant, "/oauth/token", { form: { grant_type: "client_credentials" }, dpop });
    expect(decodeJwt(textOf(answer, "access_token"))["cnf"]).toEqual({
      jkt: await calculateJwkThumbprint(dpop.publicJwk),
    });
  });

  test("has a unique jti each time (§2.2)", async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => clientToken(mandate.merchant)));
    expect(new Set(tokens.map((token) => decodeJwt(token).jti)).size).toBe(20);
  });

  test("has the requested resource as audience, and the granted scope (§3)", async () => {
    const token = await clientToken(mandate.merchant, { resource, scope: "charges.read" });
    expect(decodeJwt(token)).toMatchObject({ aud: resource, scope: "charges.read" });
  });
});

describe("RFC 9068 §2.2: a payer's token", () => {
  test("also contains how the payer signed in, the grant and the active mandates (§2.2.1, RFC 9396 §9.1)", async () => {
    const claims = decodeJwt(mandate.accessToken);
    expect(claims).toEqual({
      iss: sandboxUrl,
      sub: expect.any(String),
      aud: sandboxUrl,
      client_id: mandate.agent.id,
      iat: expect.any(Number),
      exp: Number(claims.iat) + 300,
      jti: expect.any(String),
      cnf: { jkt: await calculateJwkThumbprint(mandate.dpop.publicJwk) },
      authorization_details: [
        expect.objectContaining({ type: "payment_mandate_v1", identifier: mandate.mandateId, currency: "EUR" }),
      ],
      auth_time: expect.any(Number),
      acr: "urn:paygrant:acr:password",
      grant_id: mandate.grantId,
      env: "sandbox",
      client_epoch: expect.any(Number),
      grant_epoch: expect.any(Number),
    });
    expect(Number(claims["auth_time"])).toBeLessThanOrEqual(Number(claims.iat));
  });

  test("has a different sub for the payer at each client, and always the same at one client (§5; docs/spec/oauth.md, Clients, scopes and resources)", async () => {
    const other = await registerAgent(sandboxUrl);
    const details = flow.mandateDetails(mandate.merchant.merchantId);
    const subjectOf = async (agent: typeof other) =>
      decodeJwt((await flow.obtainMandate(agent, details)).accessToken).sub;
    expect(await subjectOf(mandate.agent)).toBe(decodeJwt(mandate.accessToken).sub);
    expect(await subjectOf(other)).not.toBe(decodeJwt(mandate.accessToken).sub);
    expect(decodeJwt(mandate.accessToken).sub).not.toMatch(/^(acc|cl)_/);
  });
});

describe("RFC 9068 §4: a resource refuses", () => {
  const present = (token: string) => send(`${resource}/charges`, { headers: { authorization: `Bearer ${token}` } });
  const parts = () => mandate.merchantToken.split(".") as [string, string, string];

  test("a token for another audience, at either resource", async () => {
    const key = mandate.dpop;
    const url = `${resource}/charges`;
    const dpop = await signProof(key, { method: "GET", url, accessToken: mandate.accessToken });
    const atMerchants = await send(url, { headers: { authorization: `DPoP ${mandate.accessToken}`, dpop } });
    expectProblem(atMerchants, 401, "invalid_token");
    const atServer = await send(`${sandboxUrl}/oauth/mandates/${mandate.mandateId}/credential`, {
      headers: { authorization: `Bearer ${mandate.merchantToken}` },
    });
    expectOAuthError(atServer, 401, "invalid_token");
  });

  test.each(["JWT", "jwt", "AT+JWT", "at+jwt ", "application/json", undefined, null, 1, ["at+jwt"]])(
    "typ %j",
    async (typ) => {
      const [header, payload, signature] = parts();
      const changed = base64url({ ...JSON.parse(Buffer.from(header, "base64url").toString()), typ });
      expectProblem(await present(`${changed}.${payload}.${signature}`), 401, "invalid_token");
    },
  );

  test("alg none, with and without a signature (§2.1)", async () => {
    const [, payload, signature] = parts();
    for (const alg of ["none", "None", "NONE"]) {
      const header = base64url({ alg, typ: "at+jwt", kid: decodeProtectedHeader(mandate.merchantToken).kid });
      expectProblem(await present(`${header}.${payload}.`), 401, "invalid_token");
      expectProblem(await present(`${header}.${payload}.${signature}`), 401, "invalid_token");
    }
  });

  test("HS256 with the public key as secret (RFC 8725 §2.1)", async () => {
    const { kid = "" } = decodeProtectedHeader(mandate.merchantToken);
    const jwks = (await send(`${sandboxUrl}/.well-known/jwks.json`)).json as unknown as { keys: { kid: string }[] };
    const secret = JSON.stringify(jwks.keys.find((key) => key.kid === kid));
    const input = `${base64url({ alg: "HS256", typ: "at+jwt", kid })}.${parts()[1]}`;
    const mac = createHmac("sha256", secret).update(input).digest("base64url");
    expectProblem(await present(`${input}.${mac}`), 401, "invalid_token");
  });

  test("a token signed with the sender's key: with our kid, with its own kid, and with the key in the header", async () => {
    const key = await makeKey();
    const { kid: ours = "" } = decodeProtectedHeader(mandate.merchantToken);
    const own = await calculateJwkThumbprint(key.publicJwk);
    const headers = [
      { kid: ours },
      { kid: own },
      {},
      { kid: own, jwk: key.publicJwk },
      { kid: own, jku: "http://127.0.0.1:9/jwks" },
      { kid: "../keys" },
      { kid: "" },
    ];
    for (const header of headers) {
      const token = await new SignJWT(decodeJwt(mandate.merchantToken))
        .setProtectedHeader({ alg: "ES256", typ: "at+jwt", ...header })
        .sign(key.privateKey);
      expectProblem(await present(token), 401, "invalid_token");
    }
  });

  test("changed claims", async () => {
    const [header, payload, signature] = parts();
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    for (const change of [{ exp: claims.exp + 3600 }, { scope: "refunds.write" }, { env: "production" }]) {
      const token = `${header}.${base64url({ ...claims, ...change })}.${signature}`;
      expectProblem(await present(token), 401, "invalid_token");
    }
  });

  test("other JWTs that the service signs: status lists, credentials, receipts", async () => {
    const verdict = await postJson(`${resource}/verify-mandate`, flow.chargeBody(mandate), {
      authorization: `Bearer ${mandate.merchantToken}`,
    });
    const signed = [
      textOf(verdict, "receipt"),
      (await send(`${sandboxUrl}/oauth/status-list`)).text,
      (await flow.agentGet(mandate, `/oauth/mandates/${mandate.mandateId}/credential`)).text.split("~")[0] ?? "",
    ];
    for (const jws of signed) {
      expect(decodeProtectedHeader(jws).kid).toBeTruthy();
      expectProblem(await present(jws), 401, "invalid_token");
    }
  });
});
