import { type DisputeFilters, findDispute, findMerchantDisputes } from "../../data/charges/disputes.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { cutPage, findPage, type PageRequest } from "../../kernel/pagination.ts";
import { type DisputeObject, toDisputeObject } from "../charge/charge.wire.ts";

type ReadDeps = Pick<Deps, "db">;

/** Newest first. The list is empty both for an unknown charge and for another merchant's charge. */
export const listMerchantDisputes = async (
  { db }: ReadDeps,
  { merchantId, ...query }: { merchantId: string } & DisputeFilters & PageRequest,
): Promise<{ data: DisputeObject[]; has_more: boolean }> => {
  const page = await findPage(query, "dispute", async (id) => {
    const dispute = await findDispute(db.sql, id);
    return dispute?.merchantId === merchantId ? { at: dispute.createdAt, id } : null;
  });
  const { rows, hasMore } = cutPage(await findMerchantDisputes(db.sql, { ...query, merchantId, page }), page);
  return { data: rows.map(toDisputeObject), has_more: hasMore };
};

/** @throws DomainError not_found for an unknown id, and in the same way for another merchant's dispute. */
export const getMerchantDispute = async (
  { db }: ReadDeps,
  { merchantId, disputeId }: { merchantId: string; disputeId: string },
): Promise<DisputeObject> => {
  const dispute = await findDispute(db.sql, disputeId);
  if (dispute?.merchantId !== merchantId) {
    throw new DomainError("not_found", { code: "dispute_not_found", message: "Dispute not found. Check the ID." });
  }
  return toDisputeObject(dispute);
};
