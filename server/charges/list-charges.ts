import { findMandateCharges, findMerchantCharges, findPayerCharges } from "../data/charge-lists.ts";
import { type ChargeRow, type ChargeState, type Decline, findCharge } from "../data/charges.ts";
import { findMandateClientId } from "../data/mandates.ts";
import type { Deps } from "../deps.ts";
import { DomainError } from "../kernel/errors.ts";
import type { JsonObject } from "../kernel/json.ts";
import { toChargeObject } from "./charge.wire.ts";

type ListDeps = Pick<Deps, "db">;
type Page = { limit: number; startingAfter: string | null };
export type ChargeList = { data: JsonObject[]; has_more: boolean };

export const chargeNotFound = () => new DomainError("not_found", "charge_not_found", "There is no such charge.");

export const mandateNotFound = () => new DomainError("not_found", "mandate_not_found", "There is no such mandate.");

export const unknownCursor = (noun: "charge" | "refund" | "event") =>
  new DomainError("invalid", "invalid_request", `starting_after names no ${noun} of this list.`, {
    errors: [{ pointer: "#starting_after", detail: `names no ${noun} of this list` }],
  });

/** Newest first, by cursor. */
export const listMerchantCharges = async (
  deps: ListDeps,
  input: { merchantId: string } & Page,
): Promise<ChargeList> => {
  await checkCursor(deps, input, (charge) => charge.merchantId === input.merchantId);
  return toList(await findMerchantCharges(deps.db.sql, input.merchantId, input), input.limit);
};

/** @throws DomainError not_found for an unknown id and another merchant's charge alike. */
export const getMerchantCharge = async (
  deps: ListDeps,
  input: { merchantId: string; chargeId: string },
): Promise<JsonObject> => {
  const charge = await findCharge(deps.db.sql, input.chargeId);
  if (charge?.merchantId !== input.merchantId) throw chargeNotFound();
  return toChargeObject(charge);
};

/** For the mandate's own client. @throws DomainError not_found for an unknown mandate and another client's alike. */
export const listAgentCharges = async (
  deps: ListDeps,
  input: { clientId: string; mandateId: string } & Page,
): Promise<ChargeList> => {
  if ((await findMandateClientId(deps.db.sql, input.mandateId)) !== input.clientId) {
    throw mandateNotFound();
  }
  await checkCursor(deps, input, (charge) => charge.mandateId === input.mandateId);
  return toList(await findMandateCharges(deps.db.sql, input.mandateId, input), input.limit);
};

const checkCursor = async (deps: ListDeps, page: Page, isOfThisList: (charge: ChargeRow) => boolean): Promise<void> => {
  if (page.startingAfter === null) return;
  const charge = await findCharge(deps.db.sql, page.startingAfter);
  if (!charge || !isOfThisList(charge)) throw unknownCursor("charge");
};

const toList = (rows: readonly ChargeRow[], limit: number): ChargeList => ({
  data: rows.slice(0, limit).map(toChargeObject),
  has_more: rows.length > limit,
});

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

/** The payer's activity, newest first; of one mandate where `mandateId` is given, in some states where `states` are. */
export const listPayerCharges = async (
  deps: ListDeps,
  input: {
    payerId: string;
    mandateId?: string;
    states?: readonly ChargeState[];
    limit: number;
    startingAfter?: string;
  },
): Promise<{ data: PayerCharge[]; hasMore: boolean }> => {
  const { payerId, limit } = input;
  if (input.startingAfter !== undefined) {
    const cursor = await findCharge(deps.db.sql, input.startingAfter);
    // Another payer's charge is as unknown as none: where it stands in time is not told.
    if (cursor?.payerId !== payerId) return { data: [], hasMore: false };
  }
  const rows = await findPayerCharges(deps.db, {
    ...{ payerId, limit, mandateId: input.mandateId ?? null, startingAfter: input.startingAfter ?? null },
    states: input.states ?? null,
  });
  return { data: rows.slice(0, limit).map(toPayerCharge), hasMore: rows.length > limit };
};

export type PayerRow = Awaited<ReturnType<typeof findPayerCharges>>[number];

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
