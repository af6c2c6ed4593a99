import { randomUUID } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { assertionType, makeKey, type Signer, signAssertion, signProof } from "#e2e/support/oauth/oauth-client.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findLiveness } from "../../data/oauth/liveness.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Outbound } from "../../deps/outbound.ts";
import { isOAuthError } from "../../kernel/errors.ts";
import { authenticateClient } from "../clients/authenticate-client.ts";
import { authenticateRegistration } from "../clients/authenticate-registration.ts";
import { registerClient } from "../clients/register-client.ts";
import { replaceClientRegistration } from "../clients/replace-registration.ts";
import { verifyDpopProof } from "../tokens/verify-dpop-proof.ts";
import { blockClientKey } from "./block-client-key.ts";
import { findKeyUse } from "./find-key-use.ts";
import { listBlockedClientKeys } from "./list-blocked-client-keys.ts";
import { unblockClientKey } from "./unblock-client-key.ts";

const info = { requestId: "req_test", ipAddress: "", userAgent: "" };
const by = { actor: { kind: "operator", id: "acc_operator" }, requestId: "req_test" } as const;
const jwksUri = "https://bot.example/jwks.json";

/** The keys that the client's web server serves. */
const site = { keys: [] as JWK[], requests: 0 };
const outbound: Outbound = {
  urlProblem: () => null,
  async request() {
    site.requests += 1;
    const body = Buffer.from(JSON.stringify({ keys: site.keys }));
    return { status: 200, headers: { "content-type": "application/json", "cache-control": "max-age=60" }, body };
  },
};

let deps: TestDeps;
let node: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ outbound });
  node = await anotherNode(deps);
});
afterAll(async () => {
  await node?.close();
  await deps?.close();
});
beforeEach(() => Object.assign(site, { keys: [], requests: 0 }));

const metadataOf = (keys: readonly Signer[]) => ({
  grant_types: ["client_credentials"],
  scope: "charges.read",
  jwks: { keys: keys.map(({ publicJwk }) => publicJwk) },
});
const register = async (metadata: object) =>
  (await registerClient(deps, { metadata, authorization: null, info })).client_id;

type Registered = Awaited<ReturnType<typeof registerClient>>;

/** RFC 7592 §2.2. */
const replaceKeys = async (client: Registered, keys: readonly Signer[]): Promise<unknown> => {
  const { client_id: clientId, registration_access_token: token } = client;
  const caller = await authenticateRegistration(deps, { clientId, authorization: `Bearer ${token}`, info });
  return replaceClientRegistration(deps, { caller, metadata: { ...metadataOf(keys), client_id: clientId }, info });
};

const resultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "ok",
    (error: unknown) => {
      if (isOAuthError(error)) return `${error.code}: ${error.description}`;
      throw error;
    },
  );

/** @returns "ok", or the error. */
const authenticate = async (id: string, key: Signer, at: Deps = deps): Promise<string> => {
  const header = { kid: key.publicJwk.kid };
  const now = deps.clock.now();
  const client_assertion = await signAssertion({ id, privateKey: key.privateKey }, deps.config.baseUrl, {
    header,
    now,
  });
  const form = { client_assertion_type: assertionType, client_assertion };
  return resultOf(authenticateClient(at, { form, authorization: null }));
};

const keyText = ({ publicJwk }: Signer): string => JSON.stringify(publicJwk);
const block = (key: Signer, at: Deps = deps) => blockClientKey(at, { key: keyText(key), reason: "It leaked", ...by });
const thumbprintOf = ({ publicJwk }: Signer): Promise<string> => calculateJwkThumbprint(publicJwk);
const auditOf = (action: string, subjectId: string) =>
  deps.db.prisma.$queryRaw<{ data: unknown }[]>`
    SELECT data FROM audit_entry WHERE action = ${action} AND subject_id = ${subjectId}`;

const isBlocked = "invalid_client: the assertion's key is blocked: use another key";
const isRefused = (source: string) =>
  `invalid_client_metadata: ${source}: contains a key that is blocked: use another key`;

