import { formatMoney } from "#server/kernel/money/money.ts";
import type { Reader } from "./reader.ts";

/** `€12.34`: minor units as money, with the currency's own digits. */
export const formatAmount = (amountMinor: number | bigint, currency: string, reader: Pick<Reader, "locale">): string =>
  formatMoney({ amountMinor: BigInt(amountMinor), currency }, reader.locale);

export const formatPaymentCount = (count: number): string => `${count} ${count === 1 ? "payment" : "payments"}`;
