import { setTimeout as wait } from "node:timers/promises";
import { calculateJwkThumbprint, decodeJwt, type JWK } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { assertionType, makeKey, type Signer, signAssertion } from "#e2e/support/oauth/oauth-client.ts";
import { statementsOf } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { connectDatabase } from "../../data/client.ts";
import { saveForeignKeyList } from "../../data/oauth/foreign-keys.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Outbound } from "../../deps/outbound.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { isOAuthError } from "../../kernel/errors.ts";
import { OutboundError } from "../../platform/outbound/outbound.ts";
import { authenticateClient } from "../clients/authenticate-client.ts";
import { authenticateRegistration } from "../clients/authenticate-registration.ts";
import { registerClient } from "../clients/register-client.ts";
import { replaceClientRegistration } from "../clients/replace-registration.ts";
import { publishKeyList, recentKeyList } from "./publish-key-list.ts";

const info = { requestId: "req_test", ipAddress: "", userAgent: "" };
const jwksUri = "https://bot.example/jwks.json";

/** A simulated web server of a client: the keys it serves, whether it responds, and the number of requests. */
const makeSite = () => {
  const site = {
    keys: [] as JWK[],
    /** additional entries of the key set, of any kind */
    others: [] as object[],
    cacheControl: undefined as string | undefined,
    isDown: false,
    requests: 0,
    /** the current and the largest number of concurrent requests */
    concurrent: 0,
    maxConcurrent: 0,
    /** responses wait for this promise while it is set */
    gate: null as Promise<void> | null,
  };
  const outbound: Outbound = {
    urlProblem: () => null,
    async request() {
      site.requests += 1;
      site.concurrent += 1;
      site.maxConcurrent = Math.max(site.maxConcurrent, site.concurrent);
      const { isDown, cacheControl } = site;
      const keys = [...site.keys, ...site.others];
      await site.gate;
      site.concurrent -= 1;
      if (isDown) throw new OutboundError("unreachable", "no connection");
      const headers = {
        "content-type": "application/json",
        ...(cacheControl ? { "cache-control": cacheControl } : {}),
      };
      return { status: 200, headers, body: Buffer.from(JSON.stringify({ keys })) };
    },
  };
  return { site, outbound };
};

