import {
  type ChargeFilters,
  findMandateCharges,
  findMerchantCharges,
  type findPayerCharge,
} from "../../data/charges/charge-lists.ts";
import { type ChargeRow, findCharge } from "../../data/charges/charges.ts";
import { findMandateClientId } from "../../data/mandates/mandates.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { cutPage, findPage, type Page, type PageRequest } from "../../kernel/pagination.ts";
import { mandateNotFound } from "../../mandates/lifecycle/transition-mandate.ts";
import { type ChargeObject, toChargeObject } from "../charge/charge.wire.ts";
import type { ChargeState, Decline } from "../rules/charge-states.ts";

type ListDeps = Pick<Deps, "db">;
type ChargeList = { data: ChargeObject[]; has_more: boolean };

export const chargeNotFound = () =>
  new DomainError("not_found", { code: "charge_not_found", message: "Charge not found. Check the ID." });

/** Newest first. The list is empty both for an unknown mandate and for another merchant's mandate. */
export const listMerchantCharges = async (
  deps: ListDeps,
  { merchantId, ...query }: { merchantId: string; mandateId: string | null } & ChargeFilters & PageRequest,
): Promise<ChargeList> => {
  const page = await findChargePage(deps, query, (charge) => charge.merchantId === merchantId);
  return toChargeList(await findMerchantCharges(deps.db.sql, { ...query, merchantId, page }), page);
};

/** @throws DomainError not_found for an unknown id, and in the same way for another merchant's charge. */
export const getMerchantCharge = async (
  deps: ListDeps,
  input: { merchantId: string; chargeId: string },
): Promise<ChargeObject> => {
  const charge = await findCharge(deps.db.sql, input.chargeId);
  if (charge?.merchantId !== input.merchantId) throw chargeNotFound();
  return toChargeObject(charge);
};

/**
 * Lists a mandate's charges for the mandate's own client. @throws DomainError not_found for an unknown mandate, and in
 * the same way for another client's mandate.
 */
export const listAgentCharges = async (
  deps: ListDeps,
  { clientId, mandateId, ...query }: { clientId: string; mandateId: string } & ChargeFilters & PageRequest,
): Promise<ChargeList> => {
  if ((await findMandateClientId(deps.db.sql, mandateId)) !== clientId) throw mandateNotFound();
  const page = await findChargePage(deps, query, (charge) => charge.mandateId === mandateId);
  return toChargeList(await findMandateCharges(deps.db.sql, { ...query, mandateId, page }), page);
};

const findChargePage = (
  { db }: ListDeps,
  query: PageRequest,
  isOfThisList: (charge: ChargeRow) => boolean,
): Promise<Page> =>
  findPage(query, "charge", async (id) => {
    const charge = await findCharge(db.sql, id);
    return charge && isOfThisList(charge) ? { at: charge.createdAt, id } : null;
  });

const toChargeList = (found: readonly ChargeRow[], page: Page): ChargeList => {
  const { rows, hasMore } = cutPage(found, page);
  return { data: rows.map(toChargeObject), has_more: hasMore };
};

/** A charge as the payer sees it. */
export type PayerCharge = {
  id: string;
  state: ChargeState;
  amountMinor: bigint;
  currency: string;
  amountCapturedMinor: bigint;
  amountRefundedMinor: bigint;
  reference: string | null;
  decline: Decline | null;
  createdAt: Date;
  merchant: { id: string; name: string };
  client: { id: string; name: string };
  mandate: { id: string; purpose: string };
};

export type PayerRow = NonNullable<Awaited<ReturnType<typeof findPayerCharge>>>;

export const toPayerCharge = (row: PayerRow): PayerCharge => ({
  id: row.id,
  state: row.state,
  amountMinor: row.amount,
  currency: row.currency,
  amountCapturedMinor: row.amountCaptured,
  amountRefundedMinor: row.amountRefunded,
  reference: row.reference,
  decline: row.decline,
  createdAt: row.createdAt,
  merchant: { id: row.merchant.id, name: row.merchant.displayName },
  client: row.mandate.client,
  mandate: { id: row.mandateId, purpose: row.mandate.purpose },
});
