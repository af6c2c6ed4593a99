import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

export type PaymentStatus = "succeeded" | "authorized" | "processing" | "requires_action" | "declined";

export type StoredPayment = {
  id: string;
  account: string;
  key: string;
  requestHash: string;
  status: PaymentStatus;
  amount: number;
  currency: string;
  paymentMethod: string;
  chargeId: string;
  declineCode: string | null;
  createdAt: number;
};

/** The simulator's own books, durable before it answers: FULL makes every commit reach the disk. */
export const openStore = (dataDirectory: string) => {
  mkdirSync(dataDirectory, { recursive: true });
  const db = new DatabaseSync(path.join(dataDirectory, "simulator.sqlite"));
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS payment (
      id TEXT PRIMARY KEY,
      account TEXT NOT NULL,
      key TEXT NOT NULL,
      request_hash TEXT NOT NULL,
      status TEXT NOT NULL,
      amount INTEGER NOT NULL,
      currency TEXT NOT NULL,
      payment_method TEXT NOT NULL,
      charge_id TEXT NOT NULL,
      decline_code TEXT,
      created_at INTEGER NOT NULL,
      UNIQUE (account, key)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS failed_once (account TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (account, key)) STRICT;
  `);
  const columns = `id, account, key, request_hash AS requestHash, status, amount, currency, payment_method AS paymentMethod,
    charge_id AS chargeId, decline_code AS declineCode, created_at AS createdAt`;
  const byKey = db.prepare(`SELECT ${columns} FROM payment WHERE account = ? AND key = ?`);
  const byId = db.prepare(`SELECT ${columns} FROM payment WHERE id = ?`);
  const byAccount = db.prepare(
    `SELECT ${columns} FROM payment WHERE account = ? ORDER BY created_at, id LIMIT ? OFFSET ?`,
  );
  const insert = db.prepare(
    `INSERT INTO payment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account, key) DO NOTHING`,
  );
  const update = db.prepare(
    "UPDATE payment SET status = ?, decline_code = ? WHERE id = ? AND status = 'requires_action'",
  );
  const failOnce = db.prepare("INSERT INTO failed_once VALUES (?, ?) ON CONFLICT DO NOTHING");
  // The rows are this table's, as STRICT holds them.
  const one = (row: unknown) => (row ?? null) as StoredPayment | null;

  return {
    findByKey: (account: string, key: string) => one(byKey.get(account, key)),
    findById: (id: string) => one(byId.get(id)),
    list: (account: string, limit: number, offset: number) => byAccount.all(account, limit, offset) as StoredPayment[],
    /** At most one payment per account and key. */
    accept(payment: StoredPayment): StoredPayment {
      const {
        id,
        account,
        key,
        requestHash,
        status,
        amount,
        currency,
        paymentMethod,
        chargeId,
        declineCode,
        createdAt,
      } = payment;
      insert.run(
        id,
        account,
        key,
        requestHash,
        status,
        amount,
        currency,
        paymentMethod,
        chargeId,
        declineCode,
        createdAt,
      );
      return one(byKey.get(account, key)) ?? payment;
    },
    /** What the payer did about a payment that waited for it; only the first answer counts. */
    resolveAction: (id: string, status: PaymentStatus, declineCode: string | null) =>
      update.run(status, declineCode, id).changes === 1,
    /** True for the first call with this key only, also after a restart. */
    isFirstFailure: (account: string, key: string) => failOnce.run(account, key).changes === 1,
    close: () => db.close(),
  };
};

export type Store = ReturnType<typeof openStore>;
