import { ownPrefix } from "../../../data/billing/meters/metered-events.ts";
import { findUsageEvents, findUsagePlace, type UsageEvent } from "../../../data/billing/usage.ts";
import type { Deps } from "../../../deps/deps.ts";
import { fieldRefusal } from "../../../kernel/errors.ts";
import { isPriceableMeter } from "../../rules/plans/meters.ts";
import type { Period } from "../../rules/usage-period.ts";

type Input = { merchantId: string; meter: string; period: Period; limit: number; startingAfter: string | null };

/**
 * The events of a meter in a window, newest first. The events of `active_mandates` are charges.
 * @throws DomainError invalid, naming the field. A cursor that is another merchant's event is also invalid.
 */
export const listNewestEvents = async (
  { db: { sql } }: Pick<Deps, "db">,
  { merchantId, meter, period, limit, startingAfter }: Input,
): Promise<{ events: UsageEvent[]; hasMore: boolean }> => {
  if (!isPriceableMeter(meter)) throw fieldRefusal("#meter", "isn't a built-in meter or one of your own meters");
  const cursor = startingAfter === null ? null : await findUsagePlace(sql, { merchantId, id: startingAfter });
  if (startingAfter !== null && cursor === null)
    throw fieldRefusal("#starting_after", "is not the ID of an event in this list");
  const name = meter === "active_mandates" ? "successful_charges" : meter;
  const listed = name.startsWith(ownPrefix) ? name.slice(ownPrefix.length) : name;
  const before = cursor ?? { at: period.to, id: "" };
  const rows = await findUsageEvents(sql, { merchantId, period, meter: listed, page: { limit, after: null, before } });
  return { events: rows.slice(0, limit), hasMore: rows.length > limit };
};
