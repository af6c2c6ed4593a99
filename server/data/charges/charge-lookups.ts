import type { BusinessTime } from "../../kernel/time/clock.ts";
import { type Sql, statement } from "../client.ts";
import { spanOf } from "../dated.ts";

const active = statement<{ id: string }>(
  "is_mandate_active",
  "SELECT id FROM mandate WHERE id = $1 AND state = 'active' AND valid_until > $2::timestamptz",
);

export const isMandateActive = async (sql: Sql, input: { mandateId: string; now: BusinessTime }): Promise<boolean> =>
  (await sql.query(active, [input.mandateId, input.now])).length === 1;

const end = statement<{ id: string }>(
  "end_lookups",
  `UPDATE charge SET next_lookup_at = NULL WHERE id = $1 AND state = 'unknown' AND next_lookup_at IS NOT NULL
     AND created_at BETWEEN $2::timestamptz AND $3::timestamptz RETURNING id`,
);

/** @returns false if the charge was settled or put under review in the meantime. */
export const endLookups = async (sql: Sql, chargeId: string): Promise<boolean> =>
  (await sql.query(end, [chargeId, ...spanOf(chargeId)])).length === 1;
