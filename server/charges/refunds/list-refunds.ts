import { findCharge } from "../../data/charges/charges.ts";
import { findRefund, findRefundsOfCharge } from "../../data/charges/refunds.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { cutPage, findPage, type PageRequest } from "../../kernel/pagination.ts";
import { type RefundObject, toRefundObject } from "../charge/charge.wire.ts";
import { chargeNotFound } from "../lists/list-charges.ts";

type ReadDeps = Pick<Deps, "db">;

/** Newest first. @throws DomainError not_found for an unknown charge, and for another merchant's charge. */
export const listRefunds = async (
  { db }: ReadDeps,
  { merchantId, chargeId, ...query }: { merchantId: string; chargeId: string } & PageRequest,
): Promise<{ data: RefundObject[]; has_more: boolean }> => {
  const charge = await findCharge(db.sql, chargeId);
  if (charge?.merchantId !== merchantId) throw chargeNotFound();
  const page = await findPage(query, "refund", async (id) => {
    const refund = await findRefund(db.sql, id);
    return refund?.chargeId === chargeId ? { at: refund.createdAt, id } : null;
  });
  const { rows, hasMore } = cutPage(await findRefundsOfCharge(db.sql, chargeId, page), page);
  return { data: rows.map(toRefundObject), has_more: hasMore };
};

/**
 * @param input.chargeId the charge that the refund must belong to; null: any charge of the merchant.
 * @throws DomainError not_found for an unknown refund, and in the same way for another merchant's refund.
 */
export const getRefund = async (
  { db }: ReadDeps,
  { merchantId, chargeId, refundId }: { merchantId: string; chargeId: string | null; refundId: string },
): Promise<RefundObject> => {
  const refund = await findRefund(db.sql, refundId);
  const isIt = refund?.merchantId === merchantId && (chargeId === null || refund.chargeId === chargeId);
  if (!isIt) {
    throw new DomainError("not_found", { code: "refund_not_found", message: "Refund not found. Check the ID." });
  }
  return toRefundObject(refund);
};
