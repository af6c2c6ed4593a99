import type { Config } from "../../deps/config.ts";
import { readVariables, type Variables } from "../config.ts";

/** The source of a value. `derived`: `npm start` generated it, or it depends on another setting or on the machine. */
type SettingSource = "environment" | "default" | "derived";

export type Setting = {
  name: string;
  /** null: not set, or a secret */
  value: string | null;
  isSecret: boolean;
  source: SettingSource;
};

/** Names that the supervisor sets for its processes; they aren't settings. */
type Internal =
  | "PAYGRANT_ENVIRONMENT"
  | "PAYGRANT_EMBEDDED"
  | "PAYGRANT_SET"
  | "PRODUCTION_URL"
  | "PRODUCTION_FINGERPRINTS"
  | "SIMULATOR_URL"
  | "SIMULATOR_KEY"
  /** The supervisor passes these to the sandbox's process under production's names. */
  | "SANDBOX_DATABASE_URL"
  | "SANDBOX_DATABASE_DIRECT_URL"
  | "SANDBOX_DATABASE_REPLICA_URL"
  | "SANDBOX_MASTER_KEY"
  | "SANDBOX_SMTP_URL"
  | "SANDBOX_MAIL_FROM"
  | "SANDBOX_STRIPE_SECRET_KEY"
  | "SANDBOX_STRIPE_WEBHOOK_SECRET";

type SettingName = Exclude<keyof Variables, Internal>;

type Value = string | number | boolean | null | undefined;
type Context = { config: Config; values: Variables; raw: Readonly<Record<string, string | undefined>> };

const secret = Symbol("secret");

/** Only host, port and path are shown: a URL may contain a user, a password and parameters. */
const place = (address: string | null): string | null => {
  if (address === null) return null;
  const { host, pathname } = new URL(address);
  return `${host}${pathname === "/" ? "" : pathname}`;
};

/** How each setting is shown. A value that may contain a secret is never shown in full. */
const shown: Readonly<Record<SettingName, ((context: Context) => Value) | typeof secret>> = {
  BASE_URL: ({ config }) => config.baseUrl,
  WALLET_URL: ({ config }) => config.walletUrl,
  DISCOVERY_URL: ({ config }) => config.discoveryUrl,
  CDN_URL: ({ config }) => config.cdnUrl,
  SANDBOX_URL: ({ config }) => config.sandboxUrl,
  STATUS_URL: ({ config }) => config.statusUrl,
  PORT: ({ values }) => values.PORT,
  SANDBOX_PORT: ({ values }) => values.SANDBOX_PORT,
  STATUS_PORT: ({ values }) => values.STATUS_PORT,
  SIMULATOR_PORT: ({ values }) => values.SIMULATOR_PORT,
  SANDBOX_SIMULATOR_PORT: ({ values }) => values.SANDBOX_SIMULATOR_PORT,
  POSTGRES_PORT: ({ values }) => values.POSTGRES_PORT,
  METRICS_PORT: ({ values }) => values.METRICS_PORT,
  LISTEN_HOST: ({ config }) => config.listenHost ?? (config.isLoopback ? "127.0.0.1 and ::1" : "every interface"),
  TRUSTED_PROXIES: ({ raw }) => raw["TRUSTED_PROXIES"],
  DATA_DIR: ({ config }) => config.dataDirectory,
  GEOIP_DATABASE: ({ values }) => values.GEOIP_DATABASE,
  DATABASE_URL: ({ config }) => place(config.databaseUrl),
  DATABASE_DIRECT_URL: ({ config }) => place(config.databaseDirectUrl),
  DATABASE_REPLICA_URL: ({ config }) => place(config.databaseReplicaUrl),
  MASTER_KEY: secret,
  DATABASE_POOL_SIZE: ({ config }) => config.databasePoolSize,
  DATABASE_SETTINGS: ({ values }) => values.DATABASE_SETTINGS,
  DATABASE_STATEMENTS: ({ values }) => values.DATABASE_STATEMENTS,
  STATEMENT_TIMEOUTS: ({ raw }) => raw["STATEMENT_TIMEOUTS"],
  SIGN_UP: ({ config }) => config.signUp,
  MERCHANT_APPROVAL: ({ config }) => config.merchantApproval,
  SEED_DEMO: ({ config }) => config.seedDemo,
  DPOP_NONCE: ({ config }) => config.dpopNonce,
  ASSERTION_AUDIENCE: ({ values }) => values.ASSERTION_AUDIENCE,
  JWKS_MAX_AGE: ({ config }) => config.jwksMaxAgeSeconds,
  OUTBOUND_LOOPBACK: ({ config }) => config.outboundLoopback,
  WEB_CONCURRENCY: ({ values }) => values.WEB_CONCURRENCY,
  RATE_LIMITS: ({ raw }) => raw["RATE_LIMITS"],
  RATE_LIMIT_LOOPBACK: ({ config }) => config.rateLimitLoopback,
  MAX_CONNECTIONS: ({ values }) => values.MAX_CONNECTIONS,
  IDLE_SECONDS: ({ values }) => values.IDLE_SECONDS,
  HEAD_SECONDS: ({ values }) => values.HEAD_SECONDS,
  SMTP_URL: ({ config }) => place(config.smtpUrl),
  MAIL_FROM: ({ config }) => config.mailFrom,
  STRIPE_SECRET_KEY: secret,
  STRIPE_WEBHOOK_SECRET: secret,
  STRIPE_API_URL: ({ values }) => place(values.STRIPE_API_URL ?? null),
  BILLING_ISSUER: ({ config }) => config.billingIssuer?.name,
  DNS_RESOLVERS: ({ config }) => config.dnsResolvers?.join(","),
  LOG_WITNESSES: ({ config }) => config.logWitnesses.map(({ name }) => name).join(", ") || undefined,
  VIES_URL: ({ values }) => place(values.VIES_URL ?? null),
  SANDBOX_RESET: ({ config, raw }) => raw["SANDBOX_RESET"] ?? (config.sandboxReset ? "sun 03:00" : "off"),
  STATUS_PROBE_SECONDS: ({ values }) => values.STATUS_PROBE_SECONDS,
  STATUS_INCIDENTS: ({ values }) => values.STATUS_INCIDENTS,
  LOG_LEVEL: ({ values }) => values.LOG_LEVEL,
  OTEL_EXPORTER_OTLP_ENDPOINT: ({ values }) => values.OTEL_EXPORTER_OTLP_ENDPOINT,
};

