import type { Spending } from "../../data/credentials/credential-uses.ts";
import type { Decision } from "../../data/mandates/mandate-decision.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { fromJson } from "../details/granted-details.ts";
import { toTerms } from "../details/to-terms.ts";
import { decideUse, type UseDecision } from "./decide-use.ts";

type Intent = Parameters<typeof decideUse>[1];
type Token = { details: JsonObject; spendings: readonly Spending[] };

/**
 * Whether mandate and token both allow a payment. A narrowed token has its own limits. Only payments that were made
 * with this token count towards them. Pure: reads and changes nothing.
 */
export const decideTokenUse = (
  mandate: Decision,
  token: Token,
  { intent, at }: { intent: Intent; at: Date },
): UseDecision => {
  const own = decideUse(mandate, intent, at);
  const view = viewOf(mandate, token.details);
  const opensAt = toTerms(fromJson(token.details), mandate.terms.validFrom).validFrom;
  const isEarly = own.status === "active" && at < opensAt;
  const { periods } = decideUse(view, intent, at);
  const ofToken = decideUse({ ...view, ...countersOf(token.spendings, periods) }, intent, at);
  const isNew = ({ code, constraint }: UseDecision["reasons"][number]) =>
    !own.reasons.some((reason) => reason.code === code && reason.constraint === constraint);
  return {
    ...own,
    reasons: [...own.reasons, ...[...(isEarly ? [notYet] : []), ...ofToken.reasons].filter(isNew)],
    stepUpRequired: own.stepUpRequired || ofToken.stepUpRequired,
  };
};

const notYet = { code: "outside_validity_window", constraint: "valid_from", remedy: null } as const;

/**
 * The mandate with the token's terms. Periods count from the mandate's start, regardless of when the token was issued.
 */
const viewOf = (mandate: Decision, details: JsonObject): Decision => {
  const { validFrom } = mandate.terms;
  return { ...mandate, terms: { ...toTerms(fromJson(details), validFrom), validFrom } };
};

const countersOf = (spendings: readonly Spending[], periods: UseDecision["periods"]) => ({
  lifetime: sum(spendings),
  periods: periods.map(({ limitKey, startsAt, endsAt }) => ({
    limitKey,
    startsAt,
    ...sum(spendings.filter(({ at }) => startsAt <= at && at < endsAt)),
  })),
});

/** Held and used amounts reduce the remainder in the same way, so all amounts count as used here. */
const sum = (spendings: readonly Spending[]) => ({
  usedAmount: spendings.reduce((total, { amountMinor }) => total + amountMinor, 0n),
  usedCount: BigInt(spendings.length),
  heldAmount: 0n,
  heldCount: 0n,
});
