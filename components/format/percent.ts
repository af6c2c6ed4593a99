import type { Reader } from "./reader.ts";

/** @param share from 0 to 1. @param digits the maximum number of digits after the decimal separator */
export const formatPercent = (share: number, { locale }: Reader, digits = 1): string =>
  new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: digits }).format(share);
