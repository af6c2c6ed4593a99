import type { DatabaseSync } from "node:sqlite";

/** Migrations in order; the database stores how many were applied. A released migration is never edited. */
const migrations: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS payment (
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
   CREATE TABLE IF NOT EXISTS failed_once (account TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (account, key)) STRICT;`,
  `ALTER TABLE payment ADD COLUMN amount_captured INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE payment ADD COLUMN amount_refunded INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE payment ADD COLUMN capture TEXT NOT NULL DEFAULT 'automatic';
   UPDATE payment SET amount_captured = amount WHERE status = 'succeeded';
   CREATE TABLE operation (
     id TEXT PRIMARY KEY,
     account TEXT NOT NULL,
     key TEXT NOT NULL,
     request_hash TEXT NOT NULL,
     payment_id TEXT NOT NULL REFERENCES payment (id),
     kind TEXT NOT NULL,
     amount INTEGER NOT NULL,
     status TEXT NOT NULL,
     code TEXT,
     created_at INTEGER NOT NULL,
     UNIQUE (account, key)
   ) STRICT;`,
  `CREATE TABLE event (
     row INTEGER PRIMARY KEY,
     id TEXT NOT NULL,
     account TEXT NOT NULL,
     body TEXT NOT NULL,
     due_at INTEGER NOT NULL,
     attempts INTEGER NOT NULL DEFAULT 0,
     delivered_at INTEGER
   ) STRICT;
   CREATE INDEX event_due ON event (due_at) WHERE delivered_at IS NULL;
   CREATE TABLE planned_fault (
     id INTEGER PRIMARY KEY,
     account TEXT,
     call TEXT NOT NULL,
     fault TEXT NOT NULL,
     times INTEGER NOT NULL
   ) STRICT;`,
  `CREATE TABLE dispute (
     id TEXT PRIMARY KEY,
     account TEXT NOT NULL,
     payment_id TEXT NOT NULL REFERENCES payment (id),
     amount INTEGER NOT NULL,
     reason TEXT NOT NULL,
     status TEXT NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT;`,
  `CREATE INDEX event_delivered ON event (delivered_at) WHERE delivered_at IS NOT NULL;
   CREATE INDEX payment_charge ON payment (account, charge_id);`,
];

/** FULL syncs every commit to disk before the answer. */
export const prepareDatabase = (db: DatabaseSync): void => {
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
  const { user_version: done } = db.prepare("PRAGMA user_version").get() as { user_version: number };
  for (let version = done; version < migrations.length; version += 1) {
    db.exec(`BEGIN; ${migrations[version]} PRAGMA user_version = ${version + 1}; COMMIT;`);
  }
};
