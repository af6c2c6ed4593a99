import { type Sql, type Statement, statement } from "../../client.ts";
import { type EventSource, eventsIn, type MeteredQuery, meteredValuesOf, sourceOf } from "./metered-events.ts";

/** `setHash`: lower-case hex SHA-256 of the sorted event ids, with a line feed between them and none at the end. */
export type MeteredSet = { count: bigint; setHash: string };

// PostgreSQL sorts and hashes, so that no event reaches this process.
const setStatement = (source: EventSource): Statement<MeteredSet> =>
  statement(
    `hash_event_set_${source}`,
    `SELECT count(*) AS count,
            encode(sha256(convert_to(coalesce(string_agg(e.id, E'\\n' ORDER BY e.id COLLATE "C"), ''), 'UTF8')), 'hex') AS "setHash"
       FROM (${eventsIn(source)}) e`,
  );

const sets: Readonly<Record<EventSource, Statement<MeteredSet>>> = {
  own: setStatement("own"),
  verification: setStatement("verification"),
  call: setStatement("call"),
  charge: setStatement("charge"),
  mandate: setStatement("mandate"),
};

/**
 * The number of events behind an invoice line, and the hash of their ids. PostgreSQL reads each event, so a preview must
 * limit the number of events.
 */
export const readEventSet = async (sql: Sql, query: MeteredQuery): Promise<MeteredSet> => {
  const [set] = await sql.query(sets[sourceOf(query.meter)], meteredValuesOf(query));
  if (!set) throw new Error("an aggregate returned no row");
  return set;
};