describe("a blocked key (docs/spec/oauth.md, Blocked keys)", () => {
  test("is refused immediately in every process that cached the client, and the client's other keys keep working", async () => {
    const [leaked, other] = [await makeKey("a"), await makeKey("b")];
    const id = await register(metadataOf([leaked, other]));
    for (const at of [deps, node]) expect(await authenticate(id, leaked, at)).toBe("ok");
    const before = await deps.db.prisma.client.findUniqueOrThrow({ where: { id } });
    expect(await block(leaked)).toMatchObject({ isNew: true, clients: 1, thumbprint: await thumbprintOf(leaked) });
    for (const at of [deps, node]) {
      expect(await authenticate(id, leaked, at)).toBe(isBlocked);
      expect(await authenticate(id, other, at)).toBe("ok");
    }
    const after = await deps.db.prisma.client.findUniqueOrThrow({ where: { id } });
    expect(after.epoch).toBe(before.epoch + 1);
    const [entry] = await auditOf("client_key.blocked", await thumbprintOf(leaked));
    expect(entry?.data).toEqual({ reason: "It leaked", clients: 1, client_ids: [id] });
  });

  test("is accepted again immediately when it is unblocked; at most one of two operators unblocks it", async () => {
    const key = await makeKey();
    const id = await register(metadataOf([key]));
    await block(key);
    for (const at of [deps, node]) expect(await authenticate(id, key, at)).toBe(isBlocked);
    const thumbprint = await thumbprintOf(key);
    const unblock = (at: Deps) => unblockClientKey(at, { thumbprint, reason: "Another key", ...by });
    const results = await Promise.allSettled([unblock(deps), unblock(node)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(results.find((result) => result.status === "rejected")?.reason).toMatchObject({
      code: "blocked_key_not_found",
    });
    for (const at of [deps, node]) expect(await authenticate(id, key, at)).toBe("ok");
    expect(await auditOf("client_key.unblocked", thumbprint)).toHaveLength(1);
  });

  test("is blocked once, even if several operators enter it at the same time, as a JWK or as a thumbprint", async () => {
    const key = await makeKey();
    const texts = [keyText(key), await thumbprintOf(key), ` ${keyText(key)}\n`];
    const results = await Promise.all(
      texts.map((text, index) => blockClientKey(index === 1 ? node : deps, { key: text, reason: "It leaked", ...by })),
    );
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await auditOf("client_key.blocked", await thumbprintOf(key))).toHaveLength(1);
  });

  test("can't be registered or added, and nothing is stored", async () => {
    const [leaked, good] = [await makeKey("a"), await makeKey("b")];
    await block(leaked);
    const clients = await deps.db.prisma.client.count();
    expect(await resultOf(register(metadataOf([good, leaked])))).toBe(isRefused("jwks"));
    site.keys = [leaked.publicJwk];
    const { jwks: _, ...metadata } = metadataOf([]);
    expect(await resultOf(register({ ...metadata, jwks_uri: jwksUri }))).toBe(isRefused("jwks_uri"));
    expect(await deps.db.prisma.client.count()).toBe(clients);

    const registered = await registerClient(deps, { metadata: metadataOf([good]), authorization: null, info });
    expect(await resultOf(replaceKeys(registered, [good, leaked]))).toBe(isRefused("jwks"));
    expect(await authenticate(registered.client_id, good)).toBe("ok");
  });

  test("isn't used if a jwks_uri returns it, doesn't affect the other keys, and doesn't cause the jwks_uri to be fetched again", async () => {
    const [leaked, good] = [await makeKey("a"), await makeKey("b")];
    site.keys = [good.publicJwk];
    const { jwks: _, ...metadata } = metadataOf([]);
    const id = await register({ ...metadata, jwks_uri: jwksUri });
    for (const at of [deps, node]) expect(await authenticate(id, good, at)).toBe("ok");
    await block(leaked);
    site.keys = [good.publicJwk, leaked.publicJwk];
    deps.clock.advance(120);
    for (const at of [deps, node]) {
      expect(await authenticate(id, leaked, at)).toBe(isBlocked);
      expect(await authenticate(id, good, at)).toBe("ok");
    }
    const { requests } = site;
    for (const at of [deps, node, deps]) expect(await authenticate(id, leaked, at)).toBe(isBlocked);
    expect(site.requests).toBe(requests);
    expect(await findKeyUse(deps, { key: keyText(leaked) })).toMatchObject({ total: 1, users: [{ id, keys: 2 }] });
  });

  test("never authenticates a client, even if it is blocked while a client registers it", async () => {
    for (let round = 0; round < 12; round += 1) {
      const key = await makeKey();
      const [registering] = await Promise.allSettled([register(metadataOf([key])), block(key, node)]);
      if (registering.status === "rejected") {
        expect(registering.reason).toMatchObject({ code: "invalid_client_metadata" });
        continue;
      }
      for (const at of [deps, node]) expect(await authenticate(registering.value, key, at)).toBe(isBlocked);
    }
  });

  test("causes no deadlock if its client replaces it while an operator blocks it", async () => {
    const [leaked, good] = [await makeKey("a"), await makeKey("b")];
    const clients = await Promise.all(
      Array.from({ length: 6 }, () =>
        registerClient(deps, { metadata: metadataOf([leaked]), authorization: null, info }),
      ),
    );
    const replacing = clients.map((client) => replaceKeys(client, [good]));
    const [blocked, ...replaced] = await Promise.allSettled([block(leaked, node), ...replacing]);
    expect(blocked.status).toBe("fulfilled");
    for (const [index, result] of replaced.entries()) {
      const id = clients[index]?.client_id ?? "";
      // The request is refused if the block changed the client between the check and the write.
      if (result.status === "rejected") expect(isOAuthError(result.reason)).toBe(true);
      else expect(await authenticate(id, good)).toBe("ok");
      expect(await authenticate(id, leaked)).not.toBe("ok");
    }
  });

  test("isn't accepted in a DPoP proof (RFC 9449 §4.3)", async () => {
    const key = await makeKey();
    const consume = async () => {
      const proof = await signProof(key, { url: `${deps.config.baseUrl}/oauth/token`, now: deps.clock.now() });
      const verified = await verifyDpopProof(deps, { proof, method: "POST", path: "/oauth/token", accessToken: null });
      return verified.consume();
    };
    expect(await resultOf(consume())).toBe("ok");
    await block(key, node);
    expect(await resultOf(consume())).toBe("invalid_dpop_proof: the proof's key is blocked: use another key");
  });

  test("ends the access tokens that are bound to it, of any client (RFC 9449 §6)", async () => {
    const [leaked, other] = [await makeKey("a"), await makeKey("b")];
    const clientId = await register(metadataOf([await makeKey("own")]));
    const kid = deps.keys.signingKey("access_token").kid;
    const isDenied = async (key: Signer, at: Deps) => {
      const token = { clientId, grantId: null, jti: randomUUID(), mandateIds: [], kid, jkt: await thumbprintOf(key) };
      return (await findLiveness(at.db.sql, { ...token, at: await at.businessClock.now() }))?.isDenied;
    };
    expect(await isDenied(leaked, deps)).toBe(false);
    await block(leaked);
    for (const at of [deps, node]) {
      expect(await isDenied(leaked, at)).toBe(true);
      expect(await isDenied(other, at)).toBe(false);
    }
  });

  test("can't be entered as a private key: the entry is refused, and the key is neither stored nor returned", async () => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const jwk = await exportJWK(privateKey);
    const attempt = blockClientKey(deps, { key: JSON.stringify(jwk), reason: "It leaked", ...by });
    const error: unknown = await attempt.catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ code: "private_key", errors: [{ pointer: "/key" }] });
    expect(JSON.stringify(error)).not.toContain(jwk.d);
    expect(await auditOf("client_key.blocked", await calculateJwkThumbprint(jwk))).toEqual([]);
  });
});

