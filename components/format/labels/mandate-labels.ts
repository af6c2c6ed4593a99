import type { WalletCharge, WalletLimit, WalletMandate } from "#server/trpc/wallet/views.ts";
import type { Tone } from "../../ui/pill.tsx";
import { formatAmount, formatPaymentCount } from "../money.ts";
import { formatPeriod } from "../periods.ts";
import type { Reader } from "../reader.ts";

export const isLiveMandate = ({ state }: Pick<WalletMandate, "state">): boolean =>
  state === "active" || state === "suspended";

/** The client and the purpose, which together identify a mandate to its payer. */
export const mandateName = ({ client, purpose }: { client: { name: string }; purpose: string }): string =>
  purpose ? `${client.name}: ${purpose}` : client.name;

/** When it ended; the end of its validity where nothing ended it before. */
export const mandateEnd = ({ endedAt, validUntil }: Pick<WalletMandate, "endedAt" | "validUntil">): Date =>
  new Date(endedAt ?? validUntil);

/** The share of a limit from which it counts as nearly used up. */
const nearShare = 0.8;

export const isNearLimit = ({ kind, capMinor, usedMinor, heldMinor }: WalletLimit): boolean =>
  kind !== "per_payment" && usedMinor + heldMinor >= capMinor * nearShare;

export const isCountLimit = ({ kind }: Pick<WalletLimit, "kind">): boolean =>
  kind === "total_count" || kind === "period_count";

export const mandateStateLabel = (mandate: WalletMandate): { tone: Tone; label: string } => {
  if (mandate.state === "active" && mandate.limits.some(isNearLimit)) return { tone: "warn", label: "Near limit" };
  if (mandate.state === "suspended" && mandate.suspendedBy.includes("payer")) return { tone: "note", label: "Paused" };
  return bareMandateStateLabel(mandate.state);
};

/** The label of a state, without the limits and suspensions of the mandate. */
export const bareMandateStateLabel = (state: WalletMandate["state"]): { tone: Tone; label: string } => {
  switch (state) {
    case "active":
      return { tone: "good", label: "Active" };
    case "suspended":
      return { tone: "note", label: "Suspended" };
    case "revoked":
      return { tone: "neutral", label: "Stopped" };
    case "expired":
      return { tone: "neutral", label: "Ended" };
    case "consumed":
      return { tone: "neutral", label: "Used up" };
    case "pending":
      return { tone: "unknown", label: "Pending" };
    case "rejected":
      return { tone: "neutral", label: "Declined" };
  }
};

const thisPeriod = {
  day: "Today",
  week: "This week",
  month: "This month",
  quarter: "This quarter",
  year: "This year",
} as const;

export const limitLabel = (limit: WalletLimit): string => {
  const { kind, period, alignment } = limit;
  if (kind === "per_payment") return "Each payment";
  if (kind === "total") return "In total";
  if (kind === "total_count") return "Payments in total";
  if (period === null) return "Limit";
  const words = alignment === "consent" ? formatPeriod({ period, alignment }) : thisPeriod[period];
  return kind === "period_count" ? `${words}, payments` : words;
};

type Format = { currency: string; reader: Pick<Reader, "locale"> };

export const formatLimitValue = (minor: number, limit: WalletLimit, { currency, reader }: Format): string =>
  isCountLimit(limit) ? formatPaymentCount(minor) : formatAmount(minor, currency, reader);

/** A part of a cap, as in `€3.00 of €12.00` and `3 of 12 payments`. */
export const formatPartOfCap = (minor: number, limit: WalletLimit, format: Format): [part: string, cap: string] => [
  isCountLimit(limit) ? String(minor) : formatAmount(minor, format.currency, format.reader),
  formatLimitValue(limit.capMinor, limit, format),
];

/** For example `Each payment: at most €60.00`. */
export const describeLimits = (mandate: WalletMandate, reader: Pick<Reader, "locale">): string[] =>
  mandate.limits.map((limit) => {
    const cap = isCountLimit(limit) ? String(limit.capMinor) : formatAmount(limit.capMinor, mandate.currency, reader);
    return `${limitLabel(limit)}: at most ${cap}`;
  });

/** What the mandate can still spend before a limit resets; null if it limits only the single payment. */
export const remainingMinor = ({ limits }: Pick<WalletMandate, "limits">): number | null => {
  const lefts = limits.filter(({ kind }) => kind === "total" || kind === "period").map(({ leftMinor }) => leftMinor);
  return lefts.length > 0 ? Math.min(...lefts) : null;
};

/** The amount held by payments in progress, which may still complete after a stop. */
export const heldMinorOf = ({ limits }: Pick<WalletMandate, "limits">): number =>
  Math.max(0, ...limits.filter((limit) => !isCountLimit(limit)).map(({ heldMinor }) => heldMinor));

/** The limit on a mandate's card: the one with the largest used share. */
export const mainLimit = (limits: readonly WalletLimit[]): WalletLimit | null => {
  const share = ({ usedMinor, heldMinor, capMinor }: WalletLimit) => (usedMinor + heldMinor) / capMinor;
  const filling = limits.filter(({ kind }) => kind === "period" || kind === "total");
  return filling.reduce<WalletLimit | null>(
    (best, limit) => (best === null || share(limit) > share(best) ? limit : best),
    null,
  );
};

const chargeStates: Readonly<Record<WalletCharge["state"], { tone: Tone; label: string }>> = {
  reserved: { tone: "note", label: "In progress" },
  requires_action: { tone: "warn", label: "Needs your approval" },
  submitted: { tone: "note", label: "In progress" },
  processing: { tone: "note", label: "In progress" },
  unknown: { tone: "unknown", label: "Being checked" },
  authorized: { tone: "note", label: "Authorised" },
  succeeded: { tone: "good", label: "Paid" },
  captured: { tone: "good", label: "Paid" },
  partially_captured: { tone: "good", label: "Partially paid" },
  partially_refunded: { tone: "good", label: "Partially refunded" },
  refunded: { tone: "neutral", label: "Refunded" },
  declined: { tone: "bad", label: "Declined" },
  voided: { tone: "neutral", label: "Cancelled" },
  expired: { tone: "neutral", label: "Expired" },
  disputed: { tone: "warn", label: "Disputed" },
};

export const chargeStateLabel = ({ state }: Pick<WalletCharge, "state">) => chargeStates[state];

const declineReasons: Readonly<Record<string, string>> = {
  declined_by_payer: "you declined it",
  not_submitted: "it never reached the bank",
  insufficient_funds: "there wasn’t enough money on the payment method",
  generic_decline: "the bank declined it",
  do_not_honor: "the bank declined it",
  expired_card: "the card has expired",
  lost_card: "the card was reported lost",
  stolen_card: "the card was reported stolen",
};

export const declineReason = (code: string | null): string =>
  code === null
    ? "it was declined"
    : (declineReasons[code] ?? `the processor declined it (${code.replaceAll("_", " ")})`);
