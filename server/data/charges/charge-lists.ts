import type { ChargeState, Decline, NextAction } from "../../charges/rules/charge-states.ts";
import type { Page } from "../../kernel/pagination.ts";
import type { Db, Sql } from "../client.ts";
import { spanOf } from "../dated.ts";
import { createdFilters, equalFilter, findList, type ListFilter } from "../find-list.ts";
import { type ChargeRow, chargeColumns } from "./charges.ts";

export type ChargeFilters = {
  status: ChargeState | null;
  reference: string | null;
  createdFrom: Date | null;
  createdTo: Date | null;
};

const select = `SELECT ${chargeColumns} FROM charge c`;
const order = ["c.created_at", "c.id"] as const;

const filtersOf = ({ status, reference, ...created }: ChargeFilters): ListFilter[] => [
  ...(status === null
    ? []
    : [{ key: "status", sql: (value: string) => `c.state = ${value}::charge_state`, value: status }]),
  ...equalFilter("reference", "c.reference", reference),
  ...createdFilters("c.created_at", created),
];

/**
 * A mandate has far fewer charges than a merchant. PostgreSQL plans with averages, and may still read all of the
 * merchant's charges in order of time. `merchant_id || ''` is an expression without an index, so PostgreSQL has to use
 * the mandate's index.
 */
const ownersOf = (merchantId: string, mandateId: string | null): ListFilter[] =>
  mandateId === null
    ? equalFilter("merchant", "c.merchant_id", merchantId)
    : [
        ...equalFilter("mandate", "c.mandate_id", mandateId),
        ...equalFilter("merchant", "(c.merchant_id || '')", merchantId),
      ];

/** Newest first (findList). */
export const findMerchantCharges = (
  sql: Sql,
  {
    merchantId,
    mandateId,
    page,
    ...given
  }: ChargeFilters & { merchantId: string; mandateId: string | null; page: Page },
): Promise<ChargeRow[]> => {
  const filters = [...ownersOf(merchantId, mandateId), ...filtersOf(given)];
  return findList(sql, { name: "charges", select, order, filters, page });
};

/** Newest first (findList). */
export const findMandateCharges = (
  sql: Sql,
  { mandateId, page, ...given }: ChargeFilters & { mandateId: string; page: Page },
): Promise<ChargeRow[]> => {
  const filters = [...equalFilter("mandate", "c.mandate_id", mandateId), ...filtersOf(given)];
  return findList(sql, { name: "charges", select, order, filters, page });
};

/** A charge with the names that its payer knows. */
const payerColumns = {
  id: true,
  state: true,
  amount: true,
  currency: true,
  amountCaptured: true,
  amountRefunded: true,
  reference: true,
  decline: true,
  nextAction: true,
  createdAt: true,
  mandateId: true,
  approvedAt: true,
  captureMethod: true,
  payerPresence: true,
  processor: true,
  paymentMethodRef: true,
  merchant: { select: { id: true, displayName: true } },
  mandate: { select: { purpose: true, client: { select: { id: true, name: true } } } },
} as const;

// Only this folder writes these two columns.
const withJson = <Row extends { decline: unknown; nextAction: unknown }>(row: Row) => ({
  ...row,
  decline: row.decline as Decline | null,
  nextAction: row.nextAction as NextAction | null,
});

/** @returns null if the payer has no such charge. */
export const findPayerCharge = async (db: Db, input: { payerId: string; chargeId: string }) => {
  const [gte, lte] = spanOf(input.chargeId);
  const createdAt = gte.startsWith("-") ? {} : { createdAt: { gte, lte } };
  const where = { id: input.chargeId, payerId: input.payerId, ...createdAt };
  const row = await db.prisma.charge.findFirst({ where, select: payerColumns });
  return row && withJson(row);
};

/** Charges made since `since` that wait for the payer and haven't expired, oldest first. */
export const findPayerChargesToActOn = async (
  db: Db,
  input: { payerId: string; since: Date; now: Date; limit: number },
) => {
  const { payerId, since, now, limit } = input;
  const where = { payerId, state: "requires_action", createdAt: { gte: since }, expiresAt: { gt: now } } as const;
  const rows = await db.prisma.charge.findMany({
    where,
    select: payerColumns,
    take: limit,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map(withJson);
};
