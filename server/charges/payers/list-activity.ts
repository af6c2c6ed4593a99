import { findPayerClients, findPayerMerchants } from "../../data/payers/payer-charges.ts";
import {
  findPayerEntryPage,
  findPayerEntryPlace,
  findRefundedCharges,
  type PayerEntryFilters,
  type PayerEntryRow,
  type RefundedCharge,
} from "../../data/payers/payer-entries.ts";
import type { Deps } from "../../deps/deps.ts";
import type { PayerCharge } from "../lists/list-charges.ts";
import type { RefundStatus } from "../rules/refund.ts";
import { type ActivityShow, activityRefundStates, activityStates } from "./rules/activity-states.ts";

type ListDeps = Pick<Deps, "db">;

/** A refund as the payer sees it, with the names and ids of its charge. */
type PayerRefund = Pick<PayerCharge, "id" | "amountMinor" | "createdAt" | "merchant" | "client" | "mandate"> & {
  chargeId: string;
  status: RefundStatus;
  currency: string;
  /** the reference of the charge */
  reference: string | null;
};

export type PayerEntry = ({ kind: "charge" } & PayerCharge) | ({ kind: "refund" } & PayerRefund);

type Unset<Filters> = { [Name in keyof Filters]?: Filters[Name] | undefined };

export type ActivityFilters = Unset<Omit<PayerEntryFilters, "states" | "refundStates">> & {
  show?: ActivityShow | undefined;
};

/** The payer's charges and refunds that match all given filters, newest first. */
export const listActivity = async (
  { db }: ListDeps,
  {
    payerId,
    startingAfter,
    limit,
    show,
    ...given
  }: ActivityFilters & { payerId: string; startingAfter?: string | undefined; limit: number },
): Promise<{ entries: PayerEntry[]; hasMore: boolean }> => {
  const after = startingAfter === undefined ? null : await findPayerEntryPlace(db.sql, { payerId, id: startingAfter });
  // Another payer's entry counts as unknown: its position in the list is not revealed.
  if (startingAfter !== undefined && !after) return { entries: [], hasMore: false };
  const {
    kind = null,
    mandateId = null,
    clientId = null,
    merchantId = null,
    createdFrom = null,
    createdTo = null,
  } = given;
  const rows = await findPayerEntryPage(db.sql, {
    kind,
    mandateId,
    clientId,
    merchantId,
    states: show ? activityStates[show] : null,
    refundStates: show ? activityRefundStates[show] : null,
    createdFrom,
    createdTo,
    payerId,
    after,
    limit,
  });
  const page = rows.slice(0, limit);
  const refunded = page.flatMap((row) => (row.kind === "refund" ? [row.chargeId] : []));
  const charges = new Map((await findRefundedCharges(db.sql, [...new Set(refunded)])).map((one) => [one.id, one]));
  return { entries: page.map((row) => toEntry(row, charges)), hasMore: rows.length > limit };
};

const toEntry = (row: PayerEntryRow, charges: ReadonlyMap<string, RefundedCharge>): PayerEntry => {
  const { id, createdAt } = row;
  const shared = {
    id,
    createdAt,
    amountMinor: row.amount,
    merchant: { id: row.merchantId, name: row.merchantName },
    client: { id: row.clientId, name: row.clientName },
    mandate: { id: row.mandateId, purpose: row.purpose },
  };
  if (row.kind === "charge") {
    const { kind, state, currency, reference, decline } = row;
    const amounts = { amountCapturedMinor: row.amountCaptured, amountRefundedMinor: row.amountRefunded };
    return { kind, ...shared, state, currency, reference, decline, ...amounts };
  }
  const charge = charges.get(row.chargeId);
  if (!charge) throw new Error(`The charge of refund ${id} is missing`);
  const { currency, reference } = charge;
  return { kind: row.kind, ...shared, chargeId: row.chargeId, status: row.state, currency, reference };
};

/** Maximum number of agents, and of merchants, in the filter's lists. */
const maxChoices = 100;

/** The agents and merchants by which the activity can be filtered. */
export const listActivityChoices = async ({ db }: ListDeps, { payerId }: { payerId: string }) => {
  const [clients, merchants] = await Promise.all([
    findPayerClients(db.sql, payerId, maxChoices),
    findPayerMerchants(db.sql, payerId, maxChoices),
  ]);
  return { clients, merchants };
};
