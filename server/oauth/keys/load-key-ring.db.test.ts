import { setTimeout as sleep } from "node:timers/promises";
import { SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { attest } from "#e2e/support/oauth/software-statement.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { Db, Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { newSecret } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { readSoftwareStatement } from "../software-statements/read-software-statement.ts";
import { signAccessToken } from "../tokens/sign-access-token.ts";
import { findTokenLiveness } from "../tokens/verify-access-token.ts";
import { verifyAccessTokenJwt } from "../tokens/verify-access-token-jwt.ts";
import { loadKeyRing } from "./load-key-ring.ts";
import { kidOf, passPublicationTime, revoke, rotate, startNode } from "./signing-keys.fixture.ts";

let deps: TestDeps;
beforeEach(async () => {
  deps = await createTestDeps();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await deps.close();
});

/** Signs a token of a new client. The client has a row, so that the token's liveness can be checked. */
const sign = async (node: Deps) => {
  const id = `cl_${newSecret()}`;
  await deps.db.prisma.$executeRaw`
    INSERT INTO client (id, kind, name, metadata, redirect_uris, grant_types, scopes, jwks, key_thumbprint_hashes, dpop_bound,
      registration_token_hash, created_at)
    VALUES (${id}, 'agent', '-', '{}', '{}', '{}', '{}', '{"keys":[]}', '{}', false, ${newSecret()}, now())`;
  const input = { subject: id, audience: deps.config.baseUrl, clientId: id, scopes: [], lifetimeSeconds: 300 };
  return (await signAccessToken(node, { ...input, jti: newSecret(), clientEpoch: 1, jkt: null })).token;
};

/** Checks a token as resources and introspection do. */
const isAccepted = async (node: Deps, token: string): Promise<boolean> => {
  const claims = await verifyAccessTokenJwt(node, token);
  return claims !== null && (await findTokenLiveness(node, claims)) !== null;
};

const kidsInJwks = (node: Deps): string[] => {
  const { keys } = JSON.parse(new TextDecoder().decode(node.keys.publishedJwks().body)) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
};

describe("processes that start concurrently", () => {
  it("together create one active and one next key per purpose", async () => {
    const rings = await Promise.all([1, 2, 3, 4].map(() => loadKeyRing(deps)));
    const kids = new Set(rings.map((ring) => ring.signingKey("access_token").kid));
    expect(kids.size).toBe(1);
    for (const ring of rings) {
      expect(ring.jwks()).toEqual(deps.keys.jwks());
      expect(ring.jwks().keys).toHaveLength(8);
      ring.stop();
    }
  });
});

it("a process that starts doesn't perform a requested rotation: the operator performs it by repeating the command", async () => {
  passPublicationTime(deps);
  await rotate(deps);
  const requested = await rotate(deps);
  passPublicationTime(deps);
  (await startNode(deps, { isStopped: true })).keys.stop();
  expect(await rotate(deps)).toEqual({ outcome: "rotated", kid: requested.kid });
});

describe("keys", () => {
  it("have private halves that are sealed in the database and absent from the JWKS (docs/spec/oauth.md, Signing keys)", async () => {
    for (const row of await deps.db.prisma.signingKey.findMany()) expect(row.privateSealed).toMatch(/^v1\./);
    for (const key of deps.keys.jwks().keys) {
      expect(Object.keys(key).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
    }
  });

  it("of one purpose don't verify signatures of another", () => {
    expect(deps.keys.findVerificationKey(kidOf(deps), "access_token")).not.toBeNull();
    expect(deps.keys.findVerificationKey(kidOf(deps), "receipt")).toBeNull();
  });

  it("sign with jose as well as with node:crypto", async () => {
    const { privateKey, kid, alg } = deps.keys.signingKey("receipt");
    expect(privateKey.asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
    expect(await new SignJWT({}).setProtectedHeader({ alg, kid }).sign(privateKey)).toMatch(/^ey/);
  });
});

describe("the served JWKS", () => {
  it("stays the same object, with the same bytes and entity tag, until a key changes", async () => {
    await deps.keys.refresh();
    const before = deps.keys.publishedJwks();
    await deps.keys.refresh();
    expect(deps.keys.publishedJwks()).toBe(before);
    passPublicationTime(deps);
    await rotate(deps);
    expect(deps.keys.publishedJwks().etag).not.toBe(before.etag);
    expect(before.cacheControl).toBe("public, max-age=60");
  });

  it("isn't cacheable while the node's keys may be outdated", () => {
    const { etag } = deps.keys.publishedJwks();
    const now = performance.now();
    vi.spyOn(performance, "now").mockReturnValue(now + 2_000);
    expect(deps.keys.publishedJwks()).toMatchObject({ etag, cacheControl: "no-cache" });
  });
});

describe("a node that hasn't detected a revocation yet", () => {
  it("refuses the key's signatures at the next request, and still accepts those of other keys", async () => {
    const node = await startNode(deps, { isStopped: true });
    const kid = kidOf(deps);
    const token = await sign(deps);
    expect(await isAccepted(node, token)).toBe(true);
    await revoke(deps, kid);
    expect(await isAccepted(node, token)).toBe(false);
    // The node's ring still has the key, but the statement that checks each use of a token refuses it.
    expect(node.keys.findVerificationKey(kid, "access_token")).not.toBeNull();
    expect(await isAccepted(node, await sign(deps))).toBe(true);
    // Tokens that the node still signs with the key are refused everywhere.
    expect(await isAccepted(deps, await sign(node))).toBe(false);
  });

  it("refuses a software statement signed by the key at the next registration", async () => {
    const node = await startNode(deps, { isStopped: true });
    const statement = await attest(deps, { client_name: "Grocer Bot" });
    expect(await readSoftwareStatement(node, statement)).toEqual({ client_name: "Grocer Bot" });
    await revoke(deps, kidOf(deps, "directory"));
    await expect(readSoftwareStatement(node, statement)).rejects.toMatchObject({ code: "invalid_software_statement" });
    // A client that registered with this statement can't send it back either. It can still send back a statement that
    // has only expired.
    const ordinary = await attest(deps, { client_name: "Baker Bot" });
    const later = { ...node, clock: { now: () => addSeconds(deps.clock.now(), 91 * 86_400) } };
    expect(await readSoftwareStatement(later, ordinary, ordinary)).toEqual({ client_name: "Baker Bot" });
    await expect(readSoftwareStatement(later, statement, statement)).rejects.toMatchObject({
      code: "invalid_software_statement",
    });
  });

  // Measured in real time. Other load on the machine may delay one measurement, but is unlikely to delay all three.
  it("detects the revocation within a second without a notification: the key is removed from the ring and the JWKS", {
    retry: 2,
  }, async () => {
    const node = await startNode(deps, { isStopped: false });
    const kid = kidOf(deps);
    const startedAt = performance.now();
    await revoke(deps, kid);
    while (kidsInJwks(node).includes(kid)) await sleep(20);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(node.keys.findVerificationKey(kid, "access_token")).toBeNull();
    expect(kidOf(node)).toBe(kidOf(deps));
    node.keys.stop();
  });

  it("doesn't sign or verify if it couldn't compare its keys for 30 s, and reports this at /readyz", async () => {
    const before = performance.now();
    const node = await startNode(deps, { isStopped: true });
    const kid = kidOf(node);
    const after = performance.now();
    const clock = vi.spyOn(performance, "now").mockReturnValue(before + 29_999);
    expect(node.keys.findVerificationKey(kid, "access_token")).not.toBeNull();
    clock.mockReturnValue(after + 30_001);
    const unavailable = expect.objectContaining({ kind: "unavailable" });
    expect(() => node.keys.signingKey("receipt")).toThrow(unavailable);
    expect(() => node.keys.findVerificationKey(kid, "access_token")).toThrow(unavailable);
    expect(node.keys.isLoaded()).toBe(false);
    await node.keys.refresh();
    expect(node.keys.isLoaded()).toBe(true);
    expect(kidOf(node)).toBe(kid);
  });
});

describe("a node with an older ring", () => {
  it("accepts signatures of the next key, which it already has", async () => {
    const node = await startNode(deps, { isStopped: true });
    passPublicationTime(deps);
    await rotate(deps);
    expect(await isAccepted(node, await sign(deps))).toBe(true);
    expect(await isAccepted(deps, await sign(node))).toBe(true);
  });

  it("accepts signatures of a key that was created and promoted in the meantime", async () => {
    const node = await startNode(deps, { isStopped: true });
    await revoke(deps, kidOf(deps));
    await revoke(deps, kidOf(deps));
    const token = await sign(deps);
    expect(node.keys.findVerificationKey(kidOf(deps), "access_token")).toBeNull();
    expect(await isAccepted(node, token)).toBe(true);
  });

  it("queries the database at most a few times a second, no matter how many kids are unknown", async () => {
    let statements = 0;
    const sql: Sql = {
      query(statement, values) {
        statements += 1;
        return deps.db.sql.query(statement, values);
      },
    };
    const node = await startNode({ ...deps, db: { ...deps.db, sql } satisfies Db }, { isStopped: true });
    const findKeys = () =>
      Promise.all(Array.from({ length: 500 }, () => node.keys.awaitVerificationKey(newSecret(), "receipt")));
    statements = 0;
    const startedAt = performance.now();
    for (let round = 0; round < 6; round++) expect(new Set(await findKeys())).toEqual(new Set([null]));
    expect(statements).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 200);
    statements = 0;
    for (const kid of ["", "x", "%00", "a".repeat(42), `${"a".repeat(43)}=`]) {
      expect(await node.keys.awaitVerificationKey(kid, "receipt")).toBeNull();
    }
    expect(await node.keys.awaitVerificationKey(kidOf(deps), "receipt")).toBeNull();
    expect(statements).toBe(0);
  });
});
