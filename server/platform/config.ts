import path from "node:path";
import { z } from "zod";
import { parseRateLimits } from "../contract/limit-classes.ts";
import { parseStatementTimeouts } from "../data/timeouts.ts";
import type { Config } from "../deps/config.ts";
import { emailAddressPattern } from "../kernel/text/email-address.ts";
import { parseAddressSet } from "../kernel/text/ip-address.ts";
import { parseResetSchedule } from "./reset-schedule.ts";
import { address, issuer } from "./settings/address.ts";
import { demoIssuer, parseBillingIssuer } from "./settings/billing-issuer.ts";
import { ConfigError } from "./settings/config-error.ts";
import { parseDnsResolvers } from "./settings/dns-resolvers.ts";
import { parseFingerprints } from "./settings/fingerprints.ts";
import { parseLogWitnesses } from "./settings/log-witnesses.ts";
import { defaultPoolSize } from "./settings/pool-size.ts";

const portMessage = "must be a port, 0 to 65535";
const port = z.coerce.number(portMessage).int(portMessage).min(0, portMessage).max(65_535, portMessage);
const flag = z.enum(["0", "1"]).transform((text) => text === "1");
const smtpUrl = z.url({ protocol: /^smtps?$/, hostname: /./ });
const sender = z.email({
  pattern: emailAddressPattern,
  error: "must be a single address, for example no-reply@example.com",
});
const masterKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}=?$/, "must be 32 bytes in base64url (43 characters)")
  .transform((text) => Uint8Array.from(Buffer.from(text, "base64url")));
const processes = "must be a number of processes, 1 to 64";
const connections = "must be a number of connections, 10 to 100000";
const idleSeconds = "must be a number of seconds, 1 to 600";
const headSeconds = "must be a number of seconds, 1 to 60";
const poolSize = "must be a whole number of connections, 3 to 100";
const jwksMaxAge = "must be a number of seconds, 1 to 300";
const probeSeconds = "must be a number of seconds, 0.2 to 60";
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });

/** A text that `parse` converts. If `parse` throws, the error's message describes the problem in one line. */
const parsed = <T>(parse: (text: string) => T) =>
  z
    .string()
    .default("")
    .transform((text, context) => {
      try {
        return parse(text);
      } catch (error) {
        context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "is malformed" });
        return z.NEVER;
      }
    });

