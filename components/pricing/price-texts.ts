import type { PublicPlan } from "#server/billing/catalogue/public-plan.wire.ts";
import { currencyExponent, formatMoney } from "#server/kernel/money/money.ts";
import { formatPercentage } from "../format/percent.ts";

type Price = PublicPlan["prices"][number];
type Tier = NonNullable<Price["tiers"]>[number];

/** An exact price has up to 12 decimals of a minor unit, and a currency has up to 4 decimals. */
const maxDigits = 16;

/** A decimal of minor units as money: `0.8` in EUR is `€0.008`. */
export const formatUnitPrice = (minor: string, currency: string, locale: string): string => {
  const exponent = currencyExponent(currency);
  const [whole = "0", fraction = ""] = minor.split(".");
  const digits = whole.padStart(exponent + 1, "0");
  const point = digits.length - exponent;
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    minimumFractionDigits: exponent,
    maximumFractionDigits: maxDigits,
  }).format(`${digits.slice(0, point)}.${digits.slice(point)}${fraction}` as `${number}`);
};

/** Basis points as percent: `29` is `0.29%`. */
const formatRate = (basisPoints: string, locale: string): string =>
  formatPercentage(Number(basisPoints) / 100, { locale });

type Writer = {
  unit: (minor: string) => string;
  amount: (minor: number) => string;
  rate: (basisPoints: string) => string;
  count: (units: number) => string;
};

const writerOf = (currency: string, locale: string): Writer => ({
  unit: (minor) => formatUnitPrice(minor, currency, locale),
  amount: (minor) => formatMoney({ amountMinor: BigInt(minor), currency }, locale),
  rate: (basisPoints) => formatRate(basisPoints, locale),
  count: (units) => new Intl.NumberFormat(locale).format(units),
});

/** A price in short lines, for example `First 10,000 free` and `then €0.008 each`. */
export const priceTexts = (price: Price, currency: string, locale: string): string[] => {
  const write = writerOf(currency, locale);
  const free = price.free_units ? [`First ${write.count(price.free_units)} free`] : [];
  switch (price.model) {
    case "per_unit":
      return [...free, `${price.free_units ? "then " : ""}${write.unit(price.unit ?? "0")} each`];
    case "package":
      return [...free, `${write.amount(price.amount ?? 0)} for each ${write.count(price.size ?? 1)} or part of it`];
    case "basis_points":
      return [`${write.rate(price.rate ?? "0")} of the amount`, ...clampTexts(price, write)];
    case "volume":
      return [...free, ...(price.tiers ?? []).map((tier, index, all) => volumeText(tier, all[index - 1], write))];
    default:
      return [...free, ...(price.tiers ?? []).map((tier, index, all) => tierText(price, { tier, index, all }, write))];
  }
};

const clampTexts = ({ min, max }: Price, write: Writer): string[] => {
  if (min !== undefined && max !== undefined)
    return [`at least ${write.unit(min)} and at most ${write.unit(max)} per charge`];
  if (min !== undefined) return [`at least ${write.unit(min)} per charge`];
  return max === undefined ? [] : [`at most ${write.unit(max)} per charge`];
};

const flatText = ({ flat }: Tier, write: Writer): string => (flat ? `, plus ${write.amount(flat)} once` : "");

/** With volume prices, the tier of the whole quantity sets the price of every unit. */
const volumeText = (tier: Tier, before: Tier | undefined, write: Writer): string => {
  const each = `${write.unit(tier.unit ?? "0")} each${flatText(tier, write)}`;
  if (tier.up_to !== undefined) return `${each}, if the total is at most ${write.count(tier.up_to)}`;
  return before?.up_to === undefined ? each : `${each}, if the total is above ${write.count(before.up_to)}`;
};

type Place = { tier: Tier; index: number; all: readonly Tier[] };

const tierText = ({ model }: Price, { tier, index, all }: Place, write: Writer): string => {
  const isMoney = model === "graduated_basis_points";
  const size = (units: number) => (isMoney ? write.amount(units) : write.count(units));
  const cost = tierCost(tier, isMoney, write);
  if (tier.up_to === undefined) return all.length === 1 ? cost : `then ${cost}`;
  const width = tier.up_to - (all[index - 1]?.up_to ?? 0);
  const start = `${index === 0 ? "First" : "next"} ${size(width)}`;
  return cost === "free" ? `${start} free` : `${start}: ${cost}`;
};

const tierCost = (tier: Tier, isMoney: boolean, write: Writer): string => {
  if (tier.size !== undefined)
    return `${write.amount(tier.amount ?? 0)} for each ${write.count(tier.size)} or part of it`;
  const isFree = Number(tier.unit ?? tier.rate ?? 0) === 0 && !tier.flat;
  if (isFree) return "free";
  const part = isMoney ? `${write.rate(tier.rate ?? "0")} of the amount` : `${write.unit(tier.unit ?? "0")} each`;
  return `${part}${flatText(tier, write)}`;
};
