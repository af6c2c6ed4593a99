import type { Quota, Quotas, RateLimitClass, RateLimits, Subject } from "../deps/config.ts";

/**
 * What is limited together, each by who calls: an address (before anything is read) and a client (once it is proved).
 * Generous: a service of ordinary size never meets them. `null`: no limit.
 */
export const rateLimitDefaults = {
  /** pushed requests, tokens, revocations: a signature to verify and often one to make */
  signed: { address: { requests: 6000, seconds: 20 }, client: { requests: 2000, seconds: 20 } },
  /** resource servers ask once per request of their own callers */
  introspection: { address: { requests: 12_000, seconds: 20 }, client: { requests: 6000, seconds: 20 } },
  /** with an access token: verifying and charging mandates, credentials, grants */
  resource: { address: { requests: 6000, seconds: 20 }, client: { requests: 3000, seconds: 20 } },
  /** usage events by the thousand: bodies of up to 1 MiB, 30,000 events a second of one client */
  ingest: { address: { requests: 2000, seconds: 20 }, client: { requests: 600, seconds: 20 } },
  /**
   * answers that tell a merchant something of a mandate's budget: each merchant and mandate by itself
   * (docs/spec/payments.md, Verify a mandate)
   */
  budget: { address: null, client: { requests: 30, seconds: 60 } },
  /** metadata, keys, status lists: made once, read by everybody */
  open: { address: { requests: 4000, seconds: 20 }, client: null },
  /** what a person does in a browser */
  person: { address: { requests: 1200, seconds: 60 }, client: null },
  /** pages, which the process that serves tokens renders */
  page: { address: { requests: 600, seconds: 60 }, client: null },
  /** searches, and a participant's own entry: edits are few, and some ask another's server */
  directory: { address: { requests: 600, seconds: 60 }, client: { requests: 120, seconds: 60 } },
  /** makes a client, in the sandbox for whoever asks */
  registration: { address: { requests: 20, seconds: 600 }, client: null },
} as const satisfies Record<RateLimitClass, Quotas>;

const entry =
  /^(?<name>[A-Za-z]+)\.(?<subject>address|client)=(?:(?<requests>[1-9]\d{0,6})\/(?<seconds>[1-9]\d{0,4})|off)$/;

/**
 * @param text `name.subject=requests/seconds` or `name.subject=off`, separated by commas. The name is a class, or the
 *   operationId of one endpoint, which then has an allowance of its own.
 * @returns the defaults with what the text says otherwise. @throws Error naming the entry that is malformed.
 */
export const parseRateLimits = (text: string): RateLimits => {
  const classes: Record<string, Record<Subject, Quota | null>> = structuredClone(rateLimitDefaults);
  const endpoints: Record<string, Partial<Record<Subject, Quota | null>>> = Object.create(null);
  for (const part of text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean)) {
    const { name = "", subject, requests, seconds } = entry.exec(part)?.groups ?? {};
    if (!subject) {
      throw new Error(`${JSON.stringify(part)} is not a class’s or endpoint’s .address or .client=requests/seconds`);
    }
    if (!Object.hasOwn(classes, name)) endpoints[name] ??= {};
    const limit = (Object.hasOwn(classes, name) ? classes[name] : endpoints[name]) ?? {};
    limit[subject as Subject] = requests && seconds ? { requests: Number(requests), seconds: Number(seconds) } : null;
  }
  return { classes: classes as RateLimits["classes"], endpoints };
};

/** One limit as callers are told of it: `field` is its item of RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-11 §3). */
export type Policy = {
  readonly name: string;
  readonly subject: Subject;
  readonly quota: Quota;
  readonly field: string;
};
type PolicyPair = Readonly<Record<Subject, Policy | null>>;
export type Policies = {
  readonly classes: Readonly<Record<RateLimitClass, PolicyPair>>;
  readonly endpoints: Readonly<Record<string, Partial<PolicyPair>>>;
};

export const policiesOf = ({ classes, endpoints }: RateLimits): Policies => ({
  classes: mapValues(classes, toPolicies) as Policies["classes"],
  endpoints: mapValues(endpoints, toPolicies),
});

/** By which limits an endpoint is held: what is set for it by name, and its class’s where nothing is. */
export const policiesFor = (
  { classes, endpoints }: Policies,
  { operationId, limitClass }: { operationId: string; limitClass: RateLimitClass },
): PolicyPair => ({ ...classes[limitClass], ...endpoints[operationId] });

const mapValues = <T, R>(values: Readonly<Record<string, T>>, map: (name: string, value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(name, value)]));

const toPolicies = (name: string, quotas: Partial<Quotas>): Partial<PolicyPair> =>
  mapValues(quotas, (subject, quota) => quota && toPolicy(`${name}-${subject}`, subject as Subject, quota));

const toPolicy = (name: string, subject: Subject, quota: Quota): Policy => ({
  name,
  subject,
  quota,
  field: `"${name}";q=${quota.requests};w=${quota.seconds}`,
});
