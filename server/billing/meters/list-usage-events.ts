import { findUsageEvents, findUsagePlace, type UsageEvent } from "../../data/billing/usage.ts";
import type { Deps } from "../../deps/deps.ts";
import { cutPage, findPage, type PageRequest } from "../../kernel/pagination.ts";
import { decidePeriod, type RequestedPeriod } from "./usage-period.ts";

export type { UsageEvent } from "../../data/billing/usage.ts";

type Input = { merchantId: string; meter: string | null; timeZone?: string } & PageRequest & RequestedPeriod;

/**
 * The events that `readUsage` counts, each once, oldest first.
 * @throws DomainError invalid, naming the field. A cursor that is an unknown event or another
 *   merchant's event is also invalid.
 */
export const listUsageEvents = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { merchantId, meter, from, to, timeZone, ...pagination }: Input,
): Promise<{ events: UsageEvent[]; hasMore: boolean }> => {
  const period = await decidePeriod(deps, { from, to }, timeZone);
  const { sql } = deps.db;
  const page = await findPage(pagination, "event", (id) => findUsagePlace(sql, { merchantId, id }));
  const { rows, hasMore } = cutPage(await findUsageEvents(sql, { merchantId, period, meter, page }), page);
  return { events: rows, hasMore };
};
