import { periodAt } from "../rules/periods.ts";
import type { PaymentMandateDetails } from "./payment-mandate.wire.ts";
import { toTerms } from "./to-terms.ts";

/**
 * The end of the current period of each periodic limit, or of its first period if the mandate starts later. In the
 * order of `periodic_limits`; null if the mandate ends by then. Periods are computed in the mandate's time zone.
 * @param start the start of an existing mandate; null for a mandate to which the payer consents now.
 */
export const findNextResets = (
  details: PaymentMandateDetails,
  { start, now }: { start: Date | null; now: Date },
): (Date | null)[] => {
  const terms = toTerms(details, now);
  const anchor = start ?? terms.validFrom;
  const at = anchor > now ? anchor : now;
  return terms.periodicLimits.map((limit) => {
    const { endsAt } = periodAt(limit, { timeZone: terms.timeZone, anchor, at });
    return endsAt < terms.validUntil ? endsAt : null;
  });
};
