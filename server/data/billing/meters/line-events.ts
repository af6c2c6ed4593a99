import type { Place } from "../../../kernel/pagination.ts";
import { instantOf } from "../../../kernel/time/dated.ts";
import { type Sql, type Statement, statement } from "../../client.ts";
import { type EventSource, eventsIn, type MeteredQuery, meteredValuesOf, sourceOf } from "./metered-events.ts";

/** One event behind an invoice line. */
export type LineEvent = {
  id: string;
  time: Date;
  quantity: bigint;
  /** captured amount of a charge; null for other meters */
  amount: bigint | null;
  currency: string | null;
  /** the mandate, the charge or the webhook delivery; for a merchant's own meter, the subject that the merchant sent */
  subject: string | null;
};

const pageStatement = (source: EventSource): Statement<LineEvent> =>
  statement(
    `list_line_events_${source}`,
    `SELECT * FROM (${eventsIn(source)}) e
      WHERE $7::timestamptz IS NULL OR (e.time, e.id) > ($7::timestamptz, $8::text)
      ORDER BY e.time, e.id LIMIT $9::int`,
  );

const pages: Readonly<Record<EventSource, Statement<LineEvent>>> = {
  own: pageStatement("own"),
  verification: pageStatement("verification"),
  call: pageStatement("call"),
  charge: pageStatement("charge"),
  mandate: pageStatement("mandate"),
};

/** The events behind a line, oldest first. Returns `limit` + 1 if there are more. */
export const listLineEvents = (
  sql: Sql,
  query: MeteredQuery,
  page: { after: Place | null; limit: number },
): Promise<LineEvent[]> => {
  const { after, limit } = page;
  // The period starts at the cursor, so that the statement doesn't read the index entries of earlier pages.
  const { period } = query;
  const from = after !== null && sourceOf(query.meter) !== "mandate" && after.at > period.from ? after.at : period.from;
  const values = meteredValuesOf({ ...query, period: { from, to: period.to }, months: query.months ?? [period] });
  return sql.query(pages[sourceOf(query.meter)], [...values, after?.at ?? null, after?.id ?? null, limit + 1]);
};

const places: Readonly<Record<EventSource, Statement<Place>>> = Object.fromEntries(
  (["own", "verification", "call", "charge", "mandate"] as const).map((source) => [
    source,
    statement<Place>(
      `find_line_event_${source}`,
      `SELECT e.id, e.time AS at FROM (${eventsIn(source)}) e
        WHERE e.id = $7 AND ($8::timestamptz IS NULL OR e.time = $8::timestamptz) LIMIT 1`,
    ),
  ]),
) as Record<EventSource, Statement<Place>>;

/** The position of an event in the list of a line; null if the line has no such event. */
export const findLineEventPlace = async (sql: Sql, query: MeteredQuery, id: string): Promise<Place | null> => {
  const source = sourceOf(query.meter);
  // A charge's id contains the time of its creation, not of its capture.
  const at = source === "charge" || source === "mandate" ? null : instantOf(id);
  return (await sql.query(places[source], [...meteredValuesOf(query), id, at]))[0] ?? null;
};
