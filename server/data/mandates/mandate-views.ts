import { type Db, type Sql, statement } from "../client.ts";
import { fromStored, type StoredLimit } from "./mandates.ts";

const viewSelect = {
  id: true,
  grantId: true,
  state: true,
  version: true,
  suspendedBy: true,
  details: true,
  currency: true,
  purpose: true,
  maxAmountPerPayment: true,
  maxTotalAmount: true,
  maxPayments: true,
  periodicLimits: true,
  timeZone: true,
  payeeMerchantIds: true,
  payeeCategories: true,
  validFrom: true,
  validUntil: true,
  stepUpAbove: true,
  budgetVisible: true,
  usedAmount: true,
  heldAmount: true,
  usedCount: true,
  heldCount: true,
  createdAt: true,
  endedAt: true,
  client: { select: { id: true, name: true } },
  paymentMethod: { select: { id: true, label: true, removedAt: true } },
} as const;

/**
 * The payer's mandates among `mandateIds`, except rejected ones, newest first. Each has the counters of the periods
 * that contain `at`.
 */
export const findPayerMandates = async (
  db: Db,
  input: { payerId: string; mandateIds: readonly string[]; at: Date },
) => {
  const rows = await db.prisma.mandate.findMany({
    where: { payerId: input.payerId, state: { not: "rejected" }, id: { in: [...input.mandateIds] } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { ...viewSelect, periods: { where: { startsAt: { lte: input.at }, endsAt: { gt: input.at } } } },
  });
  return rows.map((row) => ({
    ...row,
    // Only our own statements write this column, and they write only stored limits.
    periodicLimits: (row.periodicLimits as StoredLimit[]).map(fromStored),
  }));
};

/** @returns display names by id. */
export const findMerchantNames = async (db: Db, ids: readonly string[]): Promise<Map<string, string>> => {
  const rows = await db.prisma.merchant.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, displayName: true },
  });
  return new Map(rows.map(({ id, displayName }) => [id, displayName]));
};

const versions = statement<{ version: number; details: unknown }>(
  "find_mandate_versions",
  "SELECT version, details FROM mandate_version WHERE mandate_id = $1 ORDER BY version DESC LIMIT $2::int",
);

/** The terms of each version, newest first. */
export const findMandateVersions = (
  sql: Sql,
  mandateId: string,
  limit: number,
): Promise<{ version: number; details: unknown }[]> => sql.query(versions, [mandateId, limit]);

export type TimelineEntry = {
  at: Date;
  actorKind: string;
  action: string;
  data: unknown;
  /** the merchant whose charge was refused; null for other entries */
  merchantName: string | null;
};

const timeline = statement<TimelineEntry>(
  "mandate_timeline",
  `SELECT e.at, e.actor_kind AS "actorKind", e.action, e.data, m.display_name AS "merchantName"
     FROM audit_entry e LEFT JOIN merchant m ON e.action = 'charge.refused' AND m.id = e.data ->> 'merchant_id'
    WHERE e.subject_id = $1 ORDER BY e.at DESC, e.seq DESC LIMIT $2::int`,
);

/** Newest first. */
export const findMandateTimeline = (sql: Sql, mandateId: string, limit: number): Promise<TimelineEntry[]> =>
  sql.query(timeline, [mandateId, limit]);
