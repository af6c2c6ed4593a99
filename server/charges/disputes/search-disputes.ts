import { findDispute } from "../../data/charges/disputes.ts";
import { findChargeIdsByReference } from "../../data/charges/reference-prefix.ts";
import {
  type DisputeSource,
  type FoundDisputeRow,
  findDisputeReasons,
  searchDisputePage,
} from "../../data/operators/dispute-search.ts";
import type { Deps } from "../../deps/deps.ts";
import type { DisputeStatus } from "../rules/dispute.ts";

type Query = {
  /** the id of a dispute, charge or merchant, the processor's id of a dispute, or the start of a charge's reference */
  search?: string | undefined;
  status?: DisputeStatus | undefined;
  reason?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  startingAfter?: string | undefined;
  limit: number;
};

type Found = {
  disputes: FoundDisputeRow[];
  hasMore: boolean;
  /** each reason that a processor has given so far */
  reasons: string[];
  /** whether the list is incomplete because the references of too many charges start with the text */
  isCut: boolean;
};

/** Disputes of all merchants, newest first. */
export const searchDisputes = async ({ db }: Pick<Deps, "db">, query: Query): Promise<Found> => {
  const { search, status, reason, from, to, startingAfter, limit } = query;
  const reasons = await findDisputeReasons(db.sql);
  const cursor = startingAfter === undefined ? null : await findDispute(db.sql, startingAfter);
  if (startingAfter !== undefined && !cursor) return { disputes: [], hasMore: false, reasons, isCut: false };
  const { source, isCut } = await sourceOf(db, search);
  const rows = await searchDisputePage(db.sql, {
    source,
    status: status ?? null,
    reason: reason ?? null,
    createdFrom: from ?? null,
    createdTo: to ?? null,
    after: cursor && { at: cursor.createdAt, id: cursor.id },
    limit,
  });
  return { disputes: rows.slice(0, limit), hasMore: rows.length > limit, reasons, isCut };
};

const kinds = { dsp: "dispute", chg: "charge", mch: "merchant" } as const;

const sourceOf = async (
  { sql }: Deps["db"],
  search: string | undefined,
): Promise<{ source: DisputeSource; isCut: boolean }> => {
  if (search === undefined) return { source: { kind: "all" }, isCut: false };
  const [, prefix] = /^(dsp|chg|mch)_\w{1,60}$/.exec(search) ?? [];
  const kind = Object.entries(kinds).find(([known]) => known === prefix)?.[1];
  if (kind) return { source: { kind, id: search }, isCut: false };
  const { chargeIds, isCut } = await findChargeIdsByReference(sql, { text: search, merchantId: null });
  return { source: { kind: "text", text: search, chargeIds }, isCut };
};
