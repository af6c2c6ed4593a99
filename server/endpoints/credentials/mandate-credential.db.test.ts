import { createHash, randomBytes } from "node:crypto";
import { getCredentialStatus } from "@digitalbazaar/vc-bitstring-status-list";
import { SDJwtVcInstance } from "@sd-jwt/sd-jwt-vc";
import { calculateJwkThumbprint, compactVerify, createLocalJWKSet, importJWK, type JWK, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeMandateRow } from "../../credentials/mandate-row.fixture.ts";
import { ensureStatusLists, publishStatusLists } from "../../credentials/status-lists/publish-status-lists.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";
import { newSecret } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { allocateStatus } from "../../mandates/status-indexes/allocate-status.ts";
import { markStatus } from "../../mandates/status-indexes/mark-status.ts";
import { signAccessToken } from "../../oauth/tokens/sign-access-token.ts";
import { mandateCredentialEndpoint } from "./mandate-credential.ts";

let deps: TestDeps;
let mandate: Awaited<ReturnType<typeof makeMandateRow>>;
beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
  await ensureStatusLists(deps);
});
afterAll(() => deps.close());
beforeEach(async () => {
  mandate = await makeMandateRow(deps);
  const { id: mandateId, details } = mandate;
  await allocateStatus(deps, deps.db.sql, { mandateId, version: 1, details, at: deps.clock.now() });
});

const { GET } = mount(mandateCredentialEndpoint);

type TokenOptions = { mandateIds?: string[]; less?: JsonObject; isBound?: boolean; requestJwk?: JsonObject };

const signToken = async (options: TokenOptions = {}) =>
  signAccessToken(deps, {
    jti: newSecret(),
    subject: "pairwise",
    audience: deps.config.baseUrl,
    clientId: mandate.clientId,
    scopes: [],
    lifetimeSeconds: 300,
    clientEpoch: 1,
    jkt: options.isBound ? await calculateJwkThumbprint(mandate.client.publicJwk) : null,
    requestJwk: options.requestJwk ?? null,
    grant: {
      id: mandate.grantId,
      epoch: 1,
      details: (options.mandateIds ?? [mandate.id]).map((identifier) => ({
        ...mandate.details,
        identifier,
        ...options.less,
      })),
      authTime: deps.clock.now(),
      acr: "pwd",
    },
  });

const makeRequest = async (options: TokenOptions & { accept?: string; id?: string } = {}) => {
  const { token } = await signToken(options);
  const path = `/oauth/mandates/${options.id ?? mandate.id}/credential`;
  const headers: Record<string, string> = options.accept ? { accept: options.accept } : {};
  headers["authorization"] = `${options.isBound ? "DPoP" : "Bearer"} ${token}`;
  if (options.isBound) headers["dpop"] = await signProof(path, token);
  return new Request(`${deps.config.baseUrl}${path}`, { headers });
};
const get = async (...options: Parameters<typeof makeRequest>) => GET(await makeRequest(...options));

const signProof = (path: string, token: string): Promise<string> => {
  const { kty, crv, x, y } = mandate.client.publicJwk;
  return new SignJWT({
    htm: "GET",
    htu: `${deps.config.baseUrl}${path}`,
    iat: Math.floor(deps.clock.now().getTime() / 1000),
    jti: randomBytes(16).toString("base64url"),
    ath: createHash("sha256").update(token).digest("base64url"),
  })
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: { kty, crv, x, y } as JWK })
    .sign(mandate.client.privateKey);
};

const versionRow = () => deps.db.prisma.mandateVersion.findFirstOrThrow({ where: { mandateId: mandate.id } });

const verifyByJwks = async (data: string, signature: string): Promise<boolean> => {
  try {
    await compactVerify(`${data}.${signature}`, createLocalJWKSet(deps.keys.jwks()));
    return true;
  } catch {
    return false;
  }
};

