import type { Sql } from "../../data/client.ts";
import { countChargesInPeriods } from "../../data/mandates/mandate-replacement.ts";
import { periodAt } from "../rules/periods.ts";
import { limitKey, type MandateTerms } from "../rules/terms.ts";

/**
 * New terms may limit a period that wasn't counted before: the amounts spent and held in it since its start are
 * counted now. Call it in the transaction that changes the terms, under the mandate's lock.
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