const variables = z.object({
  PORT: port.default(3000),
  SANDBOX_PORT: port.default(3001),
  STATUS_PORT: port.default(3002),
  SIMULATOR_PORT: port.default(3003),
  POSTGRES_PORT: port.default(3004),
  SANDBOX_SIMULATOR_PORT: port.default(3005),
  LISTEN_HOST: z.string().optional(),
  METRICS_PORT: port.optional(),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: postgresUrl.optional(),
  BASE_URL: issuer.optional(),
  WALLET_URL: address.optional(),
  DISCOVERY_URL: address.optional(),
  CDN_URL: address.optional(),
  SANDBOX_URL: issuer.optional(),
  STATUS_URL: address.optional(),
  MASTER_KEY: masterKey.optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: sender.optional(),
  STRIPE_SECRET_KEY: z.string().startsWith("sk_").optional(),
  STRIPE_WEBHOOK_SECRET: z.string().startsWith("whsec_").optional(),
  STRIPE_API_URL: address.optional(),
  SANDBOX_DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  SANDBOX_DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_REPLICA_URL: postgresUrl.optional(),
  SANDBOX_DATABASE_REPLICA_URL: postgresUrl.optional(),
  SANDBOX_MASTER_KEY: masterKey.optional(),
  SANDBOX_SMTP_URL: smtpUrl.optional(),
  SANDBOX_MAIL_FROM: sender.optional(),
  SANDBOX_STRIPE_SECRET_KEY: z.string().startsWith("sk_test_", "must start with sk_test_").optional(),
  SANDBOX_STRIPE_WEBHOOK_SECRET: z.string().startsWith("whsec_").optional(),
  MERCHANT_APPROVAL: z.enum(["manual", "automatic"]).default("manual"),
  SANDBOX_RESET: parsed(parseResetSchedule),
  BILLING_ISSUER: parsed(parseBillingIssuer),
  VIES_URL: address.optional(),
  DNS_RESOLVERS: parsed(parseDnsResolvers),
  LOG_WITNESSES: parsed(parseLogWitnesses),
  SEED_DEMO: flag.optional(),
  SIGN_UP: z.enum(["open", "invite", "closed"]).optional(),
  WEB_CONCURRENCY: z.coerce.number(processes).int(processes).min(1, processes).max(64, processes).default(1),
  DATABASE_POOL_SIZE: z.coerce.number(poolSize).int(poolSize).min(3, poolSize).max(100, poolSize).optional(),
  MAX_CONNECTIONS: z.coerce
    .number(connections)
    .int(connections)
    .min(10, connections)
    .max(100_000, connections)
    .default(5000),
  IDLE_SECONDS: z.coerce.number(idleSeconds).min(1, idleSeconds).max(600, idleSeconds).default(60),
  HEAD_SECONDS: z.coerce.number(headSeconds).min(1, headSeconds).max(60, headSeconds).default(15),
  STATEMENT_TIMEOUTS: parsed(parseStatementTimeouts),
  DATABASE_SETTINGS: z.enum(["connection", "role"]).default("connection"),
  DATABASE_STATEMENTS: z.enum(["named", "unnamed"]).default("named"),
  DPOP_NONCE: z.enum(["off", "optional", "required"]).default("optional"),
  ASSERTION_AUDIENCE: z.enum(["standard", "issuer"]).default("standard"),
  RATE_LIMIT_LOOPBACK: flag.default(false),
  JWKS_MAX_AGE: z.coerce.number(jwksMaxAge).int(jwksMaxAge).min(1, jwksMaxAge).max(300, jwksMaxAge).default(60),
  RATE_LIMITS: parsed(parseRateLimits),
  TRUSTED_PROXIES: parsed(parseAddressSet),
  OUTBOUND_LOOPBACK: flag.optional(),
  STATUS_PROBE_SECONDS: z.coerce.number(probeSeconds).min(0.2, probeSeconds).max(60, probeSeconds).default(30),
  STATUS_INCIDENTS: z.enum(["draft", "public"]).default("draft"),
  GEOIP_DATABASE: z.string().optional(),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),

  // Set by the supervisor for the processes that it starts.
  PAYGRANT_ENVIRONMENT: z.enum(["production", "sandbox"]).default("production"),
  /** names of the settings that the supervisor's caller set; the supervisor also passes on defaults */
  PAYGRANT_SET: z
    .string()
    .transform((text) => text.split(","))
    .optional(),
  PAYGRANT_EMBEDDED: flag.default(false),
  PRODUCTION_URL: address.optional(),
  PRODUCTION_FINGERPRINTS: parsed(parseFingerprints),
  SIMULATOR_URL: address.optional(),
  SIMULATOR_KEY: z.string().optional(),
});

/** Whether a variable of the environment is one of ours. */
export const isSettingName = (name: string): boolean => Object.hasOwn(variables.shape, name);

export type Variables = z.output<typeof variables>;

/**
 * Reads and checks the whole environment. Empty values count as absent.
 * @throws ConfigError with one line per problem, naming the variable.
 */
export const readVariables = (environment: Readonly<Record<string, string | undefined>>): Variables => {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const result = variables.safeParse(present);
  if (!result.success) {
    throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));
  }
  const problems = checkTogether(result.data);
  if (problems.length > 0) throw new ConfigError(problems);
  return result.data;
};

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);
export const isLoopbackUrl = (address: string): boolean => loopbackHosts.has(new URL(address).hostname);

