import { type Invariant, invariant } from "./invariant.ts";

export const usageInvariants: readonly Invariant[] = [
  invariant(
    "usage_event_keys",
    "a key that a merchant's usage event has taken stands for that one event",
    `SELECT concat_ws(' ', k.merchant_id, k.source, k.event_id) AS subject, format('%s events', count(e.id)) AS problem
     FROM usage_event_key k LEFT JOIN usage_event e ON e.merchant_id = k.merchant_id AND e.time = k.time
       AND e.source = k.source COLLATE "C" AND e.event_id = k.event_id COLLATE "C"
     GROUP BY k.merchant_id, k.source, k.event_id HAVING count(e.id) <> 1`,
  ),
];
