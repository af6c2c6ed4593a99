import path from "node:path";
import type { Config } from "../../deps/config.ts";
import { isLoopbackUrl, isSettingName, readVariables, toConfig, type Variables } from "../../platform/config.ts";
import { fingerprintsOf } from "../../platform/environment.ts";
import { ConfigError } from "../../platform/settings/config-error.ts";
import type { Secrets } from "./secrets.ts";

export type ChildEnvironment = Readonly<Record<string, string>> & { readonly NODE_ENV: "production" };
export type EnvironmentName = "production" | "sandbox";

/** One of the two services on this machine: the environment of its processes, its settings and its database. */
export type Service = {
  name: EnvironmentName;
  variables: ChildEnvironment;
  config: Config;
  /** its database on the embedded server; null when another one is configured */
  tenant: { database: string; role: string; password: string } | null;
};

/**
 * Variables that aren't settings and that every process inherits. Of the caller's other variables, only settings are
 * passed on.
 */
const inherited = [
  "PATH",
  "HOME",
  "TMPDIR",
  "LANG",
  "LC_ALL",
  "NO_COLOR",
  "FORCE_COLOR",
  "NODE_EXTRA_CA_CERTS",
  "NODE_COMPILE_CACHE",
] as const;

/** The names of the settings, without their values. The console uses them to show where each setting was set. */
const givenSettings = (outer: NodeJS.ProcessEnv): string =>
  Object.keys(outer)
    .filter((name) => isSettingName(name) && outer[name] !== "")
    .join(",");

/** Variables that every process gets. None is secret. */
const common = (outer: NodeJS.ProcessEnv, variables: Variables) => ({
  ...Object.fromEntries(inherited.map((name) => [name, outer[name]])),
  NEXT_TELEMETRY_DISABLED: "1",
  PAYGRANT_SET: givenSettings(outer),
  LOG_LEVEL: variables.LOG_LEVEL,
  LISTEN_HOST: variables.LISTEN_HOST,
  DATABASE_POOL_SIZE: variables.DATABASE_POOL_SIZE,
  DATABASE_SETTINGS: variables.DATABASE_SETTINGS,
  DATABASE_STATEMENTS: variables.DATABASE_STATEMENTS,
  STATEMENT_TIMEOUTS: outer["STATEMENT_TIMEOUTS"],
  DPOP_NONCE: variables.DPOP_NONCE,
  ASSERTION_AUDIENCE: variables.ASSERTION_AUDIENCE,
  RATE_LIMIT_LOOPBACK: variables.RATE_LIMIT_LOOPBACK ? "1" : undefined,
  JWKS_MAX_AGE: variables.JWKS_MAX_AGE,
  MAX_CONNECTIONS: variables.MAX_CONNECTIONS,
  IDLE_SECONDS: variables.IDLE_SECONDS,
  HEAD_SECONDS: variables.HEAD_SECONDS,
  RATE_LIMITS: outer["RATE_LIMITS"],
  TRUSTED_PROXIES: outer["TRUSTED_PROXIES"],
  OUTBOUND_LOOPBACK: outer["OUTBOUND_LOOPBACK"],
  SANDBOX_RESET: outer["SANDBOX_RESET"],
  BILLING_ISSUER: outer["BILLING_ISSUER"],
  VIES_URL: outer["VIES_URL"],
  DNS_RESOLVERS: outer["DNS_RESOLVERS"],
  GEOIP_DATABASE: variables.GEOIP_DATABASE,
  OTEL_EXPORTER_OTLP_ENDPOINT: variables.OTEL_EXPORTER_OTLP_ENDPOINT,
  PORT: variables.PORT,
  SANDBOX_PORT: variables.SANDBOX_PORT,
  STATUS_PORT: variables.STATUS_PORT,
  POSTGRES_PORT: variables.POSTGRES_PORT,
  SIMULATOR_PORT: variables.SIMULATOR_PORT,
  SANDBOX_SIMULATOR_PORT: variables.SANDBOX_SIMULATOR_PORT,
  WEB_CONCURRENCY: variables.WEB_CONCURRENCY,
  STATUS_PROBE_SECONDS: variables.STATUS_PROBE_SECONDS,
  STATUS_INCIDENTS: variables.STATUS_INCIDENTS,
  SANDBOX_URL: variables.SANDBOX_URL,
  STATUS_URL: variables.STATUS_URL,
  SIGN_UP: variables.SIGN_UP,
  STRIPE_API_URL: variables.STRIPE_API_URL,
});

