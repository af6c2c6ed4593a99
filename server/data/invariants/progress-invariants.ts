import { type Invariant, invariant } from "./invariant.ts";

/**
 * The last successful run of a job. Work that was due long before that run and isn't done is overdue. If no worker has
 * ever started, nothing is overdue.
 */
const lastRun = (job: string) => `(SELECT ok_at FROM job_pulse WHERE name = '${job}')`;

/** No work is overdue: no hold, lease or event remains forever after a process crashed. */
export const progressInvariants: readonly Invariant[] = [
  invariant(
    "reservations_end",
    "while the reconciler runs, no reservation is older than its limit, and no scheduled step is late",
    `SELECT c.id AS subject, format('%s since %s, next look-up %s', c.state, c.created_at, c.next_lookup_at) AS problem
     FROM charge c
     WHERE c.next_lookup_at < ${lastRun("reconcile-charges")} - interval '3 minutes'
        OR (c.state = 'reserved' AND c.created_at < ${lastRun("reconcile-charges")} - interval '3 minutes')
     UNION ALL
     SELECT r.id, format('%s since %s, next look-up %s', r.status, r.created_at, r.next_lookup_at) FROM refund r
     WHERE r.status = 'pending' AND r.next_lookup_at < ${lastRun("reconcile-refunds")} - interval '3 minutes'`,
  ),
  invariant(
    "leases_end",
    "only charges and refunds in progress are leased, and each charge with a pending act has a next look-up",
    `SELECT c.id AS subject, format('%s, leased until %s, pending action %s', c.state, c.lease_until, c.pending_act ->> 'kind') AS problem
     FROM charge c
     WHERE (c.lease_until IS NOT NULL AND c.pending_act IS NULL
         AND c.state NOT IN ('reserved', 'requires_action', 'submitted', 'processing', 'unknown'))
        OR (c.pending_act IS NOT NULL AND (c.state NOT IN ('authorized', 'requires_action') OR c.next_lookup_at IS NULL))
     UNION ALL
     SELECT r.id, format('%s, leased until %s', r.status, r.lease_until) FROM refund r
     WHERE r.status <> 'pending' AND r.lease_until IS NOT NULL`,
  ),
  invariant(
    "one_payment_per_charge",
    "no two charges belong to one payment at a processor",
    `SELECT min(c.id) AS subject, format('%s charges belong to %s of %s', count(*), c.processor_ref, c.processor_account) AS problem
     FROM charge c WHERE c.processor_ref IS NOT NULL
     GROUP BY c.processor, c.processor_account, c.processor_ref HAVING count(*) > 1`,
  ),
  invariant(
    "events_handed_over",
    "while the dispatcher runs, every event is dispatched to its deliveries",
    `SELECT e.id AS subject, format('%s of %s has been waiting since %s', e.type, e.object_id, e.created_at) AS problem
     FROM event e WHERE e.dispatched_at IS NULL AND e.created_at < ${lastRun("dispatch-events")} - interval '3 minutes'`,
  ),
  invariant(
    "events_reach_endpoints",
    "a dispatched event has a delivery for each endpoint of its recipients",
    `SELECT e.id AS subject, format('%s has no delivery at %s', e.type, w.id) AS problem
     FROM (
       SELECT e.*, unnest(ARRAY[c.merchant_id, c.agent_client_id]) AS owner_id FROM event e JOIN charge c ON c.id = e.object_id
       UNION ALL
       SELECT e.*, unnest(ARRAY[c.merchant_id, c.agent_client_id]) FROM event e JOIN refund r ON r.id = e.object_id
         JOIN charge c ON c.id = r.charge_id
       UNION ALL
       SELECT e.*, unnest(ARRAY[c.merchant_id, c.agent_client_id]) FROM event e JOIN dispute d ON d.id = e.object_id
         JOIN charge c ON c.id = d.charge_id
       UNION ALL
       SELECT e.*, m.client_id FROM event e JOIN mandate m ON m.id = e.object_id
     ) e JOIN webhook_endpoint w ON w.owner_id = e.owner_id AND w.created_at < e.dispatched_at - interval '30 seconds'
     WHERE e.dispatched_at > now() - interval '29 days' AND NOT EXISTS (
       SELECT FROM webhook_delivery d WHERE d.endpoint_id = w.id AND d.created_at = e.dispatched_at AND d.event_id = e.id)`,
  ),
  invariant(
    "delivery_states",
    "a delivery's state follows from its attempts",
    `SELECT d.id AS subject, format('%s after %s attempts, %s on record', d.state, d.attempts, coalesce(a.made, 0)) AS problem
     FROM webhook_delivery d LEFT JOIN (
       SELECT delivery_id, delivery_at, count(*) AS made, bool_or(status BETWEEN 200 AND 299) AS has_arrived
       FROM webhook_attempt GROUP BY delivery_id, delivery_at
     ) a ON a.delivery_id = d.id AND a.delivery_at = d.created_at
     WHERE (d.state = 'delivered') <> coalesce(a.has_arrived, false) OR d.attempts <> coalesce(a.made, 0)
        OR (d.state IN ('delivered', 'failed') AND d.tried_at IS NULL)`,
  ),
  // Two workers' clocks may differ slightly.
  invariant(
    "delivery_order",
    "for each endpoint, the first attempts of the events of one object were sent in order",
    `SELECT later.id AS subject, format('event %s of %s went out before event %s', later.sequence, later.object_id, earlier.sequence) AS problem
     FROM webhook_delivery later
     JOIN webhook_attempt a ON a.delivery_id = later.id AND a.delivery_at = later.created_at AND a.number = 1
     JOIN webhook_delivery earlier ON earlier.endpoint_id = later.endpoint_id AND earlier.object_id = later.object_id
       AND earlier.sequence < later.sequence
     WHERE later.replay_of IS NULL AND earlier.replay_of IS NULL
       AND (earlier.tried_at > a.started_at + interval '2 seconds' OR (earlier.tried_at IS NULL AND earlier.state = 'pending'))`,
  ),
];
