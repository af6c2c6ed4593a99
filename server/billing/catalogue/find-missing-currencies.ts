import type { SubscriberRow } from "../../data/billing/catalogue/subscribers.ts";
import type { Sql } from "../../data/client.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { pointerTo } from "../rules/catalogue/catalogue-entry.ts";
import type { CatalogueChange } from "../rules/catalogue/decide-changes.ts";
import { findChargedCurrencies } from "../subscriptions/find-charged-currencies.ts";
import { getPlanVersion } from "./get-plan-version.ts";

type Changed = { changes: readonly CatalogueChange[]; subscribers: readonly SubscriberRow[]; at: BusinessTime };

/**
 * A changed plan must have prices in each currency that its subscriptions use. For each subscription, only the
 * currencies of its own plan version count, because an earlier change may have dropped a currency.
 * @returns a problem for each missing currency, with the number of subscriptions that use it.
 */
export const findMissingCurrencies = async (
  sql: Sql,
  { changes, subscribers, at }: Changed,
): Promise<{ pointer: string; message: string }[]> => {
  const problems = [];
  for (const change of changes.filter(canChangePrices)) {
    const kept = Object.keys(change.definition["currencies"] ?? {});
    const counts = new Map<string, number>();
    for (const subscriber of subscribers.filter(({ planId }) => planId === change.id)) {
      for (const code of await usedCurrencies(sql, subscriber, at)) {
        if (!kept.includes(code)) counts.set(code, (counts.get(code) ?? 0) + 1);
      }
    }
    for (const [code, count] of counts) {
      const users = count === 1 ? "1 subscription uses it" : `${count} subscriptions use it`;
      problems.push({ pointer: pointerTo(change, "currencies"), message: `must include ${code}: ${users}` });
    }
  }
  return problems;
};

/**
 * Whether a change can change the prices of existing subscriptions. A change without a new version can do this only if
 * subscriptions migrate to the newest version.
 */
const canChangePrices = ({ kind, from, version, migratesTo }: CatalogueChange): boolean =>
  kind === "plan" && from !== null && (from !== version || migratesTo.includes(version));

const usedCurrencies = async (
  sql: Sql,
  { merchantId, currency, planId, planVersion }: SubscriberRow,
  at: BusinessTime,
): Promise<string[]> => {
  const { terms } = await getPlanVersion(sql, { planId, version: planVersion, at });
  const charged = await findChargedCurrencies(sql, { merchantId, at });
  return [...new Set([currency, ...charged])].filter((code) => terms.currencies.has(code));
};
