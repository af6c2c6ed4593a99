import type { SubscriberRow } from "../../data/billing/catalogue/subscribers.ts";
import type { Sql } from "../../data/client.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { pointerTo } from "../rules/catalogue/catalogue-entry.ts";
import type { CatalogueChange } from "../rules/catalogue/decide-changes.ts";
import { findChargedCurrencies } from "../subscriptions/find-charged-currencies.ts";

type Changed = { changes: readonly CatalogueChange[]; subscribers: readonly SubscriberRow[]; at: BusinessTime };

/**
 * A changed plan must keep its prices in each currency that its subscribers use.
 * @returns a problem for each used currency that the change removes, with the number of subscriptions that use it.
 */
export const findUsedCurrencies = async (
  sql: Sql,
  { changes, subscribers, at }: Changed,
): Promise<{ pointer: string; message: string }[]> => {
  const problems = [];
  for (const change of changes) {
    if (change.droppedCurrencies.length === 0) continue;
    const counts = new Map<string, number>();
    for (const { merchantId, currency } of subscribers.filter(({ planId }) => planId === change.id)) {
      const charged = await findChargedCurrencies(sql, { merchantId, at });
      for (const code of new Set([currency, ...charged])) counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    for (const code of change.droppedCurrencies) {
      const count = counts.get(code);
      if (count === undefined) continue;
      const users = count === 1 ? "1 subscription uses it" : `${count} subscriptions use it`;
      problems.push({ pointer: pointerTo(change, "currencies"), message: `must include ${code}: ${users}` });
    }
  }
  return problems;
};
