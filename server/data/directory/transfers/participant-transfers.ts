import { type Sql, statement } from "../../client.ts";
import { type ParticipantStatus, participantStatus } from "../participants.ts";

export type TransferOutcome = "accepted" | "declined" | "cancelled" | "expired";

/** An offer of a merchant's entry to another merchant. */
export type TransferRow = {
  id: string;
  participantId: string;
  fromMerchantId: string;
  toMerchantId: string;
  offeredAt: Date;
  expiresAt: Date;
};

const columns = `t.id, t.participant_id AS "participantId", t.from_merchant_id AS "fromMerchantId",
       t.to_merchant_id AS "toMerchantId", t.offered_at AS "offeredAt", t.expires_at AS "expiresAt"`;

const insert = statement<{ id: string }>(
  "insert_participant_transfer",
  `INSERT INTO participant_transfer (id, participant_id, from_merchant_id, to_merchant_id, state, offered_by, offered_at, expires_at)
   VALUES ($1, $2, $3, $4, 'offered', $5, $6::timestamptz, $7::timestamptz)
   ON CONFLICT (participant_id) WHERE state = 'offered' DO NOTHING RETURNING id`,
);

/** @returns false if an offer of the entry is open. */
export const insertTransfer = async (sql: Sql, transfer: TransferRow & { offeredBy: string }): Promise<boolean> => {
  const { id, participantId, fromMerchantId, toMerchantId, offeredBy, offeredAt, expiresAt } = transfer;
  const row = [id, participantId, fromMerchantId, toMerchantId, offeredBy, offeredAt, expiresAt];
  return (await sql.query(insert, row)).length === 1;
};

const countOffers = statement<{ count: number }>(
  "count_participant_transfers",
  "SELECT count(*)::int AS count FROM participant_transfer WHERE from_merchant_id = $1 AND offered_at > $2::timestamptz",
);

/** Counts the offers that a merchant made after `since`, including offers that have ended. */
export const countTransfersSince = async (sql: Sql, merchantId: string, since: Date): Promise<number> =>
  (await sql.query(countOffers, [merchantId, since]))[0]?.count ?? 0;

const end = statement<TransferRow>(
  "end_participant_transfer",
  `UPDATE participant_transfer t SET state = $4, ended_by = $5, ended_at = $6::timestamptz
    WHERE t.id = $1 AND t.state = 'offered' AND t.expires_at > $6::timestamptz
      AND ($2::text IS NULL OR t.from_merchant_id = $2) AND ($3::text IS NULL OR t.to_merchant_id = $3)
   RETURNING ${columns}`,
);

type Ending = {
  id: string;
  /** the merchant that ends it: one of the two sides */
  side: { fromMerchantId: string } | { toMerchantId: string };
  outcome: Exclude<TransferOutcome, "expired">;
  /** account of the member */
  endedBy: string;
  at: Date;
};

/**
 * Ends an open offer. At most one caller gets the offer. Every other caller gets null, including callers of other
 * merchants.
 */
export const endTransfer = async (
  sql: Sql,
  { id, side, outcome, endedBy, at }: Ending,
): Promise<TransferRow | null> => {
  const sides =
    "fromMerchantId" in side ? ([side.fromMerchantId, null] as const) : ([null, side.toMerchantId] as const);
  return (await sql.query(end, [id, ...sides, outcome, endedBy, at]))[0] ?? null;
};

const expire = statement<TransferRow>(
  "expire_participant_transfer",
  `UPDATE participant_transfer t SET state = 'expired', ended_at = $1::timestamptz
    WHERE t.id = (SELECT d.id FROM participant_transfer d
      WHERE d.state = 'offered' AND d.expires_at <= $1::timestamptz AND ($2::text IS NULL OR d.participant_id = $2)
      ORDER BY d.expires_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING ${columns}`,
);

/** Ends an offer that has expired. Two callers never get the same one. @param participantId null: of any entry. */
export const expireTransfer = async (
  sql: Sql,
  { participantId, at }: { participantId: string | null; at: Date },
): Promise<TransferRow | null> => (await sql.query(expire, [at, participantId]))[0] ?? null;

const findOpen = statement<{ id: string }>(
  "find_open_participant_transfer",
  "SELECT id FROM participant_transfer WHERE participant_id = $1 AND state = 'offered' AND expires_at > $2::timestamptz",
);

/** Whether an offer of the entry is open. */
export const hasOpenTransfer = async (sql: Sql, participantId: string, at: Date): Promise<boolean> =>
  (await sql.query(findOpen, [participantId, at])).length === 1;

/** An open offer, as its two sides see it. */
export type OpenTransfer = Pick<TransferRow, "id" | "participantId" | "offeredAt" | "expiresAt"> & {
  /** of the entry */
  displayName: string;
  status: ParticipantStatus;
  /** verified domains of the entry */
  domains: string[];
  fromMerchantId: string;
  fromName: string;
  toMerchantId: string;
  toName: string;
};

const listed = `SELECT ${columns}, p.display_name AS "displayName", ${participantStatus} AS status, m.display_name AS "fromName",
         r.display_name AS "toName",
         ARRAY(SELECT d.domain FROM participant_domain d WHERE d.participant_id = p.id AND d.verified_at IS NOT NULL ORDER BY 1) AS domains
    FROM participant_transfer t JOIN participant p ON p.id = t.participant_id
    JOIN merchant m ON m.id = t.from_merchant_id JOIN merchant r ON r.id = t.to_merchant_id
   WHERE t.state = 'offered' AND t.expires_at > $2::timestamptz`;

const findMade = statement<OpenTransfer>(
  "find_made_participant_transfer",
  `${listed} AND t.from_merchant_id = $1 AND p.merchant_id = $1`,
);
const findReceived = statement<OpenTransfer>(
  "list_received_participant_transfers",
  `${listed} AND t.to_merchant_id = $1 ORDER BY t.offered_at, t.id LIMIT $3::int`,
);

type OpenQuery = { merchantId: string; at: Date };

/** The open offer of a merchant's own entry. */
export const findMadeTransfer = async (sql: Sql, { merchantId, at }: OpenQuery): Promise<OpenTransfer | null> =>
  (await sql.query(findMade, [merchantId, at]))[0] ?? null;

/** The open offers to a merchant, oldest first. */
export const listReceivedTransfers = (
  sql: Sql,
  { merchantId, at, limit }: OpenQuery & { limit: number },
): Promise<OpenTransfer[]> => sql.query(findReceived, [merchantId, at, limit]);