const present = (entries: Readonly<Record<string, string | number | undefined>>): ChildEnvironment => ({
  ...Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, String(value)]],
    ),
  ),
  NODE_ENV: "production",
});

type Input = { outer: NodeJS.ProcessEnv; variables: Variables; secrets: Secrets };

/** The common variables and those of one environment. Neither environment gets a secret of the other one. */
const service = (
  { outer, variables, secrets }: Input,
  name: EnvironmentName,
  own: {
    baseUrl: string;
    databaseUrl: string | undefined;
    directUrl: string | undefined;
    replicaUrl: string | undefined;
    masterKey: Uint8Array | undefined;
    simulatorPort: number;
    more: Readonly<Record<string, string | undefined>>;
  },
): Service => {
  const isEmbedded = own.databaseUrl === undefined;
  const tenant = isEmbedded
    ? { database: `paygrant_${name}`, role: `paygrant_${name}`, password: secrets[name].databasePassword }
    : null;
  const seedDemo = variables.SEED_DEMO ?? isEmbedded;
  const values = present({
    ...common(outer, variables),
    ...own.more,
    PAYGRANT_ENVIRONMENT: name,
    // Tests that use a connection pooler configure their own databases, which are treated like embedded databases.
    PAYGRANT_EMBEDDED: isEmbedded || variables.PAYGRANT_EMBEDDED ? "1" : "0",
    BASE_URL: own.baseUrl,
    DATA_DIR: path.join(path.resolve(variables.DATA_DIR), name),
    DATABASE_URL:
      own.databaseUrl ??
      (tenant &&
        `postgresql://${tenant.role}:${tenant.password}@127.0.0.1:${variables.POSTGRES_PORT}/${tenant.database}`) ??
      undefined,
    DATABASE_DIRECT_URL: own.directUrl,
    DATABASE_REPLICA_URL: own.replicaUrl,
    MASTER_KEY: own.masterKey ? Buffer.from(own.masterKey).toString("base64url") : secrets[name].masterKey,
    SEED_DEMO: seedDemo && isLoopbackUrl(own.baseUrl) ? "1" : "0",
    // Production on a loopback address and every sandbox have a simulator.
    ...(name === "sandbox" || isLoopbackUrl(own.baseUrl)
      ? { SIMULATOR_URL: `http://127.0.0.1:${own.simulatorPort}`, SIMULATOR_KEY: secrets[name].simulatorKey }
      : {}),
  });
  return { name, variables: values, config: toConfig(readVariables(values)), tenant };
};

const hasSandbox = (variables: Variables): boolean =>
  !variables.DATABASE_URL || variables.SANDBOX_DATABASE_URL !== undefined;

export const productionService = (input: Input): Service => {
  const { outer, variables } = input;
  return service(input, "production", {
    baseUrl: variables.BASE_URL ?? `http://localhost:${variables.PORT}`,
    databaseUrl: variables.DATABASE_URL,
    directUrl: variables.DATABASE_DIRECT_URL,
    replicaUrl: variables.DATABASE_REPLICA_URL,
    masterKey: variables.MASTER_KEY,
    simulatorPort: variables.SIMULATOR_PORT,
    more: {
      WALLET_URL: variables.WALLET_URL,
      DISCOVERY_URL: variables.DISCOVERY_URL,
      CDN_URL: variables.CDN_URL,
      SMTP_URL: variables.SMTP_URL,
      MAIL_FROM: variables.MAIL_FROM,
      STRIPE_SECRET_KEY: variables.STRIPE_SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: variables.STRIPE_WEBHOOK_SECRET,
      MERCHANT_APPROVAL: variables.MERCHANT_APPROVAL,
      // The log of the sandbox starts again at each reset. A witness would refuse such a log.
      LOG_WITNESSES: outer["LOG_WITNESSES"],
      // Without a sandbox no reset is announced.
      ...(hasSandbox(variables) ? {} : { SANDBOX_RESET: "off" }),
    },
  });
};

