import type { RequestInfo } from "../../deps/deps.ts";
import { createAddressLimit } from "../../platform/limits/address-limit.ts";
import type { StatusDeps } from "../../status/runtime.ts";

/**
 * `subscribe` may send a mail, or a request to somebody's server; `manage` writes to the audit log. Whoever ends a
 * subscription is never refused: mail services do so for all of their readers (RFC 8058).
 */
const limits = {
  subscribe: createAddressLimit({ requests: 20, seconds: 3600 }),
  manage: createAddressLimit({ requests: 60, seconds: 3600 }),
} as const;

/** @throws DomainError too_many_requests. */
export const admitSubscription = (deps: StatusDeps, { ipAddress }: RequestInfo, purpose: keyof typeof limits): void => {
  const refused = limits[purpose](deps, ipAddress);
  if (refused) throw refused;
};
