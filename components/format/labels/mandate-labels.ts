import type { Translator } from "#server/kernel/messages/translator.ts";
import { startSmall } from "#server/kernel/text/start-small.ts";
import type { WalletLimit, WalletMandate } from "#server/trpc/wallet/views.ts";
import type { Tone } from "../../ui/pill.tsx";
import { formatAmount } from "../money.ts";
import type { Reader } from "../reader.ts";

export type MandateTexts = Translator<"mandates">;

export const isLiveMandate = ({ state }: Pick<WalletMandate, "state">): boolean =>
  state === "active" || state === "suspended";

/** Lists active mandates before paused and ended ones, and otherwise keeps the order. */
export const activeFirst = <Mandate extends Pick<WalletMandate, "state">>(mandates: readonly Mandate[]): Mandate[] =>
  mandates.toSorted((left, right) => Number(right.state === "active") - Number(left.state === "active"));

/** The client and the purpose, which together identify a mandate to its payer. */
export const mandateName = ({ client, purpose }: { client: { name: string }; purpose: string }): string =>
  purpose ? `${client.name}: ${purpose}` : client.name;

/** When the mandate ended. If nothing ended it early, the end of its validity. */
export const mandateEnd = ({ endedAt, validUntil }: Pick<WalletMandate, "endedAt" | "validUntil">): Date =>
  new Date(endedAt ?? validUntil);

/**
 * The time zone of the mandate's periods. Null if it is the reader's time zone, or if the reader can see no limit that
 * has a period.
 */
export const otherPeriodZone = (
  { limits, timeZone }: { limits: readonly Pick<WalletLimit, "period">[] | null; timeZone: string },
  reader: Reader,
): string | null => {
  const hasPeriod = limits?.some(({ period }) => period !== null) ?? false;
  return hasPeriod && timeZone !== reader.timeZone ? timeZone.replaceAll("_", " ") : null;
};

/** A limit counts as nearly used up when at least this share of it is used or held. */
const nearShare = 0.8;

export const isNearLimit = ({ kind, capMinor, usedMinor, heldMinor }: WalletLimit): boolean =>
  kind !== "per_payment" && usedMinor + heldMinor >= capMinor * nearShare;

export const isCountLimit = ({ kind }: Pick<WalletLimit, "kind">): boolean =>
  kind === "total_count" || kind === "period_count";

export const mandateStateLabel = (mandate: WalletMandate, t: MandateTexts): { tone: Tone; label: string } => {
  if (mandate.state === "active" && mandate.limits.some(isNearLimit)) return { tone: "warn", label: t("states.near") };
  return { tone: stateTones[mandate.state], label: t(`states.${mandate.state}`) };
};

const stateTones: Readonly<Record<WalletMandate["state"], Tone>> = {
  active: "good",
  suspended: "note",
  revoked: "neutral",
  expired: "neutral",
  consumed: "neutral",
  pending: "unknown",
  rejected: "neutral",
};

const recordedStates: Readonly<Record<WalletMandate["state"], string>> = {
  active: "Active",
  suspended: "Suspended",
  revoked: "Revoked",
  expired: "Expired",
  consumed: "Used up",
  pending: "Pending",
  rejected: "Declined",
};

/**
 * The state as merchants and operators see it. The wallet says that a mandate is paused or stopped
 * (docs/architecture.md, Glossary).
 */
export const bareMandateStateLabel = (state: WalletMandate["state"]): { tone: Tone; label: string } => ({
  tone: stateTones[state],
  label: recordedStates[state],
});

/** @param isEnded whether the mandate has ended. Then the label is, for example, `Each month` and not `This month`. */
export const limitLabel = ({ kind, period, alignment }: WalletLimit, t: MandateTexts, isEnded = false): string => {
  if (kind === "per_payment" || kind === "total" || kind === "total_count") return t(`limits.${kind}`);
  if (period === null) return t("limits.other");
  const words = t(isEnded || alignment === "consent" ? `limits.consent_${period}` : `limits.${period}`);
  return kind === "period_count" ? t("limits.period_count", { period: startSmall(words) }) : words;
};

type Format = { currency: string; reader: Pick<Reader, "locale">; t: MandateTexts };

export const formatLimitValue = (minor: number, limit: WalletLimit, { currency, reader, t }: Format): string =>
  isCountLimit(limit) ? t("limits.payments", { count: minor }) : formatAmount(minor, currency, reader);

/** A part of a cap, as in `€3.00 of €12.00` and `3 of 12 payments`. */
export const formatPartOfCap = (minor: number, limit: WalletLimit, format: Format): [part: string, cap: string] => [
  isCountLimit(limit) ? String(minor) : formatAmount(minor, format.currency, format.reader),
  formatLimitValue(limit.capMinor, limit, format),
];

/** For example `Each payment: at most €60.00`. */
export const limitLabels = (
  mandate: Pick<WalletMandate, "limits" | "currency">,
  { locale, t }: { locale: string; t: MandateTexts },
): string[] =>
  mandate.limits.map((limit) => {
    const { capMinor } = limit;
    const cap = isCountLimit(limit) ? String(capMinor) : formatAmount(capMinor, mandate.currency, { locale });
    return t("limits.atMost", { limit: limitLabel(limit, t), cap });
  });

/** What the mandate can still spend before a limit resets; null if it limits no amount per period or in total. */
export const remainingMinor = ({ limits }: Pick<WalletMandate, "limits">): number | null => {
  const lefts = limits.filter(({ kind }) => kind === "total" || kind === "period").map(({ leftMinor }) => leftMinor);
  return lefts.length > 0 ? Math.min(...lefts) : null;
};

/** The amount held by payments in progress, which may still complete after a stop. */
export const heldMinorOf = ({ limits }: Pick<WalletMandate, "limits">): number =>
  Math.max(0, ...limits.filter((limit) => !isCountLimit(limit)).map(({ heldMinor }) => heldMinor));

/**
 * The limit on a mandate's card: of the amount limits per period and in total, the one with the largest share used or
 * held; null if there is no such limit.
 */
export const mainLimit = (limits: readonly WalletLimit[]): WalletLimit | null => {
  const share = ({ usedMinor, heldMinor, capMinor }: WalletLimit) => (usedMinor + heldMinor) / capMinor;
  const filling = limits.filter(({ kind }) => kind === "period" || kind === "total");
  return filling.reduce<WalletLimit | null>(
    (best, limit) => (best === null || share(limit) > share(best) ? limit : best),
    null,
  );
};

/** `Mandate for Groceries, up to €50.00`: with the cap per payment, or else the first other cap. */
export const mandateTitle = (mandate: WalletMandate, { reader, t }: { reader: Reader; t: MandateTexts }): string => {
  const purpose = mandate.purpose || mandate.client.name;
  const amounts = mandate.limits.filter((limit) => !isCountLimit(limit));
  const cap = amounts.find(({ kind }) => kind === "per_payment") ?? amounts[0];
  if (!cap) return t("page.titlePlain", { purpose });
  return t("page.title", { purpose, amount: formatAmount(cap.capMinor, mandate.currency, reader) });
};
