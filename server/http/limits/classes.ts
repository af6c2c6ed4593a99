import type { Quota } from "./token-bucket.ts";

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
  /** answers that tell a merchant something of a mandate's budget: each merchant and mandate by itself (2-payments) */
  budget: { address: null, client: { requests: 30, seconds: 60 } },
  /** metadata, keys, status lists: made once, read by everybody */
  open: { address: { requests: 4000, seconds: 20 }, client: null },
  /** what a person does in a browser */
  person: { address: { requests: 1200, seconds: 60 }, client: null },
  /** searches, and a participant's own entry: edits are few, and some ask another's server */
  directory: { address: { requests: 600, seconds: 60 }, client: { requests: 120, seconds: 60 } },
  /** makes a client, in the sandbox for whoever asks */
  registration: { address: { requests: 20, seconds: 600 }, client: null },
} as const satisfies Record<string, Record<Subject, Quota | null>>;

export type Subject = "address" | "client";
export type RateLimitClass = keyof typeof rateLimitDefaults;
export type RateLimits = Readonly<Record<RateLimitClass, Readonly<Record<Subject, Quota | null>>>>;

const entry =
  /^(?<name>[a-z]+)\.(?<subject>address|client)=(?:(?<requests>[1-9]\d{0,6})\/(?<seconds>[1-9]\d{0,4})|off)$/;

/**
 * @param text `class.subject=requests/seconds` or `class.subject=off`, separated by commas.
 * @returns the defaults with what the text says otherwise. @throws Error naming the entry that is malformed.
 */
export const parseRateLimits = (text: string): RateLimits => {
  const limits: Record<string, Record<Subject, Quota | null>> = structuredClone(rateLimitDefaults);
  for (const part of text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean)) {
    const { name = "", subject, requests, seconds } = entry.exec(part)?.groups ?? {};
    const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
    if (!limit || !subject)
      throw new Error(`${JSON.stringify(part)} is not class.address or class.client=requests/seconds`);
    limit[subject as Subject] = requests && seconds ? { requests: Number(requests), seconds: Number(seconds) } : null;
  }
  return limits as RateLimits;
};

/** One limit as callers are told of it: `field` is its item of RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-11 §3). */
export type Policy = {
  readonly name: string;
  readonly subject: Subject;
  readonly quota: Quota;
  readonly field: string;
};
export type Policies = Readonly<Record<RateLimitClass, Readonly<Record<Subject, Policy | null>>>>;

export const policiesOf = (limits: RateLimits): Policies =>
  Object.fromEntries(
    Object.entries(limits).map(([name, quotas]) => {
      const policy = (subject: Subject): Policy | null => {
        const quota = quotas[subject];
        const told = `${name}-${subject}`;
        return quota && { name: told, subject, quota, field: `"${told}";q=${quota.requests};w=${quota.seconds}` };
      };
      return [name, { address: policy("address"), client: policy("client") }];
    }),
  ) as Policies;
