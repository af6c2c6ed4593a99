import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { coalesce } from "../../../data/coalesce.ts";
import { disputesOf } from "./disputes.ts";
import { eventsOf } from "./events.ts";
import { plannedFaultsOf } from "./planned-faults.ts";
import type { OperationResult, PaymentStatus, StoredOperation, StoredPayment } from "./records.ts";
import { prepareDatabase } from "./schema.ts";

const paymentColumns = `id, account, key, request_hash AS requestHash, status, amount, amount_captured AS amountCaptured,
  amount_refunded AS amountRefunded, currency, capture, payment_method AS paymentMethod, charge_id AS chargeId,
  decline_code AS declineCode, created_at AS createdAt`;
const operationColumns = `id, account, key, request_hash AS requestHash, payment_id AS paymentId, kind, amount, status,
  code, created_at AS createdAt`;

/** The simulator's records, durable before it answers. */
export const openStore = (dataDirectory: string) => {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(path.join(dataDirectory, "simulator.sqlite"));
  prepareDatabase(db);
  const together = togetherIn(db);
  const failOnce = db.prepare("INSERT INTO failed_once VALUES (?, ?) ON CONFLICT DO NOTHING");
  return {
    ...paymentsOf(db),
    ...operationsOf(db, together),
    ...disputesOf(db),
    ...eventsOf(db),
    ...plannedFaultsOf(db),
    /** True only for the first call with this key, even after a restart. */
    isFirstFailure: (account: string, key: string) => failOnce.run(account, key).changes === 1,
    /** Deletes everything, in one commit. */
    clear() {
      const emptied = ["event", "planned_fault", "dispute", "operation", "failed_once", "payment"];
      together(() => db.exec(emptied.map((table) => `DELETE FROM ${table};`).join(" ")));
    },
    together,
    soon: soonBy(together),
    close: () => db.close(),
  };
};

type Together = <T>(work: () => T) => T;

/** The writes of `work` are committed together, or not at all. */
const togetherIn =
  (db: DatabaseSync): Together =>
  (work) => {
    db.exec("BEGIN IMMEDIATE");
    try {
      const done = work();
      db.exec("COMMIT");
      return done;
    } catch (error) {
      // SQLite rolls back itself if the disk is full.
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  };

/**
 * Like `together`, but all concurrent requests share one commit. On a slow disk, more requests share a commit. If one
 * request fails, the commit is rolled back and each request is repeated alone, so `work` may be called twice.
 */
const soonBy = (together: Together): (<T>(work: () => T) => Promise<T>) => {
  const soon = coalesce(async (works: readonly (() => unknown)[]) =>
    together(() => works.map((work) => ({ done: work() }))),
  );
  return async <T>(work: () => T) => (await soon(work)).done as T;
};

export type Store = ReturnType<typeof openStore>;

const paymentsOf = (db: DatabaseSync) => {
  const byKey = db.prepare(`SELECT ${paymentColumns} FROM payment WHERE account = ? AND key = ?`);
  const byId = db.prepare(`SELECT ${paymentColumns} FROM payment WHERE id = ?`);
  const byCharge = db.prepare(`SELECT ${paymentColumns} FROM payment WHERE account = ? AND charge_id = ?`);
  const byAccount = db.prepare(
    `SELECT ${paymentColumns} FROM payment WHERE account = ? ORDER BY created_at, id LIMIT ? OFFSET ?`,
  );
  const insert = db.prepare(
    `INSERT INTO payment (id, account, key, request_hash, status, amount, amount_captured, amount_refunded, currency,
       capture, payment_method, charge_id, decline_code, created_at)
     VALUES (:id, :account, :key, :requestHash, :status, :amount, :amountCaptured, :amountRefunded, :currency, :capture,
       :paymentMethod, :chargeId, :declineCode, :createdAt) ON CONFLICT (account, key) DO NOTHING`,
  );
  const resolve = db.prepare(
    `UPDATE payment SET status = ?, decline_code = ?, amount_captured = CASE WHEN ?1 = 'succeeded' THEN amount ELSE 0 END
     WHERE id = ? AND status = 'requires_action'`,
  );
  // The rows have the types of the STRICT table.
  const one = (row: unknown) => (row ?? null) as StoredPayment | null;
  return {
    findByKey: (account: string, key: string) => one(byKey.get(account, key)),
    findById: (id: string) => one(byId.get(id)),
    findByCharge: (account: string, chargeId: string) => one(byCharge.get(account, chargeId)),
    list: (account: string, limit: number, offset: number) => byAccount.all(account, limit, offset) as StoredPayment[],
    /** At most one payment per account and key. */
    accept(payment: StoredPayment): StoredPayment {
      insert.run(payment);
      return one(byKey.get(payment.account, payment.key)) ?? payment;
    },
    /** The payer's answer to a payment that required action; only the first answer counts. */
    resolveAction: (id: string, status: PaymentStatus, declineCode: string | null) =>
      resolve.run(status, declineCode, id).changes === 1,
  };
};

const operationsOf = (db: DatabaseSync, together: Together) => {
  const byKey = db.prepare(`SELECT ${operationColumns} FROM operation WHERE account = ? AND key = ?`);
  const byId = db.prepare(`SELECT ${operationColumns} FROM operation WHERE account = ? AND id = ?`);
  const insert = db.prepare(
    `INSERT INTO operation (id, account, key, request_hash, payment_id, kind, amount, status, code, created_at)
     VALUES (:id, :account, :key, :requestHash, :paymentId, :kind, :amount, :status, :code, :createdAt)`,
  );
  const update = db.prepare("UPDATE payment SET status = ?, amount_captured = ?, amount_refunded = ? WHERE id = ?");
  const one = (row: unknown) => (row ?? null) as StoredOperation | null;
  return {
    findOperation: (account: string, key: string) => one(byKey.get(account, key)),
    findOperationById: (account: string, id: string) => one(byId.get(account, id)),
    /** The operation and the payment's change are one commit. */
    record: (operation: StoredOperation, payment: OperationResult["payment"]): void =>
      together(() => {
        insert.run(operation);
        if (payment) {
          update.run(payment.status, payment.amountCaptured, payment.amountRefunded, operation.paymentId);
        }
      }),
  };
};
