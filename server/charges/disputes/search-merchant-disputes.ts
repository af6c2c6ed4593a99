import { findDispute } from "../../data/charges/disputes.ts";
import { findChargeIdsByReference } from "../../data/charges/reference-prefix.ts";
import type { Deps } from "../../deps/deps.ts";
import { type DisputeObject, toDisputeObject } from "../charge/charge.wire.ts";
import type { DisputeStatus } from "../rules/dispute.ts";
import { listMerchantDisputes } from "./list-disputes.ts";

type Query = {
  merchantId: string;
  /** the id of a dispute or charge, or the start of the reference of a charge */
  search: string | null;
  status: DisputeStatus | null;
  startingAfter: string | null;
  limit: number;
};

type Found = {
  disputes: DisputeObject[];
  hasMore: boolean;
  /** whether the list is incomplete because the references of too many charges start with the text */
  isCut: boolean;
};

/** A merchant's disputes, newest first. */
export const searchMerchantDisputes = async (deps: Pick<Deps, "db">, query: Query): Promise<Found> => {
  const { merchantId, search, status, startingAfter, limit } = query;
  if (search?.startsWith("dsp_")) {
    const dispute = await findDispute(deps.db.sql, search);
    const isFound = dispute?.merchantId === merchantId && (status ?? dispute.status) === dispute.status;
    return { disputes: isFound ? [toDisputeObject(dispute)] : [], hasMore: false, isCut: false };
  }
  const isCharge = search?.startsWith("chg_") ?? false;
  const { chargeIds, isCut } =
    search === null || isCharge
      ? { chargeIds: undefined, isCut: false }
      : await findChargeIdsByReference(deps.db.sql, { text: search, merchantId });
  const { data, has_more } = await listMerchantDisputes(deps, {
    merchantId,
    status,
    chargeId: isCharge ? search : null,
    chargeIds,
    createdFrom: null,
    createdTo: null,
    limit,
    startingAfter,
    endingBefore: null,
  });
  return { disputes: data, hasMore: has_more, isCut };
};
