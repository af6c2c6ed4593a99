import type { StatementTimeouts } from "../data/timeouts.ts";
import type { BillingIssuer } from "../kernel/billing/party.ts";
import type { NoteKey } from "../kernel/crypto/note-key.ts";
import type { AddressSet } from "../kernel/text/ip-address.ts";

/** A bucket that holds `requests` and refills evenly over `seconds`. */
export type Quota = { readonly requests: number; readonly seconds: number };

/** Requests are counted by the caller's IP address before anything is read, and by the client after authentication. */
export type Subject = "address" | "client";
export type Quotas = Readonly<Record<Subject, Quota | null>>;

/** Endpoints of one class share one limit per subject. Their defaults are in contract/limit-classes.ts. */
export type RateLimitClass =
  | "signed"
  | "introspection"
  | "resource"
  | "ingest"
  | "budget"
  | "open"
  | "person"
  | "page"
  | "directory"
  | "registration";

export type RateLimits = {
  readonly classes: Readonly<Record<RateLimitClass, Quotas>>;
  /** limits of single operations, by operationId: they replace the class's limit for that subject */
  readonly endpoints: Readonly<Record<string, Partial<Quotas>>>;
};

/** A time of the week, in UTC. `weekday`: 0 is Sunday. */
export type ResetSchedule = { weekday: number; hour: number; minute: number };

/** A witness of the directory's log (C2SP tlog-witness). */
export type LogWitness = NoteKey & {
  /** without a trailing slash */
  submissionUrl: string;
  /** the key in note format */
  key: string;
};

/** The configuration of one process in one environment. */
export type Config = {
  environment: "production" | "sandbox";
  /** issuer identifier (RFC 8414 §2), without a trailing slash */
  baseUrl: string;
  walletUrl: string;
  discoveryUrl: string;
  cdnUrl: string;
  statusUrl: string;
  sandboxUrl: string;
  /** in the sandbox: production's issuer */
  productionUrl: string | null;
  /**
   * hashes of production's master key, issuer and database; the sandbox refuses to start if one of its own hashes is
   * equal
   */
  productionFingerprints: readonly string[];
  port: number;
  /** null: only loopback (127.0.0.1 and ::1) if BASE_URL is a loopback address, otherwise every interface */
  listenHost: string | null;
  /** null: no metrics */
  metrics: { port: number; host: string } | null;
  /** limits of each process against slow callers and too many connections */
  connections: {
    /** connections above this number are closed immediately */
    max: number;
    /** for the head of a request */
    headMilliseconds: number;
    /** for a request with its body */
    requestMilliseconds: number;
    /** without a byte in either direction, unless a response is being prepared */
    idleMilliseconds: number;
  };
  databaseUrl: string;
  /** maximum number of connections per web process */
  databasePoolSize: number;
  /** milliseconds per statement, by role of the process */
  statementTimeouts: StatementTimeouts;
  /** false: the database role has the session settings, because a pooler refuses them when a connection starts */
  sendsSessionSettings: boolean;
  /** false: statements are not prepared, because a pooler may run each transaction on another connection */
  namesStatements: boolean;
  /** the database without the pooler, for work that needs a session of its own; equal to databaseUrl without a pooler */
  databaseDirectUrl: string;
  /** a standby, or a proxy in front of several; null: all reads use the primary */
  databaseReplicaUrl: string | null;
  masterKey: Uint8Array;
  dataDirectory: string;
  isEmbedded: boolean;
  /** demo sign-ins work only on a loopback address */
  isLoopback: boolean;
  dpopNonce: "off" | "optional" | "required";
  strictAssertionAudience: boolean;
  rateLimitLoopback: boolean;
  /** how long readers may cache the JWKS; a key is published for longer than this before it signs */
  jwksMaxAgeSeconds: number;
  rateLimits: RateLimits;
  /** proxies whose X-Forwarded-For is trusted */
  trustedProxies: AddressSet;
  /** allows http on loopback addresses for URLs that clients chose, such as jwks_uri */
  outboundLoopback: boolean;
  /** allows http on loopback addresses for webhook endpoints */
  webhookLoopback: boolean;
  /** with user and password; null: e-mails are kept in the outbox */
  smtpUrl: string | null;
  /** sender's address */
  mailFrom: string;
  /** the seller on invoices; null: invoices stay drafts */
  billingIssuer: BillingIssuer | null;
  /** the REST API of VIES; null: VAT numbers aren't checked there */
  viesUrl: string | null;
  /** two addresses with port; null: the first two resolvers of this machine, or its only one */
  dnsResolvers: readonly string[] | null;
  /** witnesses that cosign the checkpoints of the directory's log */
  logWitnesses: readonly LogWitness[];
  /** when the sandbox is reset each week; null: only on request */
  sandboxReset: ResetSchedule | null;
  /** who may create an account: anyone, people with an invitation or a consent link, or no one */
  signUp: "open" | "invite" | "closed";
  /** demo data in an empty database */
  seedDemo: boolean;
  simulatorUrl: string | null;
  simulatorKey: string | null;
  /** null: Stripe isn't used */
  stripe: {
    secretKey: string;
    webhookSecret: string;
    /** for tests: the URL of a stand-in for Stripe on this machine */
    apiUrl?: string;
  } | null;
  /** a file in MaxMind DB format; null: sign-ins are shown without a place */
  geoipDatabase: string | null;
  /** whether a new merchant needs an operator's approval; never in the sandbox */
  merchantApproval: "manual" | "automatic";
  logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** OTLP over HTTP endpoint of a trace collector; null: no traces */
  traceEndpoint: string | null;
};