describe("the blocklist", () => {
  test("is listed newest first, in pages, and can be searched by thumbprint and reason", async () => {
    const keys = [await makeKey(), await makeKey(), await makeKey()];
    const reason = `Weak key ${randomUUID()}`;
    for (const key of keys) {
      deps.clock.advance(1);
      await blockClientKey(deps, { key: keyText(key), reason, ...by });
    }
    const thumbprints = await Promise.all(keys.map(thumbprintOf));
    const list = async (query: { search: string; startingAfter?: string; limit: number }) => {
      const { keys: found, hasMore } = await listBlockedClientKeys(deps, query);
      return { hasMore, found: found.map(({ thumbprint }) => thumbprint) };
    };
    const [first = "", second = "", third = ""] = thumbprints;
    expect(await list({ search: reason.toUpperCase(), limit: 2 })).toEqual({ hasMore: true, found: [third, second] });
    expect(await list({ search: reason, startingAfter: second, limit: 2 })).toEqual({ hasMore: false, found: [first] });
    expect(await list({ search: second.slice(0, 20), limit: 2 })).toEqual({ hasMore: false, found: [second] });
    expect(await list({ search: "%", limit: 2 })).toEqual({ hasMore: false, found: [] });
  });

  test("shows, before a key is blocked, which clients use it and how many keys each of them has", async () => {
    const [key, other] = [await makeKey("a"), await makeKey("b")];
    const [alone, both] = [await register(metadataOf([key])), await register(metadataOf([key, other]))];
    const use = await findKeyUse(deps, { key: await thumbprintOf(key) });
    expect(use).toMatchObject({ isBlocked: false, total: 2, thumbprint: await thumbprintOf(key) });
    expect(new Map(use.users.map(({ id, keys }) => [id, keys]))).toEqual(
      new Map([
        [alone, 1],
        [both, 2],
      ]),
    );
    expect(await findKeyUse(deps, { key: await thumbprintOf(await makeKey()) })).toMatchObject({ total: 0, users: [] });
  });
});
