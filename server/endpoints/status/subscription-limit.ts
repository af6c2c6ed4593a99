import type { RequestInfo } from "../../deps/deps.ts";
import { createAddressLimit } from "../../platform/limits/address-limit.ts";
import type { StatusDeps } from "../../status/runtime.ts";

/**
 * `subscribe` sends an e-mail, or a request to another server; `manage` writes to the audit log. Unsubscribing has no
 * limit, because mail services unsubscribe for all their users (RFC 8058).
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
