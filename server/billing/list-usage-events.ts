import { unknownCursor } from "../charges/list-charges.ts";
import { findUsageEvents, findUsagePlace, type UsageEvent } from "../data/usage.ts";
import type { Deps } from "../deps.ts";
import { type AskedPeriod, decidePeriod } from "./usage-period.ts";

export type { UsageEvent } from "../data/usage.ts";

type Input = { merchantId: string; meter: string | null; limit: number; startingAfter: string | null } & AskedPeriod;

/**
 * The events behind what `readUsage` counts, each once, oldest first.
 * @throws DomainError invalid, naming the field; another merchant's event is no cursor, as one that doesn't exist.
 */
export const listUsageEvents = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { merchantId, meter, limit, startingAfter, ...asked }: Input,
): Promise<{ events: UsageEvent[]; hasMore: boolean }> => {
  const period = await decidePeriod(deps, asked);
  const { sql } = deps.db;
  const after = startingAfter === null ? null : await findUsagePlace(sql, { merchantId, id: startingAfter });
  if (startingAfter !== null && after === null) throw unknownCursor("event");
  const rows = await findUsageEvents(sql, { merchantId, period, meter, after, limit });
  return { events: rows.slice(0, limit), hasMore: rows.length > limit };
};
