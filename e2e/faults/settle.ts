import { type Db, statement } from "#server/data/client.ts";
import { waitUntil } from "../support/wait-until.ts";

/** What the reconciler still has to complete. */
const isOpen = "state IN ('reserved', 'submitted', 'processing', 'unknown') OR pending_act IS NOT NULL";

const countOpen = statement<{ what: string; open: number }>(
  "count_what_is_open",
  `SELECT * FROM (
     SELECT 'charges' AS what, count(*)::int AS open FROM charge WHERE ${isOpen}
     UNION ALL SELECT 'refunds', count(*)::int FROM refund WHERE status = 'pending'
     UNION ALL SELECT 'events', count(*)::int FROM event WHERE dispatched_at IS NULL
     UNION ALL SELECT 'deliveries', count(*)::int FROM webhook_delivery WHERE state = 'pending'
   ) o WHERE open > 0`,
);

const openCharges = `SELECT id, state, pending_act, submitted_at, next_lookup_at, lookups, not_found_at, expires_at, lease_until, processor_ref,
    metadata, array(SELECT action || ' ' || data::text FROM audit_entry a WHERE a.subject_id = charge.id ORDER BY seq) AS log
  FROM charge WHERE ${isOpen} OR state = 'requires_action' LIMIT 5`;

/** Retries are up to 29 hours apart, too long for a run. */
const retry = `UPDATE webhook_delivery SET next_attempt_at = now()
  WHERE state = 'pending' AND tried_at IS NOT NULL AND next_attempt_at > now()`;
const age = [
  `UPDATE charge SET next_lookup_at = least(next_lookup_at, now()), submitted_at = submitted_at - interval '1 minute',
     not_found_at = not_found_at - interval '1 minute'
   WHERE ${isOpen} OR (state = 'requires_action' AND submitted_at IS NOT NULL)`,
  "UPDATE refund SET next_lookup_at = least(next_lookup_at, now()) WHERE status = 'pending'",
  "UPDATE webhook_delivery SET next_attempt_at = now() WHERE state = 'pending' AND next_attempt_at > now()",
];
const ageEveryMilliseconds = 1_500;

/**
 * Waits until the reconciler and the senders have completed everything. Webhooks are retried without pauses.
 * @param listPending other pending work, in words; called repeatedly.
 * @param isHastened true: simulates that minutes pass, because look-ups are minutes apart and the caller can't wait.
 *   In this case, the caller must have no request in progress.
 */
export const awaitSettled = async (
  db: Db,
  input: { seconds: number; isHastened: boolean; listPending: () => Promise<string[]> },
): Promise<void> => {
  const { seconds, isHastened, listPending } = input;
  let open: readonly unknown[] = [];
  // An aborted request may be in progress for as long as the service waits for a processor.
  let agedAt = Date.now() + 9_000;
  const isSettled = async (): Promise<boolean> => {
    if (Date.now() - agedAt > ageEveryMilliseconds) {
      agedAt = Date.now();
      for (const text of isHastened ? age : [retry]) await db.prisma.$executeRawUnsafe(text);
    }
    open = await db.sql.query(countOpen, []);
    if (open.length > 0) return false;
    open = await listPending();
    if (open.length > 0) return false;
    // The last changes create events too.
    open = await db.sql.query(countOpen, []);
    return open.length === 0;
  };
  const isSettledOrDown = () =>
    isSettled().catch((error: unknown) => {
      // A process that was just killed may not be running yet.
      open = [String(error)];
      return false;
    });
  await waitUntil(isSettledOrDown, seconds).catch(async (error: Error) => {
    const charges = await db.prisma.$queryRawUnsafe(openCharges);
    throw new Error(`${error.message}; open: ${JSON.stringify([...open, charges])}`);
  });
};
