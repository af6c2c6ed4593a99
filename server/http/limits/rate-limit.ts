import type { Auth, CallerOf, Endpoint } from "../../contract/endpoint.ts";
import { type Policy, policiesFor } from "../../contract/limit-classes.ts";
import type { Config, RateLimitClass, RateLimits, Subject } from "../../deps/config.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { addressPrefix, isLoopbackAddress } from "../../kernel/text/ip-address.ts";
import type { Level } from "../../platform/limits/token-bucket.ts";
import { findRateLimiter } from "../runtime.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { Refusal } from "./usage-ledger.ts";

/** The rate limits of one request and their results. */
export type Meter = {
  limiter: RateLimiter;
  clock: Deps["clock"];
  info: RequestInfo;
  operation: string;
  policies: Readonly<Record<Subject, Policy | null>>;
  /** items of this response's `RateLimit-Policy` and `RateLimit` */
  fields: string[];
  levels: string[];
  /** the client whose quota was used; null until then */
  clientId: string | null;
};

/** @returns null if the endpoint or this caller is not limited, or if the process has no limiter. */
export const startMeter = (
  { config, clock }: Pick<Deps, "clock" | "config">,
  endpoint: Pick<Endpoint, "operationId" | "rateLimit" | "auth">,
  info: RequestInfo,
): Meter | null => {
  const limiter = findRateLimiter();
  const limitClass = limitClassOf(endpoint);
  if (!limiter || limitClass === "none" || isExempt(config, info.ipAddress)) return null;
  const { address, client } = policiesFor(limiter.policies, { operationId: endpoint.operationId, limitClass });
  const policies = { address, client: endpoint.auth.kind === "none" ? null : client };
  const fields = [policies.address, policies.client].flatMap((policy) => policy?.field ?? []);
  return { limiter, clock, info, operation: endpoint.operationId, policies, fields, levels: [], clientId: null };
};

/**
 * With the embedded database, callers on a loopback address are exempt unless configured otherwise. The IP address is
 * empty if the gateway didn't set it.
 */
const isExempt = (config: Pick<Config, "isEmbedded" | "rateLimitLoopback">, ipAddress: string): boolean =>
  ipAddress === "" || (config.isEmbedded && !config.rateLimitLoopback && isLoopbackAddress(ipAddress));

/** The contract's limit class, or the default for its kind of caller. */
export const limitClassOf = ({ rateLimit, auth }: Pick<Endpoint, "auth" | "rateLimit">): RateLimitClass | "none" =>
  rateLimit ?? classOfAuth[auth.kind];

const classOfAuth: Readonly<Record<Auth["kind"], RateLimitClass>> = {
  none: "open",
  client: "signed",
  pending_client: "signed",
  registration_token: "resource",
  access_token: "resource",
};

/**
 * Refuses an unknown name in `RATE_LIMITS`, which would leave an endpoint without the intended limit.
 * @throws Error with the name.
 */
export const assertKnownLimits = (
  { endpoints: named }: RateLimits,
  endpoints: readonly Pick<Endpoint, "operationId" | "rateLimit" | "auth">[],
): void => {
  for (const [name, { client }] of Object.entries(named)) {
    const endpoint = endpoints.find(({ operationId }) => operationId === name);
    if (!endpoint || limitClassOf(endpoint) === "none") {
      throw new Error(`RATE_LIMITS: ${JSON.stringify(name)} is neither a class nor a limited operation`);
    }
    if (client !== undefined && endpoint.auth.kind === "none") {
      throw new Error(`RATE_LIMITS: "${name}.client" has no effect: requests of this operation have no client`);
    }
  }
};

/** RATE_LIMITS has one name for all pages. */
export const pageLimit = { operationId: "page", rateLimit: "page", auth: { kind: "none" } } as const;

