import { type Sql, statement } from "../client.ts";
import { type ParticipantStatus, participantStatus } from "./participants.ts";

type NewSoftwareStatement = {
  id: string;
  participantId: string;
  softwareId: string;
  clientName: string;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
};

const insert = statement<never>(
  "insert_software_statement",
  `INSERT INTO software_statement (id, participant_id, software_id, client_name, created_by, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6::timestamptz, $7::timestamptz)`,
);

export const insertSoftwareStatement = async (sql: Sql, row: NewSoftwareStatement): Promise<void> => {
  const { id, participantId, softwareId, clientName, createdBy, createdAt, expiresAt } = row;
  await sql.query(insert, [id, participantId, softwareId, clientName, createdBy, createdAt, expiresAt]);
};

const countValid = statement<{ count: number }>(
  "count_valid_software_statements",
  `SELECT count(*)::int AS count FROM software_statement
    WHERE participant_id = $1 AND expires_at > $2::timestamptz AND revoked_at IS NULL`,
);

export const countValidSoftwareStatements = async (sql: Sql, participantId: string, now: Date): Promise<number> =>
  (await sql.query(countValid, [participantId, now]))[0]?.count ?? 0;

export type StatementStanding = {
  participantStatus: ParticipantStatus;
  verifiedDomains: string[];
  isRevoked: boolean;
};

const findStanding = statement<StatementStanding>(
  "find_software_statement_standing",
  `SELECT ${participantStatus} AS "participantStatus", s.revoked_at IS NOT NULL AS "isRevoked",
          ARRAY(SELECT d.domain FROM participant_domain d WHERE d.participant_id = p.id AND d.verified_at IS NOT NULL) AS "verifiedDomains"
     FROM software_statement s JOIN participant p ON p.id = s.participant_id LEFT JOIN merchant m ON m.id = p.merchant_id
    WHERE s.id = $1 AND s.participant_id = $2`,
);

/** @returns null for a statement that isn't recorded for this participant. */
export const findStatementStanding = async (
  sql: Sql,
  { id, participantId }: { id: string; participantId: string },
): Promise<StatementStanding | null> => (await sql.query(findStanding, [id, participantId]))[0] ?? null;

const findMerchant = statement<{ merchantId: string | null }>(
  "find_software_statement_merchant",
  `SELECT p.merchant_id AS "merchantId" FROM software_statement s JOIN participant p ON p.id = s.participant_id
    WHERE s.id = $1`,
);

/** The merchant whose participant has the statement; null for an unknown one, or if the participant has no merchant. */
export const findStatementMerchant = async (sql: Sql, id: string): Promise<string | null> =>
  (await sql.query(findMerchant, [id]))[0]?.merchantId ?? null;

/** `maker`: the name of the account that requested the statement; null if no account did. */
export type ListedSoftwareStatement = Omit<NewSoftwareStatement, "participantId" | "createdBy"> & {
  revokedAt: Date | null;
  maker: string | null;
};

const list = statement<ListedSoftwareStatement>(
  "list_software_statements",
  `SELECT s.id, s.software_id AS "softwareId", s.client_name AS "clientName", s.created_at AS "createdAt",
          s.expires_at AS "expiresAt", s.revoked_at AS "revokedAt", a.display_name AS maker
     FROM participant p JOIN software_statement s ON s.participant_id = p.id LEFT JOIN account a ON a.id = s.created_by
    WHERE p.merchant_id = $1
      AND ($2::text IS NULL OR (s.created_at, s.id) < (SELECT b.created_at, b.id FROM software_statement b
           WHERE b.id = $2 AND b.participant_id = p.id))
    ORDER BY s.created_at DESC, s.id DESC LIMIT $3::int`,
);

/** Newest first. Returns `limit` + 1 if there are more. */
export const findSoftwareStatements = (
  sql: Sql,
  { merchantId, startingAfter, limit }: { merchantId: string; startingAfter: string | null; limit: number },
): Promise<ListedSoftwareStatement[]> => sql.query(list, [merchantId, startingAfter, limit + 1]);

const revoke = statement<{ participantId: string }>(
  "revoke_software_statement",
  `UPDATE software_statement SET revoked_at = $2::timestamptz WHERE id = $1 AND revoked_at IS NULL
   RETURNING participant_id AS "participantId"`,
);

/** At most one caller gets the participant. @returns null if the statement is already revoked. */
export const markStatementRevoked = async (sql: Sql, id: string, at: Date): Promise<string | null> =>
  (await sql.query(revoke, [id, at]))[0]?.participantId ?? null;
