import { languageOf } from "#server/kernel/messages/languages.ts";
import type { Reader } from "./reader.ts";
import { keepOnOneLine } from "./text.ts";

/**
 * A share as percent: `20%` in English, `20 %` in German. English of some regions, for example `en-DE`, has a space
 * before the sign, which is left out: all English texts write percent in the same way.
 */
export const formatShare = (share: number, locale: string, options: Intl.NumberFormatOptions): string => {
  const parts = new Intl.NumberFormat(locale, { ...options, style: "percent" }).formatToParts(share);
  const isEnglish = languageOf(locale) === "en";
  return keepOnOneLine(
    parts
      .filter(({ type }) => !(isEnglish && type === "literal"))
      .map(({ value }) => value)
      .join(""),
  );
};

/** @param share from 0 to 1. @param digits the maximum number of digits after the decimal separator */
export const formatPercent = (share: number, { locale }: Pick<Reader, "locale">, digits = 1): string =>
  formatShare(share, locale, { maximumFractionDigits: digits });

/** @param percent an exact percentage, for example `99.98` */
export const formatPercentage = (percent: string | number, reader: Pick<Reader, "locale">): string =>
  formatPercent(Number(percent) / 100, reader, 8);