const checkTogether = (values: Variables): string[] => {
  const problems: string[] = [];
  if (values.DATABASE_URL && !values.MASTER_KEY) {
    problems.push("MASTER_KEY: required if DATABASE_URL is set (32 bytes, base64url)");
  }
  for (const name of ["DATABASE", "SANDBOX_DATABASE"] as const) {
    for (const variable of [`${name}_DIRECT_URL`, `${name}_REPLICA_URL`] as const) {
      if (values[variable] && !values[`${name}_URL`]) problems.push(`${variable}: needs ${name}_URL`);
    }
  }
  if (values.SEED_DEMO && values.BASE_URL && !isLoopbackUrl(values.BASE_URL)) {
    problems.push("SEED_DEMO: demo sign-ins have a public password, so BASE_URL must be a loopback address");
  }
  if (values.OUTBOUND_LOOPBACK && values.BASE_URL && !isLoopbackUrl(values.BASE_URL)) {
    problems.push("OUTBOUND_LOOPBACK: for tests only, so BASE_URL must be a loopback address");
  }
  return [...problems, ...standInProblems(values)];
};

/** The secret key is sent to this address. So it must be an address of this machine, and the key must be a test key. */
const standInProblems = ({
  STRIPE_API_URL: apiUrl,
  STRIPE_SECRET_KEY: key,
  BASE_URL: baseUrl,
}: Variables): string[] => {
  if (apiUrl === undefined) return [];
  const problems: string[] = [];
  if (!isLoopbackUrl(apiUrl)) problems.push("STRIPE_API_URL: for tests only, so it must be a loopback address");
  if (baseUrl && !isLoopbackUrl(baseUrl)) {
    problems.push("STRIPE_API_URL: for tests only, so BASE_URL must be a loopback address");
  }
  if (key && !key.startsWith("sk_test_")) {
    problems.push("STRIPE_API_URL: for tests only, so STRIPE_SECRET_KEY must start with sk_test_");
  }
  return problems;
};

/** Values that the processes need, but not the supervisor. `npm start` sets some of them. */
const missingValues = (values: Variables): string[] => {
  const problems: string[] = [];
  if (!values.DATABASE_URL) problems.push("DATABASE_URL: missing (`npm start` sets it for the processes it starts)");
  if (!values.MASTER_KEY) problems.push("MASTER_KEY: missing (32 bytes, base64url)");
  if (values.PAYGRANT_ENVIRONMENT === "sandbox" && values.STRIPE_SECRET_KEY?.startsWith("sk_test_") === false) {
    problems.push("STRIPE_SECRET_KEY: the sandbox accepts only a test key (sk_test_)");
  }
  if (!values.STRIPE_SECRET_KEY !== !values.STRIPE_WEBHOOK_SECRET) {
    const missing = values.STRIPE_SECRET_KEY ? "STRIPE_WEBHOOK_SECRET" : "STRIPE_SECRET_KEY";
    problems.push(`${missing}: missing; set both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or neither`);
  }
  return problems;
};

const toAddresses = (values: Variables, ownPort: number) => {
  const baseUrl = values.BASE_URL ?? `http://localhost:${ownPort}`;
  return {
    baseUrl,
    walletUrl: values.WALLET_URL ?? baseUrl,
    discoveryUrl: values.DISCOVERY_URL ?? `${baseUrl}/directory`,
    cdnUrl: values.CDN_URL ?? `${baseUrl}/cdn`,
    statusUrl: values.STATUS_URL ?? `http://localhost:${values.STATUS_PORT}`,
    sandboxUrl: values.SANDBOX_URL ?? `http://localhost:${values.SANDBOX_PORT}`,
    productionUrl: values.PRODUCTION_URL ?? null,
    isLoopback: isLoopbackUrl(baseUrl),
    mailFrom: values.MAIL_FROM ?? `no-reply@${new URL(baseUrl).hostname}`,
  };
};

/** In production, sign-up requires an invitation, except on a loopback address (docs/spec/portal.md, Sign-up). */
const defaultSignUp = (
  environment: Config["environment"],
  { isLoopback }: { isLoopback: boolean },
): Config["signUp"] => (environment === "sandbox" || isLoopback ? "open" : "invite");