const { site, outbound } = makeSite();
let deps: TestDeps;
const closing: (() => Promise<void>)[] = [];
beforeEach(() => {
  Object.assign(site, { keys: [], others: [], cacheControl: undefined, isDown: false, gate: null });
  Object.assign(site, { requests: 0, concurrent: 0, maxConcurrent: 0 });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const start = async (config: Partial<TestDeps["config"]> = {}): Promise<void> => {
  deps = await createTestDeps({ outbound, config });
  closing.unshift(() => deps.close());
};

/** Another process of the same environment, which shares only the database. */
const anotherNode = (): Deps => {
  const db = connectDatabase(deps.config.databaseUrl, 5);
  closing.unshift(() => db.close());
  return { ...deps, db };
};

const register = async (key: Signer): Promise<string> => {
  site.keys = [key.publicJwk];
  const metadata = { grant_types: ["client_credentials"], scope: "charges.read", jwks_uri: jwksUri };
  const { client_id } = await registerClient(deps, { metadata, authorization: null, info });
  return client_id;
};

/** @returns "ok", or the error. */
const authenticate = async (
  id: string,
  { key, kid }: { key: Signer; kid: string | undefined },
  node: Deps = deps,
): Promise<string> => {
  const assertion = await signAssertion({ id, privateKey: key.privateKey }, deps.config.baseUrl, {
    header: { kid },
    now: deps.clock.now(),
  });
  const form = { client_assertion_type: assertionType, client_assertion: assertion };
  return authenticateClient(node, { form, authorization: null }).then(
    () => "ok",
    (error: unknown) => {
      if (isOAuthError(error)) return `${error.code}: ${error.description}`;
      throw error;
    },
  );
};

const cannotLoad = "invalid_client: the client's keys can't be loaded from its jwks_uri";
const notAKey = "invalid_client: the assertion's kid is not one of the client's keys";

describe("keys from a jwks_uri are valid for 60 s to 15 min, with any headers (docs/spec/oauth.md, Client keys)", () => {
  test.each([
    ["max-age=1", 60],
    ["no-store", 60],
    ["no-cache, max-age=600", 60],
    ["max-age=0", 60],
    ["public, MAX-AGE=120", 120],
    ["max-age=899", 899],
    ["max-age=31536000, immutable", 900],
    ["max-age=99999999999999", 300],
    [undefined, 300],
  ])("%s: %d s", async (cacheControl, seconds) => {
    await start();
    const key = await makeKey();
    site.cacheControl = cacheControl;
    const id = await register(key);
    expect(site.requests).toBe(1);
    site.isDown = true;
    deps.clock.advance(seconds - 1);
    expect(await authenticate(id, { key, kid: "test" })).toBe("ok");
    deps.clock.advance(1);
    // The keys have expired, and the retry isn't due yet.
    deps.clock.advance(10);
    expect(await authenticate(id, { key, kid: "test" })).toBe(cannotLoad);
  });

  test("aren't reloaded in the first minute; in the last quarter of their lifetime they are reloaded in the background", async () => {
    await start();
    const key = await makeKey();
    site.cacheControl = "max-age=400";
    const id = await register(key);
    deps.clock.advance(299);
    expect(await authenticate(id, { key, kid: "test" })).toBe("ok");
    expect(site.requests).toBe(1);
    deps.clock.advance(1);
    expect(await authenticate(id, { key, kid: "test" })).toBe("ok");
    await expect.poll(() => site.requests).toBe(2);
    deps.clock.advance(299);
    expect(await authenticate(id, { key, kid: "test" })).toBe("ok");
    expect(site.requests).toBe(2);
  });

  test("stay valid for their lifetime if a load fails; the load is retried after 10 s", async () => {
    await start();
    const key = await makeKey();
    site.cacheControl = "max-age=100";
    const id = await register(key);
    site.isDown = true;
    deps.clock.advance(76);
    for (let time = 0; time < 3; time += 1) expect(await authenticate(id, { key, kid: "test" })).toBe("ok");
    await expect.poll(() => site.requests).toBe(2);
    deps.clock.advance(24);
    expect(await authenticate(id, { key, kid: "test" })).toBe(cannotLoad);
    const before = site.requests;
    expect(await authenticate(id, { key, kid: "test" })).toBe(cannotLoad);
    expect(site.requests).toBe(before);
    site.isDown = false;
    expect(await authenticate(id, { key, kid: "test" })).toBe(cannotLoad);
    deps.clock.advance(10);
    expect(await authenticate(id, { key, kid: "test" })).toBe("ok");
  });

  test("one load serves all waiting requests of a process (single flight)", async () => {
    await start();
    const key = await makeKey();
    const id = await register(key);
    deps.clock.advance(900);
    const { promise, resolve } = Promise.withResolvers<void>();
    site.gate = promise;
    const answers = Promise.all(Array.from({ length: 20 }, () => authenticate(id, { key, kid: "test" })));
    await expect.poll(() => site.requests).toBe(2);
    resolve();
    expect(new Set(await answers)).toEqual(new Set(["ok"]));
    expect(site.requests).toBe(2);
  });

  test("all processes use the keys that one process has loaded; no other process loads them", async () => {
    await start();
    const key = await makeKey();
    const id = await register(key);
    const nodes = [anotherNode(), anotherNode()];
    for (const node of nodes) expect(await authenticate(id, { key, kid: "test" }, node)).toBe("ok");
    expect(site.requests).toBe(1);
    deps.clock.advance(300);
    for (const node of [deps, ...nodes]) expect(await authenticate(id, { key, kid: "test" }, node)).toBe("ok");
    expect(site.requests).toBe(2);
  });
});

describe("an unknown kid causes at most one load per client and minute (docs/spec/oauth.md, Client keys)", () => {
  test("a new key works at its first use; an invented kid causes one load a minute, across all processes", async () => {
    await start();
    const [key, next] = [await makeKey("a"), await makeKey("b")];
    const id = await register(key);
    const node = anotherNode();
    expect(await authenticate(id, { key, kid: "a" }, node)).toBe("ok");
    site.keys = [key.publicJwk, next.publicJwk];
    expect(await authenticate(id, { key: next, kid: "b" })).toBe("ok");
    expect(site.requests).toBe(2);
    // The other process also has the key, and loads nothing.
    expect(await authenticate(id, { key: next, kid: "b" }, node)).toBe("ok");
    for (const caller of [deps, node]) {
      expect(await authenticate(id, { key: next, kid: "made-up" }, caller)).toBe(notAKey);
    }
    deps.clock.advance(59);
    expect(await authenticate(id, { key: next, kid: "made-up" })).toBe(notAKey);
    expect(site.requests).toBe(2);
    deps.clock.advance(1);
    for (const caller of [deps, node, deps]) {
      expect(await authenticate(id, { key: next, kid: "made-up" }, caller)).toBe(notAKey);
    }
    expect(site.requests).toBe(3);
  });

  test("after the clock stepped back an hour, no request waits, and keys expire at the end of their lifetime", async () => {
    await start();
    const [key, next, last] = [await makeKey("a"), await makeKey("b"), await makeKey("c")];
    const id = await register(key);
    site.keys = [key.publicJwk, next.publicJwk];
    expect(await authenticate(id, { key: next, kid: "b" })).toBe("ok");
    site.isDown = true;
    deps.clock.advance(900);
    expect(await authenticate(id, { key: next, kid: "b" })).toBe(cannotLoad);
    deps.clock.advance(-3600);
    Object.assign(site, { isDown: false, keys: [next.publicJwk] });
    expect(await authenticate(id, { key: next, kid: "b" })).toBe("ok");
    expect(await authenticate(id, { key, kid: "a" })).toBe(notAKey);
    site.keys = [last.publicJwk];
    deps.clock.advance(60);
    expect(await authenticate(id, { key: last, kid: "c" })).toBe("ok");
  });

  test("fifty concurrent requests cause one load, and every request in every process uses the new key", async () => {
    await start();
    const [key, next] = [await makeKey("a"), await makeKey("b")];
    const id = await register(key);
    const node = anotherNode();
    for (const one of [deps, node]) expect(await authenticate(id, { key, kid: "a" }, one)).toBe("ok");
    site.keys = [next.publicJwk];
    const { promise, resolve } = Promise.withResolvers<void>();
    site.gate = promise;
    const answers = Promise.all(
      Array.from({ length: 50 }, (_, index) => authenticate(id, { key: next, kid: "b" }, index % 2 ? deps : node)),
    );
    await expect.poll(() => site.requests).toBe(2);
    setTimeout(resolve, 300);
    expect(new Set(await answers)).toEqual(new Set(["ok"]));
    expect(site.requests).toBe(2);
  });

  test("a failed load leaves the other keys unchanged", async () => {
    await start();
    const key = await makeKey("a");
    const id = await register(key);
    site.isDown = true;
    expect(await authenticate(id, { key, kid: "made-up" })).toBe(notAKey);
    expect(await authenticate(id, { key, kid: "a" })).toBe("ok");
  });

  test("each client has its own limit per minute", async () => {
    await start();
    const [one, other] = [await makeKey("a"), await makeKey("a")];
    const ids = [await register(one), await register(other)];
    const before = site.requests;
    for (const id of ids) expect(await authenticate(id, { key: one, kid: "made-up" })).toMatch(/invalid_client/);
    expect(site.requests).toBe(before + 2);
  });
});

describe("a process runs one load per client at a time, so a slow jwks_uri blocks one load only", () => {
  const closeGate = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    site.gate = promise;
    return resolve;
  };

  test("a renewal and a load for an unknown kid run one after the other, and the new key works at its first use", async () => {
    await start();
    const [key, next] = [await makeKey("a"), await makeKey("b")];
    site.cacheControl = "max-age=400";
    const id = await register(key);
    expect(await authenticate(id, { key, kid: "a" })).toBe("ok");
    deps.clock.advance(300);
    const open = closeGate();
    expect(await authenticate(id, { key, kid: "a" })).toBe("ok");
    await expect.poll(() => site.requests).toBe(2);
    // This load began before the key was published.
    site.keys = [key.publicJwk, next.publicJwk];
    const answers = Promise.all(Array.from({ length: 10 }, () => authenticate(id, { key: next, kid: "b" })));
    await wait(200);
    expect(site.requests).toBe(2);
    open();
    expect(new Set(await answers)).toEqual(new Set(["ok"]));
    expect([site.requests, site.maxConcurrent]).toEqual([3, 1]);
  });

  test("another client's keys are loaded at the same time", async () => {
    await start();
    const key = await makeKey();
    const [slow, other] = [await register(key), await register(key)];
    deps.clock.advance(900);
    const open = closeGate();
    const waiting = authenticate(slow, { key, kid: "test" });
    await expect.poll(() => site.requests).toBe(3);
    site.gate = null;
    expect(await authenticate(other, { key, kid: "test" })).toBe("ok");
    open();
    expect(await waiting).toBe("ok");
  });

  test("a PUT waits in the queue too, and is refused with temporarily_unavailable if several loads already wait (RFC 7592 §2.2)", async () => {
    await start();
    const key = await makeKey();
    const id = await register(key);
    const registrationTokenHash = sha256Base64url("secret");
    await deps.db.prisma.client.update({ where: { id }, data: { registrationTokenHash } });
    const caller = await authenticateRegistration(deps, { clientId: id, authorization: "Bearer secret", info });
    const open = closeGate();
    const metadata = { grant_types: ["client_credentials"], scope: "charges.read", jwks_uri: jwksUri };
    let refusals = 0;
    const puts = Array.from({ length: 8 }, () =>
      replaceClientRegistration(deps, { caller, metadata, info }).then(
        () => "done",
        ({ code }: { code: string }) => {
          refusals += 1;
          return code;
        },
      ),
    );
    await expect.poll(() => refusals).toBe(3);
    open();
    const outcomes = (await Promise.all(puts)).toSorted();
    // The first request that gets its turn succeeds; the later ones are refused.
    expect(outcomes).toEqual([
      "done",
      ...Array(4).fill("invalid_request"),
      ...Array(3).fill("temporarily_unavailable"),
    ]);
    expect([site.requests, site.maxConcurrent]).toEqual([6, 1]);
    expect(await authenticate(id, { key, kid: "test" })).toBe("ok");
  });
});

describe("loaded keys are effective in all processes immediately", () => {
  test("every process refuses a removed key as soon as one process has loaded the set without it", async () => {
    await start();
    const [key, next] = [await makeKey("a"), await makeKey("b")];
    const id = await register(key);
    const node = anotherNode();
    expect(await authenticate(id, { key, kid: "a" }, node)).toBe("ok");
    site.keys = [next.publicJwk];
    expect(await authenticate(id, { key: next, kid: "b" })).toBe("ok");
    expect(await authenticate(id, { key, kid: "a" }, node)).toBe(notAKey);
  });

  test("a set that breaks the registration rules is refused: the previous keys stay valid for their lifetime", async () => {
    await start();
    const key = await makeKey("a");
    const id = await register(key);
    site.keys = [key.publicJwk, { kty: "oct", k: "c2VjcmV0", kid: "b" }];
    expect(await authenticate(id, { key, kid: "b" })).toBe(notAKey);
    expect(await authenticate(id, { key, kid: "a" })).toBe("ok");
    deps.clock.advance(300);
    expect(await authenticate(id, { key, kid: "a" })).toBe(cannotLoad);
  });

  test("keys for other purposes are ignored, at registration and later; a private key is refused (RFC 7517 §5)", async () => {
    await start();
    const key = await makeKey("a");
    const forOthers = [
      { ...key.publicJwk, kid: "e", use: "enc" },
      { ...key.publicJwk, kid: undefined, alg: "ES256K" },
      { kty: "EC", crv: "P-384", x: "x", y: "y", kid: "a" },
      { kty: "new", kid: 12 },
      // A point that isn't on the curve.
      { ...key.publicJwk, kid: "o", y: key.publicJwk.x },
    ];
    site.others = forOthers;
    const id = await register(key);
    expect(await authenticate(id, { key, kid: "a" })).toBe("ok");
    expect(await authenticate(id, { key, kid: "e" })).toBe(notAKey);
    expect(await authenticate(id, { key, kid: undefined })).toBe("ok");
    const next = await makeKey("b");
    site.keys = [next.publicJwk];
    site.others = Array(20).fill(forOthers[0]);
    deps.clock.advance(300);
    expect(await authenticate(id, { key: next, kid: "b" })).toBe("ok");
    expect(await authenticate(id, { key, kid: "a" })).toBe(notAKey);
    site.others = [];
    await expect(register({ ...key, publicJwk: { ...key.publicJwk, use: "enc" } })).rejects.toMatchObject({
      description: "jwks_uri: a key is not for signatures (use, key_ops)",
    });
    site.others = [...forOthers, { kty: "oct", use: "enc", k: "c2VjcmV0", kid: "b" }];
    await expect(register(key)).rejects.toMatchObject({ description: "jwks_uri: a key is private or symmetric" });
  });

  test("a set with a kid that can't be stored is refused", async () => {
    await start();
    const key = await makeKey("a");
    const id = await register(key);
    for (const kid of ["\0", "\ud800"]) {
      site.keys = [{ ...key.publicJwk, kid }];
      deps.clock.advance(60);
      expect(await authenticate(id, { key, kid: "b" })).toBe(notAKey);
      await expect(register({ ...key, publicJwk: { ...key.publicJwk, kid } })).rejects.toMatchObject({
        code: "invalid_client_metadata",
      });
    }
    expect(await authenticate(id, { key, kid: "a" })).toBe("ok");
  });

  test("a change of keys is audited once; a load of the same keys isn't", async () => {
    await start();
    const [key, next] = [await makeKey("a"), await makeKey("b")];
    const id = await register(key);
    deps.clock.advance(900);
    expect(await authenticate(id, { key, kid: "a" })).toBe("ok");
    site.keys = [next.publicJwk];
    expect(await authenticate(id, { key: next, kid: "b" })).toBe("ok");
    const rows = await deps.db.prisma
      .$queryRaw`SELECT 1 FROM audit_entry WHERE action = 'client.keys_loaded' AND subject_id = ${id}`;
    expect(rows).toHaveLength(1);
    expect(site.requests).toBe(3);
  });
});

const hashOf = async (key: Signer) => sha256Base64url(await calculateJwkThumbprint(key.publicJwk));

describe("a production key is refused in the sandbox (docs/spec/oauth.md, Key separation)", () => {
  const know = async (keys: Signer[]) =>
    deps.db.transaction(async (tx) =>
      saveForeignKeyList(tx, {
        thumbprintHashes: await Promise.all(keys.map(hashOf)),
        issuedAt: deps.clock.now(),
        jwks: { keys: [] },
      }),
    );
  const beside = () => start({ productionUrl: "http://127.0.0.1:1" });

  test("at registration by jwks_uri", async () => {
    await beside();
    const key = await makeKey();
    await know([key]);
    await expect(register(key)).rejects.toMatchObject({
      code: "invalid_client_metadata",
      description: "jwks_uri: contains a key that is used in production: use a separate key",
    });
  });

  test("at a later load, and in an assertion if production registered the key later", async () => {
    await beside();
    await know([]);
    const [key, foreign] = [await makeKey("a"), await makeKey("b")];
    const id = await register(key);
    await know([foreign]);
    site.keys = [key.publicJwk, foreign.publicJwk];
    expect(await authenticate(id, { key: foreign, kid: "b" })).toBe(notAKey);
    expect(await authenticate(id, { key, kid: "a" })).toBe("ok");
    await know([key]);
    expect(await authenticate(id, { key, kid: "a" })).toBe(
      "invalid_client: the client's key is used in production: use a separate key in the sandbox",
    );
  });

  test("even if it replaces one of two identical keys in the client's set", async () => {
    await beside();
    await know([]);
    const [key, next] = [await makeKey("a"), await makeKey("b")];
    site.keys = [key.publicJwk, { ...key.publicJwk, kid: "b" }];
    const metadata = { grant_types: ["client_credentials"], scope: "charges.read", jwks_uri: jwksUri };
    const { client_id: id } = await registerClient(deps, { metadata, authorization: null, info });
    site.keys = [key.publicJwk, next.publicJwk];
    deps.clock.advance(900);
    expect(await authenticate(id, { key: next, kid: "b" })).toBe("ok");
    await know([next]);
    expect(await authenticate(id, { key: next, kid: "b" })).toBe(
      "invalid_client: the client's key is used in production: use a separate key in the sandbox",
    );
  });

  test("if production's list is older than 24 h, new keys are refused and known keys still work", async () => {
    await beside();
    await know([]);
    const [key, next] = [await makeKey("a"), await makeKey("b")];
    const id = await register(key);
    deps.clock.advance(24 * 3600);
    expect(await authenticate(id, { key, kid: "a" })).toBe("ok");
    site.keys = [key.publicJwk, next.publicJwk];
    expect(await authenticate(id, { key: next, kid: "b" })).toBe(notAKey);
    await expect(register(await makeKey())).rejects.toMatchObject({ code: "temporarily_unavailable" });
    await know([]);
    deps.clock.advance(60);
    site.keys = [key.publicJwk, next.publicJwk];
    expect(await authenticate(id, { key: next, kid: "b" })).toBe("ok");
  });

  test("production's published list contains the keys that are loaded now", async () => {
    await start({ environment: "sandbox" });
    const [key, next] = [await makeKey("a"), await makeKey("b")];
    const id = await register(key);
    const published = async () => decodeJwt(await publishKeyList(deps))["thumbprint_hashes"];
    expect(await published()).toContain(await hashOf(key));
    site.keys = [key.publicJwk, next.publicJwk];
    expect(await authenticate(id, { key: next, kid: "b" })).toBe("ok");
    expect(await published()).toEqual(expect.arrayContaining([await hashOf(key), await hashOf(next)]));
  });

  test("the list is built once in ten seconds, for any number of concurrent callers", async () => {
    await start({ environment: "sandbox" });
    const names = await statementsOf(deps.db, () => Promise.all(Array.from({ length: 20 }, () => recentKeyList(deps))));
    expect(names.filter((name) => name === "list_client_key_hashes")).toHaveLength(1);
    const first = await recentKeyList(deps);
    const key = await makeKey("a");
    await register(key);
    deps.clock.advance(9);
    expect(await recentKeyList(deps)).toBe(first);
    deps.clock.advance(1);
    expect(decodeJwt(await recentKeyList(deps))["thumbprint_hashes"]).toContain(await hashOf(key));
  });
});
