import { randomUUID } from "node:crypto";
import { calculateJwkThumbprint, exportJWK } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../support/answers/error-shape.ts";
import { type Answer, send, sendLines, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import {
  approve,
  authorize,
  chargesUrl,
  type FapiClient,
  grantTokens,
  push,
  readResource,
  redeem,
  registerPair,
} from "../../support/oauth/fapi-clients.ts";
import { makeKey, signProof } from "../../support/oauth/oauth-client.ts";

const { sandboxUrl } = currentInstance();
const now = () => Math.floor(Date.now() / 1000);

let client: FapiClient;
beforeAll(async () => {
  [client] = await registerPair(sandboxUrl);
});

describe("accepts valid proofs at PAR, token endpoint and resource (RFC 9449 §4.3)", () => {
  const rows: [string, () => Record<string, unknown>][] = [
    ["check-dpop-proof-nbf-exp: nbf has passed and exp hasn't", () => ({ nbf: now(), exp: now() + 300 })],
    ["ensure-dpopproof-with-iat-10seconds-before-succeeds: 10 s old", () => ({ iat: now() - 10 })],
    ["ensure-dpopproof-with-iat-10seconds-after-succeeds: 10 s ahead", () => ({ iat: now() + 10 })],
  ];
  test.each(rows)("%s", async (_title, claims) => {
    const proof = (path: string) => signProof(client.dpop, { url: `${sandboxUrl}${path}`, claims: claims() });
    const code = await authorize(client, {}, { proof: await proof("/oauth/par") });
    const granted = await redeem(client, code, { posting: { proof: await proof("/oauth/token") } });
    expect(granted.status, granted.text).toBe(200);
    expect((await readResource(client, granted, { claims: claims() })).status).toBe(200);
  });
});

describe("binds a code to the key that was used at PAR (RFC 9449 §10)", () => {
  const thumbprint = async (key = client.dpop) => calculateJwkThumbprint(key.publicJwk);

  test("ensure-mismatched-dpop-jkt-fails: refuses a dpop_jkt at PAR that isn't the proof's key", async () => {
    const dpop_jkt = await thumbprint(await makeKey());
    expectOAuthError((await push(client, { dpop_jkt })).answer, 400, "invalid_dpop_proof");
  });

  test("ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt: refuses a proof at the token endpoint if the proof at PAR had another key", async () => {
    const code = await authorize(client);
    expectOAuthError(await redeem(client, code, { posting: { dpop: await makeKey() } }), 400, "invalid_dpop_proof");
  });

  test("ensure-token-endpoint-fails-with-mismatched-dpop-jkt: refuses a proof at the token endpoint if its key doesn't match the dpop_jkt at PAR", async () => {
    const code = await authorize(client, { dpop_jkt: await thumbprint() }, {});
    expectOAuthError(await redeem(client, code, { posting: { dpop: await makeKey() } }), 400, "invalid_dpop_proof");
    expect((await redeem(client, code)).status).toBe(200);
  });

  test("ensure-dpopproof-at-par-endpoint-binding-success: accepts the proof's key at each step", async () => {
    const granted = await grantTokens(client);
    expect((await readResource(client, granted)).status).toBe(200);
  });

  test("ensure-dpop-auth-code-binding-success: accepts dpop_jkt and proofs of one key at each step", async () => {
    const pushed = await push(client, { dpop_jkt: await thumbprint() });
    const parameters = await approve(client, pushed);
    const granted = await redeem(client, { ...pushed, code: parameters.get("code") ?? "" });
    expect((await readResource(client, granted)).status).toBe(200);
  });
});

describe("dpop-negative-tests: a resource refuses invalid proofs and accepts unusual valid ones (in parentheses: the check of RFC 9449 §4.3)", () => {
  let granted: Answer;
  let accessToken: string;
  let url: string;
  beforeAll(async () => {
    granted = await grantTokens(client);
    accessToken = textOf(granted, "access_token");
    url = chargesUrl(client, granted);
  });
  const sign = (options: Partial<Parameters<typeof signProof>[1]> = {}) =>
    signProof(client.dpop, { method: "GET", url, accessToken, ...options });
  const read = (headers: Record<string, string>, to = url) =>
    send(to, { headers: { authorization: `DPoP ${accessToken}`, ...headers } });

  const refused: [string, () => Promise<Answer>][] = [
    ["not a JWT (2)", async () => read({ dpop: (await sign()).replaceAll(".", "") })],
    ["without typ (4)", () => readResource(client, granted, { header: { typ: undefined } })],
    ["of another typ (4)", () => readResource(client, granted, { header: { typ: "jwt" } })],
    ["without alg (5)", async () => read({ dpop: withHeader(await sign(), { alg: undefined }) })],
    ["with alg none (5)", async () => read({ dpop: withHeader(await sign(), { alg: "none" }).replace(/[^.]*$/, "") })],
    ["without jwk (6)", () => readResource(client, granted, { header: { jwk: undefined } })],
    ["without jti (3)", () => readResource(client, granted, { claims: { jti: undefined } })],
    ["without htm (3)", () => readResource(client, granted, { claims: { htm: undefined } })],
    ["without htu (3)", () => readResource(client, granted, { claims: { htu: undefined } })],
    ["without iat (3)", () => readResource(client, granted, { claims: { iat: undefined } })],
    ["without ath (12)", () => readResource(client, granted, { claims: { ath: undefined } })],
    ["with a damaged signature (6)", async () => read({ dpop: spoiled(await sign()) })],
    [
      "whose jwk contains the private key (7)",
      async () => readResource(client, granted, { header: { jwk: await exportJWK(client.dpop.privateKey) } }),
    ],
    ["for PUT (8)", () => readResource(client, granted, { method: "PUT" })],
    ["for another URL (9)", () => readResource(client, granted, { url: `${url}/more` })],
    ["one hour in the future (11)", () => readResource(client, granted, { claims: { iat: now() + 3600 } })],
    ["one hour old (11)", () => readResource(client, granted, { claims: { iat: now() - 3600 } })],
    ["with the ath of another token (12)", () => readResource(client, granted, { accessToken: "another" })],
    ["signed by another key (12)", async () => readResource(client, granted, { key: await makeKey() })],
    ["no proof", () => read({})],
    [
      "without a proof, the token sent as Bearer",
      () => send(url, { headers: { authorization: `Bearer ${accessToken}` } }),
    ],
    [
      "two proofs (1)",
      async () => sendLines(url, { authorization: `DPoP ${accessToken}`, dpop: [await sign(), await sign()] }),
    ],
  ];
  test.each(refused)("refused: %s", async (_title, attempt) => {
    expectOAuthError(await attempt(), 401, /^invalid_(dpop_proof|token)$/);
  });

  const accepted: [string, () => Promise<Answer>][] = [
    [
      "header name in capitals",
      async () => sendLines(url, { authorization: `DPoP ${accessToken}`, DPOP: await sign() }),
    ],
    ["htu with a query and a fragment (9)", () => readResource(client, granted, { url: `${url}?more=1#end` })],
    ["htu without the query that was sent (9)", async () => read({ dpop: await sign() }, `${url}?limit=1`)],
    [
      "htu with scheme and host in capitals",
      () => readResource(client, granted, { url: url.replace(/^http:\/\/[^/]+/, (text) => text.toUpperCase()) }),
    ],
    [
      "with unknown members",
      () => readResource(client, granted, { claims: { [randomUUID()]: 1 }, header: { more: "x" } }),
    ],
  ];
  test.each(accepted)("accepted: %s", async (_title, attempt) => {
    const answer = await attempt();
    expect(answer.status, answer.text).toBe(200);
  });
});

/** The JWT with another header and the original signature. */
const withHeader = (jwt: string, change: object): string => {
  const [header = "", ...rest] = jwt.split(".");
  const changed = { ...JSON.parse(Buffer.from(header, "base64url").toString()), ...change };
  return [Buffer.from(JSON.stringify(changed)).toString("base64url"), ...rest].join(".");
};

const spoiled = (jwt: string): string => {
  const at = jwt.lastIndexOf(".") + 10;
  return `${jwt.slice(0, at)}${jwt[at] === "A" ? "B" : "A"}${jwt.slice(at + 1)}`;
};