/** A developer's webhook receivers run on the same machine as the embedded sandbox. */
const allowsLoopbackReceivers = (values: Variables, { isLoopback }: { isLoopback: boolean }): boolean =>
  values.OUTBOUND_LOOPBACK ?? (values.PAYGRANT_ENVIRONMENT === "sandbox" && values.PAYGRANT_EMBEDDED && isLoopback);

/** @throws ConfigError if a required variable is missing, or the sandbox has a live Stripe key. */
export const toConfig = (values: Variables): Config => {
  const ownPort = values.PAYGRANT_ENVIRONMENT === "sandbox" ? values.SANDBOX_PORT : values.PORT;
  const problems = missingValues(values);
  if (!values.DATABASE_URL || !values.MASTER_KEY || problems.length > 0) throw new ConfigError(problems);
  const addresses = toAddresses(values, ownPort);
  return {
    environment: values.PAYGRANT_ENVIRONMENT,
    ...addresses,
    productionFingerprints: values.PRODUCTION_FINGERPRINTS,
    port: ownPort,
    listenHost: values.LISTEN_HOST ?? null,
    metrics: values.METRICS_PORT ? { port: values.METRICS_PORT, host: values.LISTEN_HOST ?? "127.0.0.1" } : null,
    connections: {
      max: values.MAX_CONNECTIONS,
      headMilliseconds: values.HEAD_SECONDS * 1000,
      requestMilliseconds: values.HEAD_SECONDS * 2000,
      idleMilliseconds: values.IDLE_SECONDS * 1000,
    },
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE ?? defaultPoolSize(),
    statementTimeouts: values.STATEMENT_TIMEOUTS,
    sendsSessionSettings: values.DATABASE_SETTINGS === "connection",
    namesStatements: values.DATABASE_STATEMENTS === "named",
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? values.DATABASE_URL,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL ?? null,
    masterKey: values.MASTER_KEY,
    dataDirectory: path.resolve(values.DATA_DIR),
    isEmbedded: values.PAYGRANT_EMBEDDED,
    dpopNonce: values.DPOP_NONCE,
    strictAssertionAudience: values.ASSERTION_AUDIENCE === "issuer",
    rateLimitLoopback: values.RATE_LIMIT_LOOPBACK,
    jwksMaxAgeSeconds: values.JWKS_MAX_AGE,
    rateLimits: values.RATE_LIMITS,
    trustedProxies: values.TRUSTED_PROXIES,
    outboundLoopback: values.OUTBOUND_LOOPBACK ?? false,
    webhookLoopback: allowsLoopbackReceivers(values, addresses),
    smtpUrl: values.SMTP_URL ?? null,
    sandboxReset: values.SANDBOX_RESET,
    billingIssuer: values.BILLING_ISSUER ?? (addresses.isLoopback ? demoIssuer : null),
    viesUrl: values.VIES_URL ?? null,
    dnsResolvers: values.DNS_RESOLVERS,
    logWitnesses: values.LOG_WITNESSES,
    signUp: values.SIGN_UP ?? defaultSignUp(values.PAYGRANT_ENVIRONMENT, addresses),
    seedDemo: values.SEED_DEMO ?? false,
    simulatorUrl: values.SIMULATOR_URL ?? null,
    simulatorKey: values.SIMULATOR_KEY ?? null,
    stripe:
      values.STRIPE_SECRET_KEY && values.STRIPE_WEBHOOK_SECRET
        ? {
            secretKey: values.STRIPE_SECRET_KEY,
            webhookSecret: values.STRIPE_WEBHOOK_SECRET,
            ...(values.STRIPE_API_URL === undefined ? {} : { apiUrl: values.STRIPE_API_URL }),
          }
        : null,
    geoipDatabase: values.GEOIP_DATABASE ?? null,
    merchantApproval: values.MERCHANT_APPROVAL,
    logLevel: values.LOG_LEVEL,
    traceEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
  };
};
