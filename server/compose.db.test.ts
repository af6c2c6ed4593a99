import { randomBytes } from "node:crypto";
import { decodeJwt } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { compose } from "./compose.ts";
import { saveForeignKeyList } from "./data/oauth/foreign-keys.ts";
import { claimEnvironment } from "./data/platform/environment.ts";
import type { Config } from "./deps/config.ts";
import { sha256Base64url } from "./kernel/crypto/hash.ts";
import { masterKeyFingerprint } from "./kernel/crypto/seal.ts";
import { publishKeyList } from "./oauth/client-keys/publish-key-list.ts";
import { fingerprintsOf } from "./platform/environment.ts";
import { ConfigError } from "./platform/settings/config-error.ts";

let deps: TestDeps;

beforeEach(async () => {
  deps = await createTestDeps({
    config: { productionUrl: "https://pay.example", productionFingerprints: ["another's"] },
  });
  const { baseUrl: issuer, masterKey } = deps.config;
  await claimEnvironment(deps.db, { kind: "sandbox", issuer, fingerprint: masterKeyFingerprint(masterKey) });
});
afterEach(() => deps.close());

const start = async (changes: Partial<Config> = {}): Promise<"started" | readonly string[]> => {
  try {
    await (await compose({ ...deps.config, ...changes }, deps.log)).close();
    return "started";
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

/** Stores production's list as the import does. */
const know = (thumbprintHashes: readonly string[]) =>
  deps.db.transaction((tx) => saveForeignKeyList(tx, { thumbprintHashes, issuedAt: new Date(), jwks: { keys: [] } }));

describe("the sandbox refuses to start with production's settings (docs/spec/oauth.md, Key separation)", () => {
  test("or without production's issuer and fingerprints", async () => {
    expect(await start({ productionUrl: null, productionFingerprints: [] })).toEqual([
      "PRODUCTION_URL: missing; a sandbox imports production's list of keys",
      "PRODUCTION_FINGERPRINTS: missing (run npm run fingerprints with production's settings)",
    ]);
  });

  test("with signing keys that are on production's list, for example in a copied database", async () => {
    await know([sha256Base64url("the thumbprint of another key")]);
    expect(await start()).toBe("started");
    const { thumbprint_hashes: own } = decodeJwt<{ thumbprint_hashes: string[] }>(await publishKeyList(deps));
    expect(own.length).toBeGreaterThan(1);
    await know(own);
    expect(await start()).toEqual(["DATABASE_URL: this database's signing keys are production's"]);
  });

  test("even if only one of its signing keys is on production's list", async () => {
    const [last = ""] = deps.keys
      .jwks()
      .keys.map(({ kid }) => sha256Base64url(kid ?? ""))
      .slice(-1);
    await know([last]);
    expect(await start()).toEqual(["DATABASE_URL: this database's signing keys are production's"]);
  });

  const others = { masterKey: randomBytes(32), baseUrl: "https://a.example", databaseUrl: "postgresql://db.example/a" };
  test.each([
    ["MASTER_KEY", "masterKey"],
    ["BASE_URL", "baseUrl"],
    ["DATABASE_URL", "databaseUrl"],
  ] as const)("%s", async (name, member) => {
    expect(await start({ productionFingerprints: fingerprintsOf(others) })).toBe("started");
    const production = { ...others, [member]: deps.config[member] };
    expect(await start({ productionFingerprints: fingerprintsOf(production) })).toEqual([
      `${name}: this is production's; the sandbox needs its own`,
    ]);
  });

  test("with a database that was created for production, whatever its URL", async () => {
    await deps.db.prisma.environment.update({ where: { id: 1 }, data: { kind: "production" } });
    expect(await start()).toEqual(["DATABASE_URL: this database belongs to production, but this service is sandbox"]);
  });
});

test("a process doesn't start if its master key isn't the key that encrypted the database's secrets", async () => {
  expect(await start({ masterKey: randomBytes(32) })).toEqual([
    "MASTER_KEY: this database's secrets are encrypted with another key",
  ]);
});

test("even if there are more transactions than connections, each transaction can read the sandbox's time, and no transaction waits forever", async () => {
  const sandbox = await compose(deps.config, deps.log);
  try {
    const ask = () => sandbox.db.sqlTransaction(() => sandbox.businessClock.now());
    expect(await Promise.all(Array.from({ length: 40 }, ask))).toHaveLength(40);
  } finally {
    await sandbox.close();
  }
});
