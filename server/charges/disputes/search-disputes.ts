import { findDispute } from "../../data/charges/disputes.ts";
import {
  type DisputeSource,
  type FoundDisputeRow,
  findDisputeReasons,
  searchDisputePage,
} from "../../data/operators/dispute-search.ts";
import type { Deps } from "../../deps/deps.ts";
import type { DisputeStatus } from "../rules/dispute.ts";

type Query = {
  /** the id of a dispute, charge or merchant, or the processor's id of a dispute */
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
};

/** Disputes of all merchants, newest first. */
export const searchDisputes = async ({ db }: Pick<Deps, "db">, query: Query): Promise<Found> => {
  const { search, status, reason, from, to, startingAfter, limit } = query;
  const reasons = await findDisputeReasons(db.sql);
  const cursor = startingAfter === undefined ? null : await findDispute(db.sql, startingAfter);
  if (startingAfter !== undefined && !cursor) return { disputes: [], hasMore: false, reasons };
  const rows = await searchDisputePage(db.sql, {
    source: sourceOf(search),
    status: status ?? null,
    reason: reason ?? null,
    createdFrom: from ?? null,
    createdTo: to ?? null,
    after: cursor && { at: cursor.createdAt, id: cursor.id },
    limit,
  });
  return { disputes: rows.slice(0, limit), hasMore: rows.length > limit, reasons };
};

const kinds = { dsp: "dispute", chg: "charge", mch: "merchant" } as const;

const sourceOf = (search: string | undefined): DisputeSource => {
  if (search === undefined) return { kind: "all" };
  const [, prefix] = /^(dsp|chg|mch)_\w{1,60}$/.exec(search) ?? [];
  const kind = Object.entries(kinds).find(([known]) => known === prefix)?.[1];
  return { kind: kind ?? "reference", id: search };
};
