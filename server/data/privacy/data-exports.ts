import { type Db, type Sql, statement, type Tx } from "../client.ts";

export type DataExportRow = { id: string; requestedAt: Date; readyAt: Date | null; expiresAt: Date };

const request = statement<{ id: string }>(
  "insert_data_export",
  `INSERT INTO data_export (id, account_id, requested_at, expires_at) VALUES ($1, $2, $3::timestamptz, $4::timestamptz)
   ON CONFLICT (account_id) WHERE ready_at IS NULL DO NOTHING RETURNING id`,
);

/** @returns false if an export of this account is already being prepared. */
export const insertDataExport = async (
  sql: Sql,
  { id, accountId, at, expiresAt }: { id: string; accountId: string; at: Date; expiresAt: Date },
): Promise<boolean> => (await sql.query(request, [id, accountId, at, expiresAt])).length === 1;

const findRecent = statement<DataExportRow>(
  "find_data_exports",
  `SELECT id, requested_at AS "requestedAt", ready_at AS "readyAt", expires_at AS "expiresAt" FROM data_export
    WHERE account_id = $1 AND expires_at > $2::timestamptz ORDER BY requested_at DESC, id DESC LIMIT 10`,
);

/** At most ten, newest first, without expired ones. */
export const findDataExports = (sql: Sql, accountId: string, now: Date): Promise<DataExportRow[]> =>
  sql.query(findRecent, [accountId, now]);

const claim = statement<{ id: string; accountId: string }>(
  "claim_data_export",
  `UPDATE data_export SET lease_until = $2::timestamptz WHERE id = (
     SELECT id FROM data_export WHERE ready_at IS NULL AND (lease_until IS NULL OR lease_until < $1::timestamptz)
     ORDER BY requested_at LIMIT 1 FOR UPDATE SKIP LOCKED
   ) RETURNING id, account_id AS "accountId"`,
);

/** Claims the oldest open export that no running worker prepares. */
export const claimDataExport = async (
  sql: Sql,
  { now, leaseUntil }: { now: Date; leaseUntil: Date },
): Promise<{ id: string; accountId: string } | null> => (await sql.query(claim, [now, leaseUntil]))[0] ?? null;

/** @returns false if another worker completed it first. */
export const completeDataExport = async (
  tx: Tx,
  { id, content, now, expiresAt }: { id: string; content: Uint8Array<ArrayBuffer>; now: Date; expiresAt: Date },
): Promise<boolean> => {
  const { count } = await tx.dataExport.updateMany({
    where: { id, readyAt: null },
    data: { content, readyAt: now, expiresAt, leaseUntil: null },
  });
  return count === 1;
};

/** @returns null if the account has no such export, or if the export isn't ready or has expired. */
export const findDataExportContent = async (
  db: Db,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<Uint8Array | null> =>
  (
    await db.prisma.dataExport.findFirst({
      where: { id, accountId, expiresAt: { gt: now } },
      select: { content: true },
    })
  )?.content ?? null;
