import type { Quota, Quotas, RateLimitClass, RateLimits, Subject } from "../deps/config.ts";

/**
 * Limits of the classes of endpoints. The limit per IP address applies before the request is read, and the limit per
 * client after the client is authenticated. Ordinary clients never reach these limits. `null`: no limit.
 */
export const rateLimitDefaults = {
  /**
   * pushed requests, tokens, revocations: each request makes the server verify a signature, and many make it sign too
   */
  signed: { address: { requests: 6000, seconds: 20 }, client: { requests: 2000, seconds: 20 } },
  /** introspection: a resource server sends one such request for each request that it receives */
  introspection: { address: { requests: 12_000, seconds: 20 }, client: { requests: 6000, seconds: 20 } },
  /** endpoints with an access token: verifying and charging mandates, credentials, grants */
  resource: { address: { requests: 6000, seconds: 20 }, client: { requests: 3000, seconds: 20 } },
  /** usage events in bodies of up to 1 MiB: 30,000 events a second per client */
  ingest: { address: { requests: 2000, seconds: 20 }, client: { requests: 600, seconds: 20 } },
  /**
   * responses that reveal something about a mandate's budget, per merchant and mandate
   * (docs/spec/payments.md, Verify a mandate)
   */
  budget: { address: null, client: { requests: 30, seconds: 60 } },
  /** metadata, keys, status lists: public and cacheable */
  open: { address: { requests: 4000, seconds: 20 }, client: null },
  /** actions of a person in a browser */
  person: { address: { requests: 1200, seconds: 60 }, client: null },
  /** pages: they are rendered by the same process that issues tokens */
  page: { address: { requests: 600, seconds: 60 }, client: null },
  /** searches and edits of the directory; some edits send a request to another server */
  directory: { address: { requests: 600, seconds: 60 }, client: { requests: 120, seconds: 60 } },
  /** registration of a client; in the sandbox, without authentication */
  registration: { address: { requests: 20, seconds: 600 }, client: null },
} as const satisfies Record<RateLimitClass, Quotas>;

const entry =
  /^(?<name>[A-Za-z]+)\.(?<subject>address|client)=(?:(?<requests>[1-9]\d{0,6})\/(?<seconds>[1-9]\d{0,4})|off)$/;

/**
 * @param text `name.subject=requests/seconds` or `name.subject=off`, separated by commas. The name is a class or the
 *   operationId of one endpoint, which then has its own limit.
 * @returns the defaults, overridden by the text. @throws Error naming the malformed entry.
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
      throw new Error(
        `${JSON.stringify(part)} isn’t valid: use NAME.address=REQUESTS/SECONDS or NAME.client=REQUESTS/SECONDS, where NAME is a class or an endpoint. Write off instead of REQUESTS/SECONDS for no limit`,
      );
    }
    if (!Object.hasOwn(classes, name)) endpoints[name] ??= {};
    const limit = (Object.hasOwn(classes, name) ? classes[name] : endpoints[name]) ?? {};
    limit[subject as Subject] = requests && seconds ? { requests: Number(requests), seconds: Number(seconds) } : null;
  }
  return { classes: classes as RateLimits["classes"], endpoints };
};

/** One limit. `field` is its item of RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-11 §3). */
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

/** For each subject: the limit set for the endpoint's operationId or, if there is none, the limit of its class. */
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
