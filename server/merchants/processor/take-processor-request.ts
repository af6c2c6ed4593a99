import { takeLimitedAttempt } from "../../data/accounts/accounts.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

const capacity = 20;
const drainSeconds = 30;

/**
 * Counts a member's request that causes a request to the processor. All merchants share the processor's rate limit,
 * which also covers charges, so one merchant must not use it up (docs.stripe.com/rate-limits).
 * @throws DomainError too_many_processor_requests.
 */
export const takeProcessorRequest = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { merchantId }: { merchantId: string },
): Promise<void> => {
  const limit = { key: `processor:${merchantId}`, capacity, drainSeconds };
  if (await takeLimitedAttempt(db.sql, limit, clock.now())) return;
  throw new DomainError("rate_limited", {
    code: "too_many_processor_requests",
    message: `Your team sent too many requests to Stripe. Nothing was changed. Wait ${drainSeconds} seconds, then try again.`,
    headers: { "retry-after": String(drainSeconds) },
  });
};
