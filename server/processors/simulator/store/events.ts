import type { DatabaseSync } from "node:sqlite";

export type DueEvent = { row: number; id: string; body: string; attempts: number };
type ListedEvent = { id: string; type: string; dueAt: number; attempts: number; deliveredAt: number | null };

/** Webhook events. Delivered ones are kept for an hour. An event is deleted after its last failed attempt. */
export const eventsOf = (db: DatabaseSync) => {
  const insert = db.prepare("INSERT INTO event (id, account, body, due_at) VALUES (?, ?, ?, ?)");
  const due = db.prepare(
    `SELECT row, id, body, attempts FROM event WHERE delivered_at IS NULL AND due_at <= ? ORDER BY due_at, row LIMIT ?`,
  );
  const next = db.prepare("SELECT min(due_at) AS at FROM event WHERE delivered_at IS NULL");
  const overdue = db.prepare("SELECT 1 FROM event WHERE account = ? AND delivered_at IS NULL AND due_at <= ? LIMIT 1");
  const deliver = db.prepare("UPDATE event SET delivered_at = ?, attempts = attempts + 1 WHERE row = ? AND id = ?");
  const postpone = db.prepare("UPDATE event SET due_at = ?, attempts = attempts + 1 WHERE row = ? AND id = ?");
  const hasten = db.prepare("UPDATE event SET due_at = ?, attempts = 0 WHERE delivered_at IS NULL AND due_at > ?1");
  const remove = db.prepare("DELETE FROM event WHERE row = ? AND id = ?");
  const forget = db.prepare("DELETE FROM event WHERE delivered_at < ?");
  const list = db.prepare(
    `SELECT id, body ->> '$.type' AS type, due_at AS dueAt, attempts, delivered_at AS deliveredAt FROM event
     WHERE account = ? ORDER BY row`,
  );
  return {
    queueEvent: (event: { id: string; account: string; body: string; dueAt: number }) =>
      void insert.run(event.id, event.account, event.body, event.dueAt),
    listDueEvents: (now: number, limit: number) => due.all(now, limit) as DueEvent[],
    nextEventAt: () => (next.get() as { at: number | null }).at,
    hasDueEvent: (account: string, now: number) => overdue.get(account, now) !== undefined,
    /** The id is compared too: after `clear`, rows are numbered from 1 again. */
    markDelivered: ({ row, id }: DueEvent, now: number) => void deliver.run(now, row, id),
    postponeEvent: ({ row, id }: DueEvent, dueAt: number) => void postpone.run(dueAt, row, id),
    /** Makes every delayed event due, with all of its attempts left. */
    hastenEvents: (now: number) => Number(hasten.run(now).changes),
    giveUpEvent: ({ row, id }: DueEvent) => void remove.run(row, id),
    forgetDelivered: (before: number) => void forget.run(before),
    listEvents: (account: string) => list.all(account) as ListedEvent[],
  };
};
