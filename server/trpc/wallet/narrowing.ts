import { DomainError } from "../../kernel/errors.ts";
import type { Narrowing } from "../../mandates/details/narrow-details.ts";

const periodKey = /^(day|week|month|quarter|year):(calendar|consent)(:count)?$/;

/**
 * @param key the key of a limit in `WalletLimit`, for example `month:calendar`.
 * @throws DomainError unknown_limit.
 */
export const toNarrowing = (key: string, cap: number): Narrowing => {
  if (key === "per_payment") return { max_amount_per_payment: cap };
  if (key === "total") return { max_total_amount: cap };
  if (key === "total_count") return { max_payments: cap };
  const [, period, alignment, count] = periodKey.exec(key) ?? [];
  if (!isPeriod(period) || !isAlignment(alignment)) {
    throw new DomainError("invalid", {
      code: "unknown_limit",
      message: "The mandate doesn’t have this limit. Reload the page.",
      errors: [{ pointer: "/limitKey", detail: "is not a limit of this mandate" }],
    });
  }
  return { periodic_limits: [{ period, alignment, ...(count ? { max_payments: cap } : { max_amount: cap }) }] };
};

type Periodic = NonNullable<Narrowing["periodic_limits"]>[number];

const isPeriod = (text: string | undefined): text is Periodic["period"] =>
  text !== undefined && ["day", "week", "month", "quarter", "year"].includes(text);
const isAlignment = (text: string | undefined): text is Periodic["alignment"] =>
  text === "calendar" || text === "consent";
