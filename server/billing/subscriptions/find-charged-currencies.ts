import { listChargeCurrencies } from "../../data/billing/subscriptions/charge-currencies.ts";
import type { Sql } from "../../data/client.ts";
import { addSeconds } from "../../kernel/time/clock.ts";

const chargesSeconds = 400 * 24 * 3_600;

/** The currencies that a new plan of the merchant must price (docs/spec/billing.md, Subscriptions). */
export const findChargedCurrencies = (
  sql: Sql,
  { merchantId, at }: { merchantId: string; at: Date },
): Promise<string[]> => listChargeCurrencies(sql, { merchantId, since: addSeconds(at, -chargesSeconds), now: at });
