import type { Config } from "../deps/config.ts";
import { sha256Base64url } from "../kernel/crypto/hash.ts";
import { masterKeyFingerprint } from "../kernel/crypto/seal.ts";
import { ConfigError } from "./config.ts";

/** Names a database without its credentials: two addresses of one database are told apart by its `environment` row. */
const databaseIdentity = (databaseUrl: string): string => {
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `${hostname}:${port || "5432"}${pathname}`;
};

type Identity = Pick<Config, "masterKey" | "baseUrl" | "databaseUrl">;

const fingerprintsByVariable = (config: Identity): Readonly<Record<string, string>> => ({
  MASTER_KEY: masterKeyFingerprint(config.masterKey),
  BASE_URL: sha256Base64url(`issuer:${config.baseUrl}`),
  DATABASE_URL: sha256Base64url(`database:${databaseIdentity(config.databaseUrl)}`),
});

/** Hashes of one environment's master key, issuer and database: the other refuses to work with an equal one. */
export const fingerprintsOf = (config: Identity): string[] => Object.values(fingerprintsByVariable(config));

/**
 * @throws ConfigError, one line per variable of a sandbox that is production's, or that it doesn't know production by
 * (docs/spec/oauth.md, Key separation).
 */
export const assertNotProductions = (config: Config): void => {
  if (config.environment !== "sandbox") return;
  const problems = Object.entries(fingerprintsByVariable(config))
    .filter(([, fingerprint]) => config.productionFingerprints.includes(fingerprint))
    .map(([name]) => `${name}: this is production's; the sandbox needs its own`);
  // Without them nothing of production's would be known, and nothing refused.
  if (config.productionUrl === null)
    problems.push("PRODUCTION_URL: missing; a sandbox imports production's list of keys");
  if (config.productionFingerprints.length === 0) {
    problems.push(
      "PRODUCTION_FINGERPRINTS: missing (npm run fingerprints prints them where production's settings are)",
    );
  }
  if (config.productionUrl === config.baseUrl) problems.push("PRODUCTION_URL: the sandbox's own address");
  if (problems.length > 0) throw new ConfigError([...new Set(problems)]);
};

export type EnvironmentRow = { kind: string; fingerprint: string };

/** @throws ConfigError where the database was made for the other environment, or written under another master key. */
export const assertOwnDatabase = (row: EnvironmentRow, config: Pick<Config, "environment" | "masterKey">): void => {
  if (row.kind !== config.environment) {
    throw new ConfigError([`DATABASE_URL: this database belongs to ${row.kind}, and this is ${config.environment}`]);
  }
  if (row.fingerprint !== masterKeyFingerprint(config.masterKey)) {
    throw new ConfigError(["MASTER_KEY: this database's secrets are encrypted under another key"]);
  }
};

/** @param isCutOff a restore was begun and did not end. @throws ConfigError. */
export const assertRestored = (isCutOff: boolean): void => {
  if (isCutOff)
    throw new ConfigError([
      "DATABASE_URL: a restore of this database was cut off; npm run restore -- <file> --replace",
    ]);
};

/**
 * @param isForeign one of this environment's signing keys is on production's list of keys, which the sandbox imports.
 * @throws ConfigError.
 */
export const assertOwnKeys = (isForeign: boolean): void => {
  if (isForeign) throw new ConfigError(["DATABASE_URL: this database's signing keys are production's"]);
};