/** Runs before the request is read. @throws DomainError too_many_requests. */
export const admitAddress = (meter: Meter | null): void => {
  if (!meter) return;
  const party = { actor: { kind: "anonymous", id: "-" }, subjectId: "-" } as const;
  admit(meter, meter.policies.address, { key: addressPrefix(meter.info.ipAddress), party, scope: "from this address" });
};

/**
 * Runs once the client is authenticated, so that no other caller can use up its quota.
 * @throws DomainError too_many_requests.
 */
export const admitClient = (meter: Meter | null, caller: CallerOf<Auth>): void => {
  if (!meter || !caller) return;
  const clientId = clientIdOf(caller);
  const party = { actor: { kind: "client", id: clientId }, subjectId: clientId } as const;
  admit(meter, meter.policies.client, { key: clientId, party, scope: "from this client" });
  meter.clientId = clientId;
};

/**
 * Runs before a response reveals something about a mandate's budget to a merchant. All clients of the merchant share
 * the limit.
 * @throws DomainError too_many_requests.
 */
export const admitBudgetAnswer = (
  meter: Meter | null,
  { merchantId, mandateId }: { merchantId: string; mandateId: string },
): void => {
  const policy = meter?.limiter.policies.classes.budget.client;
  if (!meter || !policy) return;
  meter.fields.push(policy.field);
  const party = { actor: { kind: "merchant", id: merchantId }, subjectId: mandateId } as const;
  admit(meter, policy, { key: `${merchantId} ${mandateId}`, party, scope: "for this mandate" });
};

/** A failed authentication counts as this number of requests of the IP address. */
export const refusedAuthenticationCost = 10;

/**
 * Limits guessing (RFC 6819 §5.1.4.2.4) and the audit entries that guesses cause. Counts only for the IP address, so
 * that no other caller can use up a client's quota.
 */
export const countRefusedAuthentication = (meter: Meter | null): void => {
  if (!meter) return;
  takeBackClient(meter);
  const policy = meter.policies.address;
  if (!policy) return;
  const level = meter.limiter.drain(policy, addressPrefix(meter.info.ipAddress), refusedAuthenticationCost - 1);
  meter.levels[0] = levelField(policy, level);
};

/** The assertion was used before: replaying it must not use up the client's quota. */
const takeBackClient = (meter: Meter): void => {
  const policy = meter.policies.client;
  if (!policy || meter.clientId === null) return;
  meter.limiter.giveBack(policy, meter.clientId);
  meter.levels.pop();
};

const clientIdOf = (caller: NonNullable<CallerOf<Auth>>): string => {
  if ("clientId" in caller) return caller.clientId;
  if ("registration" in caller) return caller.registration.id;
  return "client" in caller ? caller.client.id : caller.id;
};

type Limited = Pick<Refusal, "key" | "party"> & { scope: string };

const admit = (meter: Meter, policy: Policy | null, { key, party, scope }: Limited): void => {
  if (!policy) return;
  const { limiter, clock, operation, info } = meter;
  const level = limiter.take(policy, key);
  meter.levels.push(levelField(policy, level));
  if (level.isAllowed) return;
  limiter.noteRefusal({ at: clock.now(), requestId: info.requestId, operation, policy, key, party });
  throw new DomainError("rate_limited", {
    code: "too_many_requests",
    message: `Too many requests ${scope}. Try again later.`,
    headers: { "retry-after": String(secondsUntilNext(level)) },
  });
};

const levelField = ({ name }: Policy, level: Level): string =>
  `"${name}";r=${level.remaining};t=${secondsUntilNext(level)}`;

const secondsUntilNext = ({ untilNextMilliseconds }: Level): number =>
  Math.max(1, Math.ceil(untilNextMilliseconds / 1000));

/** Headers of every limited response with any status: draft-ietf-httpapi-ratelimit-headers-11 §3, §4. */
export const meterHeaders = ({ fields, levels }: Meter): Record<string, string> =>
  levels.length === 0
    ? {}
    : {
        "ratelimit-policy": fields.join(", "),
        ratelimit: levels.join(", "),
      };
