import type { DatabaseSync } from "node:sqlite";
import type { StoredDispute } from "./records.ts";

/** Disputes, open and closed. */
export const disputesOf = (db: DatabaseSync) => {
  const insert = db.prepare(
    `INSERT INTO dispute (id, account, payment_id, amount, reason, status, created_at)
     VALUES (:id, :account, :paymentId, :amount, :reason, :status, :createdAt)`,
  );
  const find = db.prepare(
    `SELECT id, account, payment_id AS paymentId, amount, reason, status, created_at AS createdAt FROM dispute
     WHERE account = ? AND id = ?`,
  );
  const close = db.prepare("UPDATE dispute SET status = ? WHERE account = ? AND id = ? AND status = 'open'");
  return {
    openDispute: (dispute: StoredDispute) => void insert.run(dispute),
    findDispute: (account: string, id: string) => (find.get(account, id) ?? null) as StoredDispute | null,
    /** False if it is already closed. */
    closeDispute: (account: string, id: string, status: "won" | "lost") => close.run(status, account, id).changes === 1,
  };
};
