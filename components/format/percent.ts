import type { Reader } from "./reader.ts";

/** @param share from 0 to 1 */
export const formatPercent = (share: number, { locale }: Reader): string =>
  new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(share);
