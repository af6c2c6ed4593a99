import { findCharge } from "../../data/charges/charges.ts";
import {
  findPayerChargePage,
  findPayerClients,
  findPayerMerchants,
  type PayerChargeFilters,
  type PayerChargeRow,
} from "../../data/payers/payer-charges.ts";
import type { Deps } from "../../deps/deps.ts";
import type { PayerCharge } from "../lists/list-charges.ts";

type ListDeps = Pick<Deps, "db">;
export type ActivityFilters = { [Name in keyof PayerChargeFilters]?: PayerChargeFilters[Name] | undefined };

/** The payer's charges, newest first. They match all filters that are given. */
export const listActivity = async (
  { db }: ListDeps,
  {
    payerId,
    startingAfter,
    limit,
    ...given
  }: ActivityFilters & { payerId: string; startingAfter?: string | undefined; limit: number },
): Promise<{ charges: PayerCharge[]; hasMore: boolean }> => {
  const cursor = startingAfter === undefined ? null : await findCharge(db.sql, startingAfter);
  // Another payer's charge counts as unknown: its position in the list is not revealed.
  if (startingAfter !== undefined && cursor?.payerId !== payerId) return { charges: [], hasMore: false };
  const {
    mandateId = null,
    clientId = null,
    merchantId = null,
    states = null,
    createdFrom = null,
    createdTo = null,
  } = given;
  const rows = await findPayerChargePage(db.sql, {
    mandateId,
    clientId,
    merchantId,
    states,
    createdFrom,
    createdTo,
    payerId,
    after: cursor && { at: cursor.createdAt, id: cursor.id },
    limit,
  });
  return { charges: rows.slice(0, limit).map(toActivity), hasMore: rows.length > limit };
};

const toActivity = (row: PayerChargeRow): PayerCharge => ({
  id: row.id,
  state: row.state,
  amountMinor: row.amount,
  currency: row.currency,
  amountCapturedMinor: row.amountCaptured,
  amountRefundedMinor: row.amountRefunded,
  reference: row.reference,
  decline: row.decline,
  createdAt: row.createdAt,
  merchant: { id: row.merchantId, name: row.merchantName },
  client: { id: row.clientId, name: row.clientName },
  mandate: { id: row.mandateId, purpose: row.purpose },
});

/** More entries than a person reads in a selection list. */
const maxChoices = 100;

/** The agents and merchants by which the activity can be filtered. */
export const listActivityChoices = async ({ db }: ListDeps, { payerId }: { payerId: string }) => {
  const [clients, merchants] = await Promise.all([
    findPayerClients(db.sql, payerId, maxChoices),
    findPayerMerchants(db.sql, payerId, maxChoices),
  ]);
  return { clients, merchants };
};