/** A third-party SD-JWT VC library, which reads the status list as a merchant does. */
const merchantLibrary = () =>
  new SDJwtVcInstance({
    hasher: (data, alg) =>
      createHash(alg.replace("-", ""))
        .update(typeof data === "string" ? data : new Uint8Array(data))
        .digest(),
    hashAlg: "sha-256",
    saltGenerator: () => randomBytes(16).toString("base64url"),
    verifier: verifyByJwks,
    statusVerifier: verifyByJwks,
    statusListFetcher: async (uri) => {
      const list = await deps.db.prisma.statusList.findUniqueOrThrow({ where: { id: uri.split("/").at(-1) ?? "" } });
      return list.body ?? "";
    },
    kbSigner: async (data) => {
      const key = await crypto.subtle.sign(
        { name: "ECDSA", hash: "SHA-256" },
        mandate.client.privateKey,
        Buffer.from(data),
      );
      return Buffer.from(key).toString("base64url");
    },
    kbSignAlg: "ES256",
    kbVerifier: async (data, signature, payload) => {
      const { jwk } = payload.cnf as { jwk: JWK };
      await compactVerify(`${data}.${signature}`, await importJWK(jwk, "ES256"));
      return true;
    },
  });

const verifyAsMerchant = (credential: string, options: { keyBindingNonce?: string } = {}) =>
  merchantLibrary().verify(credential, { ...options, currentDate: Math.floor(deps.clock.now().getTime() / 1000) });

describe("the SD-JWT VC", () => {
  it("is the default, and contains vct, cnf and status (SD-JWT VC §3, Token Status List §6.2)", async () => {
    const response = await get({ isBound: true });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/dc+sd-jwt"]);
    expect([response.headers.get("cache-control"), response.headers.get("vary")]).toEqual(["no-store", "Accept"]);
    const { payload, header } = await verifyAsMerchant(await response.text());
    expect(header).toEqual({ alg: "ES256", typ: "dc+sd-jwt", kid: deps.keys.signingKey("credential").kid });
    const { kty, crv, x, y } = mandate.client.publicJwk;
    expect(payload).toMatchObject({
      iss: deps.config.baseUrl,
      vct: "urn:paygrant:credential:payment-mandate:1",
      cnf: { jwk: { kty, crv, x, y } },
      status: {
        status_list: { idx: (await versionRow()).statusIndex, uri: `${deps.config.baseUrl}/oauth/status-list/token-1` },
      },
      mandate: { ...mandate.details, identifier: mandate.id, version: 1 },
    });
  });

  it("conceals limits, purpose and card until the agent discloses them (RFC 9901)", async () => {
    const [jwt = ""] = (await (await get({ isBound: true })).text()).split("~");
    const claims = JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());
    expect(Object.keys(claims.mandate).sort()).toEqual(["_sd", "actions", "currency", "identifier", "type", "version"]);
    expect(claims.mandate._sd).toHaveLength(16);
    expect(claims.mandate._sd).toEqual([...claims.mandate._sd].sort());
  });

  it("is presented with one limit and a key binding by a third-party library", async () => {
    const credential = await (await get({ isBound: true })).text();
    const presentation = await merchantLibrary().present(
      credential,
      { mandate: { max_amount_per_payment: true } } as never,
      { kb: { payload: { aud: "mch_1", nonce: "n", iat: Math.floor(Date.now() / 1000) } } },
    );
    const { payload, kb } = await verifyAsMerchant(presentation, { keyBindingNonce: "n" });
    expect(kb?.payload.aud).toBe("mch_1");
    expect(payload["mandate"]).toMatchObject({ max_amount_per_payment: 5_000 });
    expect(payload["mandate"]).not.toHaveProperty("purpose");
  });

  it("is rejected by the reader after it is revoked and the list is published", async () => {
    const credential = await (await get({ isBound: true })).text();
    await markStatus(deps.db.sql, { mandateId: mandate.id, version: "all", revoked: true, at: deps.clock.now() });
    deps.clock.advance(1);
    await publishStatusLists(deps);
    await expect(verifyAsMerchant(credential)).rejects.toThrow(/status/i);
  });

  it("is bound to the key that signed the token request if the token isn't bound to a key (docs/spec/payments.md, Credentials)", async () => {
    const { kty, crv, x, y } = mandate.client.publicJwk;
    const requestJwk = { kty, crv, x, y } as JsonObject;
    for (const accept of ["application/dc+sd-jwt", "application/vc+jwt"]) {
      const [jwt = ""] = (await (await get({ accept, requestJwk })).text()).split("~");
      const { payload } = await compactVerify(jwt, createLocalJWKSet(deps.keys.jwks()));
      expect(JSON.parse(new TextDecoder().decode(payload))).toMatchObject({ cnf: { jwk: requestJwk } });
    }
  });

  it("has no cnf if the token names no key", async () => {
    const { payload } = await verifyAsMerchant(await (await get()).text());
    expect(payload).not.toHaveProperty("cnf");
  });
});

