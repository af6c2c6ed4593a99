import type { Config } from "../config.ts";
import type { Deps, RequestInfo } from "../deps.ts";
import { DomainError } from "../kernel/errors.ts";
import { addressPrefix, isLoopbackAddress } from "../kernel/ip-address.ts";
import type { Auth, CallerOf, Endpoint } from "./endpoint.ts";
import type { Policy, RateLimitClass, Subject } from "./limits/classes.ts";
import type { RateLimiter } from "./limits/rate-limiter.ts";
import type { Level } from "./limits/token-bucket.ts";
import { findRateLimiter } from "./runtime.ts";

/** One request's way past the limits of its endpoint. */
export type Meter = {
  limiter: RateLimiter;
  clock: Deps["clock"];
  info: RequestInfo;
  operation: string;
  policies: Readonly<Record<Subject, Policy | null>>;
  /** items of this answer's `RateLimit` */
  levels: string[];
  /** whose allowance was used, once it was */
  clientId: string | null;
};

/** @returns null where the endpoint, or this caller, is not limited. */
export const startMeter = (
  { config, clock }: Pick<Deps, "clock" | "config">,
  endpoint: Pick<Endpoint, "operationId" | "rateLimit" | "auth">,
  info: RequestInfo,
): Meter | null => {
  const limiter = findRateLimiter();
  const limitClass = limitClassOf(endpoint);
  if (!limiter || limitClass === "none" || isExempt(config, info.ipAddress)) return null;
  const { address, client } = limiter.policies[limitClass];
  const policies = { address, client: endpoint.auth.kind === "none" ? null : client };
  return { limiter, clock, info, operation: endpoint.operationId, policies, levels: [], clientId: null };
};

/** Loopback callers of the embedded default, unless told otherwise; an address that the gateway did not set is nobody's. */
const isExempt = (config: Pick<Config, "isEmbedded" | "rateLimitLoopback">, ipAddress: string): boolean =>
  ipAddress === "" || (config.isEmbedded && !config.rateLimitLoopback && isLoopbackAddress(ipAddress));

/** What an endpoint is limited with where its contract says nothing else. */
export const limitClassOf = ({ rateLimit, auth }: Pick<Endpoint, "auth" | "rateLimit">): RateLimitClass | "none" =>
  rateLimit ?? classOfAuth[auth.kind];

const classOfAuth: Readonly<Record<Auth["kind"], RateLimitClass>> = {
  none: "open",
  client: "signed",
  pending_client: "signed",
  registration_token: "resource",
  access_token: "resource",
};

/** Before anything of the request is read. @throws DomainError too_many_requests. */
export const admitAddress = (meter: Meter | null): void => {
  if (meter) admit(meter, "address", addressPrefix(meter.info.ipAddress));
};

/** Once the client is proved, so that nobody can use up another's. @throws DomainError too_many_requests. */
export const admitClient = (meter: Meter | null, caller: CallerOf<Auth>): void => {
  if (!meter || !caller) return;
  const clientId = clientIdOf(caller);
  admit(meter, "client", clientId);
  meter.clientId = clientId;
};

/** Its proof turned out to be used up: whoever sent it again must not use up the client's allowance with it. */
export const takeBackClient = (meter: Meter | null): void => {
  const policy = meter?.policies.client;
  if (!meter || !policy || meter.clientId === null) return;
  meter.limiter.giveBack(policy, meter.clientId);
  meter.levels.pop();
};

const clientIdOf = (caller: NonNullable<CallerOf<Auth>>): string => {
  if ("clientId" in caller) return caller.clientId;
  if ("registration" in caller) return caller.registration.id;
  return "client" in caller ? caller.client.id : caller.id;
};

const admit = (meter: Meter, subject: Subject, key: string): void => {
  const policy = meter.policies[subject];
  if (!policy) return;
  const { limiter, clock, operation, info } = meter;
  const level = limiter.take(policy, key);
  const seconds = secondsUntilNext(level);
  meter.levels.push(`"${policy.name}";r=${level.remaining};t=${seconds}`);
  if (level.isAllowed) return;
  limiter.noteRefusal({ at: clock.now(), requestId: info.requestId, operation, policy, key });
  throw new DomainError(
    "rate_limited",
    "too_many_requests",
    `Too many requests by this ${subject}; try again shortly.`,
    {
      headers: { "retry-after": String(seconds) },
    },
  );
};

const secondsUntilNext = ({ untilNextMilliseconds }: Level): number =>
  Math.max(1, Math.ceil(untilNextMilliseconds / 1000));

/** What a limited answer tells its caller, whatever its status: draft-ietf-httpapi-ratelimit-headers-11 §3, §4. */
export const meterHeaders = ({ policies: { address, client }, levels }: Meter): Record<string, string> =>
  levels.length === 0
    ? {}
    : {
        "ratelimit-policy": [address, client].flatMap((policy) => policy?.field ?? []).join(", "),
        ratelimit: levels.join(", "),
      };
