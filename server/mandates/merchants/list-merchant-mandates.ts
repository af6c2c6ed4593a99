import { listMerchantMandates, type MerchantMandateRow } from "../../data/mandates/merchant-mandates.ts";
import type { Deps } from "../../deps/deps.ts";
import { fieldRefusal } from "../../kernel/errors.ts";
import type { MandateState } from "../rules/transitions.ts";

type Query = {
  merchantId: string;
  states?: readonly MandateState[] | undefined;
  search?: string | undefined;
  /** `nextCursor` of the previous page */
  cursor?: string | undefined;
  limit: number;
};

/** The mandates that name a merchant or were charged by it, newest first. */
export const findMerchantMandates = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { merchantId, states = [], search, cursor, limit }: Query,
): Promise<{ mandates: MerchantMandateRow[]; nextCursor: string | null }> => {
  const { mandates, next } = await listMerchantMandates(db.sql, {
    merchantId,
    states: states.length > 0 ? states : null,
    search: search ?? null,
    at: await businessClock.now(),
    after: cursor === undefined ? null : readPlace(cursor),
    limit,
  });
  return { mandates, nextCursor: next && `${next.since.getTime().toString(36)}.${next.id}` };
};

const readPlace = (cursor: string) => {
  const [, since, id] = /^([0-9a-z]{1,10})\.(\w{1,64})$/.exec(cursor) ?? [];
  const at = new Date(Number.parseInt(since ?? "", 36));
  if (id === undefined || Number.isNaN(at.getTime())) throw fieldRefusal("#cursor", "is not a cursor of this list");
  return { since: at, id };
};