describe("the credential endpoint", () => {
  it.each<[string, JsonObject]>([
    ["a lower cap", { max_amount_per_payment: 100 }],
    ["a limit that the mandate doesn't have", { max_payments: 1 }],
    ["fewer payees", { payees: [{ category: "5411" }] }],
    ["an earlier end", { valid_until: "2026-11-21T00:00:00Z" }],
  ])(
    "refuses a token that was narrowed by %s, because the credential would allow more than the token (RFC 9396 §6.1)",
    async (_, less) => {
      const refused = await get({ isBound: true, less });
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({ error: "insufficient_scope" });
      expect(refused.headers.get("www-authenticate")).toMatch(/^DPoP error="insufficient_scope"/);
      expect((await get({ isBound: true })).status).toBe(200);
    },
  );

  it("returns the current mandate for a token that was granted before the payer lowered the mandate's limits", async () => {
    const token = { ...mandate.details, max_payments: 9 };
    await deps.db.prisma.mandateVersion.updateMany({
      where: { mandateId: mandate.id },
      data: { details: { ...mandate.details, max_amount_per_payment: 10, max_payments: 3 } as never },
    });
    expect((await get({ isBound: true, less: token })).status).toBe(200);
  });

  it("accepts a DPoP proof only once, because each issued credential is recorded (docs/spec/oauth.md, DPoP)", async () => {
    const request = await makeRequest({ isBound: true });
    expect((await GET(request.clone())).status).toBe(200);
    const again = await GET(request);
    expect([again.status, await again.json()]).toEqual([401, expect.objectContaining({ error: "invalid_dpop_proof" })]);
  });
});

describe("the VC-JWT (application/vc+jwt)", () => {
  it("is a VCDM 2.0 credential with an entry for revocation and one for suspension (VC-JOSE-COSE §3.1.1)", async () => {
    const response = await get({ accept: "application/vc+jwt", isBound: true });
    expect(response.headers.get("content-type")).toBe("application/vc+jwt");
    const { payload, protectedHeader } = await compactVerify(
      await response.text(),
      createLocalJWKSet(deps.keys.jwks()),
    );
    expect(protectedHeader).toEqual({
      alg: "ES256",
      typ: "vc+jwt",
      cty: "vc",
      kid: deps.keys.signingKey("credential").kid,
    });
    const credential = JSON.parse(new TextDecoder().decode(payload));
    expect(credential).toMatchObject({
      type: ["VerifiableCredential", "PaymentMandateCredential"],
      issuer: deps.config.baseUrl,
      credentialSubject: { mandate: { ...mandate.details, identifier: mandate.id, version: 1 } },
    });
    expect(credential["@context"][0]).toBe("https://www.w3.org/ns/credentials/v2");
    expect(credential).not.toHaveProperty("vc");
    for (const statusPurpose of ["revocation", "suspension"]) {
      expect(getCredentialStatus({ credential, statusPurpose })).toMatchObject({
        statusListIndex: String((await versionRow()).statusIndex),
        statusListCredential: `${deps.config.baseUrl}/oauth/status-list/${statusPurpose}-1`,
      });
    }
  });
});

describe("the credential endpoint's access control", () => {
  it("refuses a request without a token", async () => {
    const response = await GET(new Request(`${deps.config.baseUrl}/oauth/mandates/${mandate.id}/credential`));
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain("resource_metadata");
  });

  it("returns the same answer for a mandate that the token doesn't name and for one that doesn't exist", async () => {
    const other = await makeMandateRow(deps);
    const answers = await Promise.all([other.id, "mdt_unknown"].map((id) => get({ id })));
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(answers.map((answer) => answer.status)).toEqual([404, 404]);
    expect(bodies[0]).toEqual(bodies[1]);
  });

  it("refuses a token of another client that names the mandate", async () => {
    const other = await makeMandateRow(deps);
    const mine = mandate;
    mandate = { ...other, details: mine.details };
    const response = await get({ id: mine.id, mandateIds: [mine.id] });
    expect(response.status).toBe(404);
  });

  it("answers 406 for an unsupported type, and audits each issued credential", async () => {
    expect((await get({ accept: "application/json" })).status).toBe(406);
    await get();
    const entries = await deps.db.prisma.$queryRaw<{ actor_id: string }[]>`
      SELECT actor_id FROM audit_entry WHERE action = 'credential.issued' AND subject_id = ${mandate.id}`;
    expect(entries).toEqual([{ actor_id: mandate.clientId }]);
  });
});