/** The caller sets the sandbox's own settings under separate names. */
const sandboxNames: Readonly<Partial<Record<SettingName, string>>> = {
  BASE_URL: "SANDBOX_URL",
  DATABASE_URL: "SANDBOX_DATABASE_URL",
  DATABASE_DIRECT_URL: "SANDBOX_DATABASE_DIRECT_URL",
  DATABASE_REPLICA_URL: "SANDBOX_DATABASE_REPLICA_URL",
  MASTER_KEY: "SANDBOX_MASTER_KEY",
  SMTP_URL: "SANDBOX_SMTP_URL",
  MAIL_FROM: "SANDBOX_MAIL_FROM",
  STRIPE_SECRET_KEY: "SANDBOX_STRIPE_SECRET_KEY",
  STRIPE_WEBHOOK_SECRET: "SANDBOX_STRIPE_WEBHOOK_SECRET",
};

/** Settings whose default depends on another setting or on the machine, or is generated by `npm start`. */
const derived: ReadonlySet<SettingName> = new Set<SettingName>([
  "BASE_URL",
  "WALLET_URL",
  "DISCOVERY_URL",
  "CDN_URL",
  "SANDBOX_URL",
  "STATUS_URL",
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "MASTER_KEY",
  "DATABASE_POOL_SIZE",
  "LISTEN_HOST",
  "SIGN_UP",
  "SEED_DEMO",
  "MAIL_FROM",
  "BILLING_ISSUER",
]);

/**
 * The settings of this process, by name. Secrets are never shown. URLs are shown without user and password.
 * @param environment the environment of the process. Its variable PAYGRANT_SET, which the supervisor adds, lists the
 *   settings that the supervisor's caller set.
 */
export const settingsInForce = (
  environment: Readonly<Record<string, string | undefined>>,
  config: Config,
): Setting[] => {
  const values = readVariables(environment);
  const given = new Set(values.PAYGRANT_SET ?? Object.keys(environment).filter((name) => environment[name] !== ""));
  const context: Context = { config, values, raw: environment };
  return (Object.keys(shown) as SettingName[])
    .map((key): Setting => {
      const name = config.environment === "sandbox" ? (sandboxNames[key] ?? key) : key;
      const show = shown[key];
      const value = show === secret ? null : textOf(show(context));
      const isSet = given.has(name);
      return { name, value, isSecret: show === secret, source: sourceOf(key, isSet) };
    })
    .filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index)
    .toSorted((one, other) => one.name.localeCompare(other.name));
};

const sourceOf = (key: SettingName, isSet: boolean): SettingSource => {
  if (isSet) return "environment";
  return derived.has(key) ? "derived" : "default";
};

const textOf = (value: Value): string | null => {
  if (value === undefined || value === null || value === "") return null;
  return typeof value === "boolean" ? (value ? "1" : "0") : String(value);
};
