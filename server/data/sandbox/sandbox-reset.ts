import { type Sql, sqlState, statement, type Tx } from "../client.ts";

/**
 * Tables that are not truncated: the environment and the schema version of the database; the list of production's keys,
 * which the sandbox must still refuse; and the ends of the audit chain, which the reset handles separately.
 */
const keptTables = [
  "environment",
  "_prisma_migrations",
  "foreign_client_key",
  "foreign_client_key_list",
  "audit_chain",
];

const setLockTimeout = statement<never>("set_reset_lock_timeout", "SET LOCAL lock_timeout = '2s'");
const begin = statement<{ kind: string }>(
  "begin_sandbox_reset",
  `UPDATE environment SET reset_begun_at = $1::timestamptz, clock_offset_ms = 0 WHERE id = 1 AND kind = 'sandbox' RETURNING kind`,
);
const listTables = statement<{ name: string }>(
  "list_tables_to_empty",
  `SELECT quote_ident(c.relname) AS name FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND NOT c.relname = ANY ($1::text[])
    ORDER BY c.relname`,
);
/** Lists the triggers that prevent the truncation of a log. In `tgtype`, bit 32 means TRUNCATE. */
const listTriggers = statement<{ trigger: string; table: string }>(
  "list_truncate_triggers",
  `SELECT quote_ident(t.tgname) AS trigger, t.tgrelid::regclass::text AS table FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal AND t.tgtype & 32 <> 0`,
);
const restartChains = statement<never>(
  "restart_audit_chains",
  `UPDATE audit_chain SET number = DEFAULT, hash = DEFAULT, to_seq = DEFAULT, made_at = DEFAULT, base_number = DEFAULT,
     base_hash = DEFAULT, base_to_seq = DEFAULT, base_made_at = DEFAULT`,
);

/**
 * Empties the sandbox and sets its clock back to real time, in the caller's transaction. The reset is marked as begun
 * until `finishReset`.
 * @throws Error on a database that isn't a sandbox's.
 */
export const emptySandbox = async (tx: Tx, at: Date): Promise<void> => {
  if ((await tx.sql.query(begin, [at])).length === 0) throw new Error("this database is not a sandbox's");
  await tx.sql.query(setLockTimeout, []);
  const tables = (await tx.sql.query(listTables, [keptTables])).map(({ name }) => name);
  const triggers = await tx.sql.query(listTriggers, []);
  const switchTriggers = async (verb: "DISABLE" | "ENABLE") => {
    for (const { trigger, table } of triggers) {
      await tx.$executeRawUnsafe(`ALTER TABLE ${table} ${verb} TRIGGER ${trigger}`);
    }
  };
  await switchTriggers("DISABLE");
  await tx.$executeRawUnsafe(`TRUNCATE ${tables.join(", ")}`);
  await switchTriggers("ENABLE");
  await tx.sql.query(restartChains, []);
};

/** SQLSTATE lock_not_available, deadlock_detected: another transaction was active, and the reset can be retried. */
const passing = new Set(["55P03", "40P01"]);
export const isPassingLock = (error: unknown): boolean => passing.has(sqlState(error) ?? "");

const finish = statement<never>("finish_sandbox_reset", "UPDATE environment SET reset_begun_at = NULL WHERE id = 1");

export const finishReset = async (sql: Sql): Promise<void> => {
  await sql.query(finish, []);
};

const unfinished = statement<{ isUnfinished: boolean }>(
  "is_sandbox_reset_unfinished",
  `SELECT reset_begun_at IS NOT NULL AS "isUnfinished" FROM environment WHERE id = 1`,
);

const findReset = statement<{ found: boolean }>(
  "find_sandbox_reset",
  "SELECT EXISTS (SELECT FROM audit_entry WHERE action = 'sandbox.reset' AND subject_id = 'sandbox' AND at >= $1::timestamptz) AS found",
);

/** Whether any process has begun a reset since the given time. */
export const wasResetSince = async (sql: Sql, since: Date): Promise<boolean> =>
  (await sql.query(findReset, [since]))[0]?.found ?? false;

/** Whether a reset was begun and not completed; it may be in progress. */
export const isResetUnfinished = async (sql: Sql): Promise<boolean> =>
  (await sql.query(unfinished, []))[0]?.isUnfinished ?? false;