/** @returns null when production has a configured database and the sandbox has none. */
export const sandboxService = (input: Input, production: Service): Service | null => {
  const { variables } = input;
  if (!hasSandbox(variables)) return null;
  // Checked here and not in every process, because the status process gets the sandbox's database but never the
  // sandbox's key.
  if (variables.SANDBOX_DATABASE_URL && !variables.SANDBOX_MASTER_KEY)
    throw new ConfigError(["SANDBOX_MASTER_KEY: required if SANDBOX_DATABASE_URL is set (32 bytes, base64url)"]);
  return service(input, "sandbox", {
    baseUrl: variables.SANDBOX_URL ?? `http://localhost:${variables.SANDBOX_PORT}`,
    databaseUrl: variables.SANDBOX_DATABASE_URL,
    directUrl: variables.SANDBOX_DATABASE_DIRECT_URL,
    replicaUrl: variables.SANDBOX_DATABASE_REPLICA_URL,
    masterKey: variables.SANDBOX_MASTER_KEY,
    simulatorPort: variables.SANDBOX_SIMULATOR_PORT,
    more: {
      SMTP_URL: variables.SANDBOX_SMTP_URL,
      MAIL_FROM: variables.SANDBOX_MAIL_FROM,
      STRIPE_SECRET_KEY: variables.SANDBOX_STRIPE_SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: variables.SANDBOX_STRIPE_WEBHOOK_SECRET,
      PRODUCTION_URL: production.config.baseUrl,
      PRODUCTION_FINGERPRINTS: fingerprintsOf(production.config).join(","),
    },
  });
};

/**
 * The same environment with a separate port for /metrics. Processes can share the port for callers, but not the port
 * for metrics.
 */
export const withMetrics = (environment: ChildEnvironment, port: number | undefined): ChildEnvironment =>
  port === undefined ? environment : { ...environment, METRICS_PORT: String(port) };

/**
 * The status process belongs to production: it reads and writes production's database, and also works without it. From
 * the sandbox it gets only what its probes need, and no key. The sandbox gets only production's URL and fingerprints.
 */
export const statusEnvironment = (
  { outer, variables }: Input,
  production: Service,
  sandbox: Service | null,
): ChildEnvironment =>
  present({
    ...common(outer, variables),
    ...pick(production.variables, [
      "PAYGRANT_EMBEDDED",
      "BASE_URL",
      "DATABASE_URL",
      "MASTER_KEY",
      "WALLET_URL",
      "DISCOVERY_URL",
      "CDN_URL",
      "SMTP_URL",
      "MAIL_FROM",
    ]),
    SANDBOX_URL: sandbox?.config.baseUrl ?? variables.SANDBOX_URL,
    SANDBOX_DATABASE_URL: sandbox?.variables["DATABASE_URL"],
    STATUS_PROBE_SECONDS: variables.STATUS_PROBE_SECONDS,
    STATUS_INCIDENTS: variables.STATUS_INCIDENTS,
    DATA_DIR: path.join(path.resolve(variables.DATA_DIR), "status"),
  });

const pick = (from: ChildEnvironment, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

export const simulatorEnvironment = ({ outer, variables, secrets }: Input, name: EnvironmentName): ChildEnvironment =>
  present({
    ...common(outer, variables),
    PAYGRANT_ENVIRONMENT: name,
    BASE_URL: name === "production" ? variables.BASE_URL : variables.SANDBOX_URL,
    DATA_DIR: path.join(path.resolve(variables.DATA_DIR), name),
    SIMULATOR_PORT: name === "production" ? variables.SIMULATOR_PORT : variables.SANDBOX_SIMULATOR_PORT,
    SIMULATOR_KEY: secrets[name].simulatorKey,
  });

export const postgresEnvironment = ({ outer, variables }: Input): ChildEnvironment =>
  present({
    ...common(outer, variables),
    DATA_DIR: path.resolve(variables.DATA_DIR),
    POSTGRES_PORT: variables.POSTGRES_PORT,
  });
