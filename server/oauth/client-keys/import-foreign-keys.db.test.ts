import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey, type Signer } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findForeignKeyList, hasForeignKey } from "../../data/oauth/foreign-keys.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import { importForeignKeys } from "./import-foreign-keys.ts";
import { keyListType } from "./publish-key-list.ts";

/** Production's server as seen from the sandbox. */
const production = { keys: [] as object[], list: "", status: 200 };
let server: Server;
let deps: TestDeps;
let key: Signer;

beforeAll(async () => {
  server = createServer(({ url }, outgoing) => {
    const isJwks = url === "/.well-known/jwks.json";
    outgoing.writeHead(production.status).end(isJwks ? JSON.stringify({ keys: production.keys }) : production.list);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const productionUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  deps = await createTestDeps({ config: { productionUrl } });
  key = await makeKey();
  production.keys = [{ ...key.publicJwk, use: "sig", alg: "ES256" }];
});
afterAll(async () => {
  await deps.close();
  server.closeAllConnections();
  server.close();
});

type Change = { claims?: object; header?: object; signer?: Signer };

const sign = ({ claims, header, signer = key }: Change): Promise<string> => {
  const now = epochSeconds(deps.clock.now());
  const payload = {
    iss: String(deps.config.productionUrl),
    iat: now,
    exp: now + 24 * 3600,
    thumbprint_hashes: ["new"],
  };
  return new SignJWT({ ...payload, ...claims })
    .setProtectedHeader({ alg: "ES256", typ: keyListType, kid: String(signer.publicJwk["kid"]), ...header })
    .sign(signer.privateKey);
};
const isKnown = (hash: string) => hasForeignKey(deps.db.sql, [hash]);

describe("production's list of keys, signed and imported each minute (docs/spec/oauth.md, Key separation)", () => {
  test("is imported; a key stays refused after it is removed from the list", async () => {
    production.list = await sign({ claims: { thumbprint_hashes: ["first", "second"] } });
    await importForeignKeys(deps);
    const issuedAt = epochSeconds((await findForeignKeyList(deps.db))?.issuedAt ?? new Date(0));
    expect(issuedAt).toBe(epochSeconds(deps.clock.now()));
    deps.clock.advance(60);
    production.list = await sign({ claims: { thumbprint_hashes: ["third"] } });
    await importForeignKeys(deps);
    expect(await Promise.all(["first", "second", "third", "new"].map(isKnown))).toEqual([true, true, true, false]);
    expect(epochSeconds((await findForeignKeyList(deps.db))?.issuedAt ?? new Date(0))).toBe(issuedAt + 60);
  });

  const refused: [string, () => Change | Promise<Change>][] = [
    ["signed by a key that production doesn't publish", async () => ({ signer: await makeKey() })],
    [
      "signed by another key under production's kid",
      async () => ({
        signer: { ...(await makeKey()), publicJwk: key.publicJwk },
      }),
    ],
    ["with another typ (production also signs other JWTs)", () => ({ header: { typ: "JWT" } })],
    ["from another issuer", () => ({ claims: { iss: "https://evil.example" } })],
    ["that has expired", () => ({ claims: { exp: epochSeconds(deps.clock.now()) - 1 } })],
    ["whose expiry is a string", () => ({ claims: { exp: "soon" } })],
    ["that isn't valid yet", () => ({ claims: { nbf: epochSeconds(deps.clock.now()) + 3600 } })],
    ["issued in the future", () => ({ claims: { iat: epochSeconds(deps.clock.now()) + 3600 } })],
    ["without an issue time", () => ({ claims: { iat: undefined } })],
    ["without an expiry", () => ({ claims: { exp: undefined } })],
    ["without thumbprints", () => ({ claims: { thumbprint_hashes: undefined } })],
    ["whose thumbprints aren't all strings", () => ({ claims: { thumbprint_hashes: ["new", 1] } })],
  ];
  test.each(refused)("a list %s is refused and changes nothing", async (_title, change) => {
    const before = await findForeignKeyList(deps.db);
    deps.clock.advance(60);
    production.list = await sign(await change());
    await expect(importForeignKeys(deps)).rejects.toThrow();
    expect(await findForeignKeyList(deps.db)).toEqual(before);
    expect(await isKnown("new")).toBe(false);
  });

  test("a list that can't be loaded is reported as unreachable, and the last list is kept", async () => {
    const before = await findForeignKeyList(deps.db);
    // What a proxy returns while production starts.
    production.status = 503;
    production.keys = [];
    production.list = "{}";
    await expect(importForeignKeys(deps)).rejects.toMatchObject({ kind: "unavailable" });
    server.closeAllConnections();
    server.close();
    await expect(importForeignKeys(deps)).rejects.toMatchObject({
      kind: "unavailable",
      code: "production_unreachable",
    });
    expect(await findForeignKeyList(deps.db)).toEqual(before);
  });
});
