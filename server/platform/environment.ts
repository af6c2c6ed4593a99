import type { Config } from "../deps/config.ts";
import { sha256Base64url } from "../kernel/crypto/hash.ts";
import { masterKeyFingerprint } from "../kernel/crypto/seal.ts";
import { ConfigError } from "./settings/config-error.ts";

/**
 * Identifies a database without its credentials. If two different URLs lead to one database, the service recognizes the
 * database by its `environment` row (`assertOwnDatabase`).
 */
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

/**
 * Hashes of an environment's master key, issuer and database. The other environment refuses to start if one of its own
 * hashes is equal.
 */
export const fingerprintsOf = (config: Identity): string[] => Object.values(fingerprintsByVariable(config));

/**
 * @throws ConfigError if a setting of a sandbox equals production's, or if production's URL or hashes are missing, with
 *   one line per problem (docs/spec/oauth.md, Key separation).
 */
export const assertOwnSettings = (config: Config): void => {
  if (config.environment !== "sandbox") return;
  const problems = Object.entries(fingerprintsByVariable(config))
    .filter(([, fingerprint]) => config.productionFingerprints.includes(fingerprint))
    .map(([name]) => `${name}: this is production's; the sandbox needs its own`);
  if (config.productionUrl === null)
    problems.push("PRODUCTION_URL: missing; a sandbox imports production's list of keys");
  // Without these hashes, no value of production could be recognized.
  if (config.productionFingerprints.length === 0) {
    problems.push("PRODUCTION_FINGERPRINTS: missing (run npm run fingerprints with production's settings)");
  }
  if (config.productionUrl === config.baseUrl)
    problems.push("PRODUCTION_URL: this is the sandbox's own address; set the address of production");
  if (problems.length > 0) throw new ConfigError([...new Set(problems)]);
};

export type EnvironmentRow = { kind: string; fingerprint: string };

/** @throws ConfigError if the database belongs to the other environment, or was written with another master key. */
export const assertOwnDatabase = (row: EnvironmentRow, config: Pick<Config, "environment" | "masterKey">): void => {
  if (row.kind !== config.environment) {
    throw new ConfigError([
      `DATABASE_URL: this database belongs to ${row.kind}, but this service is ${config.environment}`,
    ]);
  }
  if (row.fingerprint !== masterKeyFingerprint(config.masterKey)) {
    throw new ConfigError(["MASTER_KEY: this database's secrets are encrypted with another key"]);
  }
};

/** @param isCutOff a restore started and did not finish. @throws ConfigError. */
export const assertRestored = (isCutOff: boolean): void => {
  if (isCutOff)
    throw new ConfigError([
      "DATABASE_URL: a restore of this database was interrupted; repeat it with npm run restore -- <file> --replace",
    ]);
};

/**
 * @param isForeign one of this environment's signing keys is in production's JWKS, which the sandbox imports.
 * @throws ConfigError.
 */
export const assertOwnKeys = (isForeign: boolean): void => {
  if (isForeign) throw new ConfigError(["DATABASE_URL: this database's signing keys are production's"]);
};
