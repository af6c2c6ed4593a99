import type { Sql } from "../../data/client.ts";
import { countChargesInPeriods } from "../../data/mandates/mandate-replacement.ts";
import { periodAt } from "../rules/periods.ts";
import { limitKey, type MandateTerms } from "../rules/terms.ts";

/**
 * New terms may limit a period that no charge was counted in so far: what was spent and held in it since it began is
 * counted now. Belongs in the transaction that changes the terms, under the mandate's lock.
 */
export const countRunningPeriods = (
  sql: Sql,
  { mandateId, terms, at }: { mandateId: string; terms: MandateTerms; at: Date },
): Promise<void> => countChargesInPeriods(sql, mandateId, runningPeriods(terms, at));

const runningPeriods = ({ periodicLimits, timeZone, validFrom }: MandateTerms, at: Date) =>
  at < validFrom
    ? []
    : periodicLimits.map((limit) => ({
        limitKey: limitKey(limit),
        ...periodAt(limit, { timeZone, anchor: validFrom, at }),
      }));
