import { type ChargeRow, type ChargeState, chargeColumns, type Decline, type NextAction } from "./charges.ts";
import { type Db, type Sql, statement } from "./client.ts";
import { spanOf } from "./dated.ts";

type Page = { limit: number; startingAfter: string | null };

const listStatement = (name: string, owner: string) =>
  statement<ChargeRow>(
    name,
    `SELECT ${chargeColumns} FROM charge c WHERE ${owner} = $1
       AND ($2::text IS NULL OR (c.created_at, c.id) < (SELECT a.created_at, a.id FROM charge a
       WHERE a.id = $2 AND a.created_at BETWEEN $4::timestamptz AND $5::timestamptz))
     ORDER BY c.created_at DESC, c.id DESC LIMIT $3::int`,
  );
const listOfMerchant = listStatement("list_charges_of_merchant", "c.merchant_id");
const listOfMandate = listStatement("list_charges_of_mandate", "c.mandate_id");

/** Newest first. One more than `limit` where there are more. */
export const findMerchantCharges = (sql: Sql, merchantId: string, page: Page): Promise<ChargeRow[]> =>
  sql.query(listOfMerchant, [merchantId, page.startingAfter, page.limit + 1, ...spanOf(page.startingAfter ?? "")]);
export const findMandateCharges = (sql: Sql, mandateId: string, page: Page): Promise<ChargeRow[]> =>
  sql.query(listOfMandate, [mandateId, page.startingAfter, page.limit + 1, ...spanOf(page.startingAfter ?? "")]);

/** A charge with the names that its payer knows. */
const payerColumns = {
  ...{ id: true, state: true, amount: true, currency: true, amountCaptured: true, amountRefunded: true },
  ...{ reference: true, decline: true, nextAction: true, createdAt: true, mandateId: true },
  ...{ approvedAt: true, captureMethod: true, payerPresence: true, processor: true, paymentMethodRef: true },
  merchant: { select: { id: true, displayName: true, suspendedAt: true } },
  mandate: { select: { purpose: true, client: { select: { id: true, name: true } } } },
} as const;

// Both are written by this folder alone.
const withJson = <Row extends { decline: unknown; nextAction: unknown }>(row: Row) => ({
  ...row,
  decline: row.decline as Decline | null,
  nextAction: row.nextAction as NextAction | null,
});

/** For the wallet: newest first, with the names that the payer knows. One more than `limit` where there are more. */
export const findPayerCharges = async (
  db: Db,
  input: { payerId: string; mandateId: string | null; states: readonly ChargeState[] | null } & Page,
) => {
  const rows = await db.prisma.charge.findMany({
    where: {
      payerId: input.payerId,
      ...(input.mandateId === null ? {} : { mandateId: input.mandateId }),
      ...(input.states === null ? {} : { state: { in: [...input.states] } }),
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: input.limit + 1,
    ...(input.startingAfter === null ? {} : { cursor: { id: input.startingAfter }, skip: 1 }),
    select: payerColumns,
  });
  return rows.map(withJson);
};

/** @returns null where the payer has no such charge. */
export const findPayerCharge = async (db: Db, input: { payerId: string; chargeId: string }) => {
  const [gte, lte] = spanOf(input.chargeId);
  const createdAt = gte.startsWith("-") ? {} : { createdAt: { gte, lte } };
  const where = { id: input.chargeId, payerId: input.payerId, ...createdAt };
  const row = await db.prisma.charge.findFirst({ where, select: payerColumns });
  return row && withJson(row);
};

/** What waits for the payer and hasn't lapsed, oldest first, among the charges made since `since`. */
export const findPayerChargesToActOn = async (
  db: Db,
  input: { payerId: string; since: Date; now: Date; limit: number },
) => {
  const { payerId, since, now, limit } = input;
  const where = { payerId, state: "requires_action", createdAt: { gte: since }, expiresAt: { gt: now } } as const;
  const rows = await db.prisma.charge.findMany({
    ...{ where, select: payerColumns, take: limit },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map(withJson);
};
