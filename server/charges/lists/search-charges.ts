import { findCharge } from "../../data/charges/charges.ts";
import { findDispute } from "../../data/charges/disputes.ts";
import { hasMorePrefixMatches } from "../../data/charges/reference-prefix.ts";
import { findRefund } from "../../data/charges/refunds.ts";
import {
  type ChargeSource,
  type FoundCharge,
  findMerchantIdsByName,
  searchChargePage,
} from "../../data/operators/charge-search.ts";
import type { Deps } from "../../deps/deps.ts";
import { readChargeQuery } from "../rules/charge-query.ts";
import type { ChargeState } from "../rules/charge-states.ts";

type Query = {
  /** an id, the start of a reference, a processor's payment id, or a part of a merchant's name */
  search?: string | undefined;
  states?: readonly ChargeState[] | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  startingAfter?: string | undefined;
  limit: number;
};

export type ChargesFound = {
  charges: FoundCharge[];
  hasMore: boolean;
  /** whether the list is incomplete because too many merchants or references match the text */
  cut: Cut;
};

type Cut = { merchants: boolean; references: boolean };

/** A search by name lists the charges of at most this number of merchants. A longer text matches fewer merchants. */
const maxMerchants = 50;
const nothingCut: Cut = { merchants: false, references: false };
const none: ChargesFound = { charges: [], hasMore: false, cut: nothingCut };

/** Charges of all merchants and payers, newest first. The result is empty for an unknown id. */
export const searchCharges = async ({ db }: Pick<Deps, "db">, query: Query): Promise<ChargesFound> => {
  const { search, states, from, to, startingAfter, limit } = query;
  const found: Found | null = search === undefined ? { source: { kind: "all" } } : await sourceOf(db, search);
  if (!found) return none;
  const cursor = startingAfter === undefined ? null : await findCharge(db.sql, startingAfter);
  if (startingAfter !== undefined && !cursor) return none;
  const rows = await searchChargePage(db.sql, {
    source: found.source,
    states: states ?? null,
    createdFrom: from ?? null,
    createdTo: to ?? null,
    after: cursor && { at: cursor.createdAt, id: cursor.id },
    limit,
  });
  return { charges: rows.slice(0, limit), hasMore: rows.length > limit, cut: found.cut ?? nothingCut };
};

type Found = { source: ChargeSource; cut?: Cut };

const sourceOf = async ({ sql }: Deps["db"], search: string): Promise<Found | null> => {
  const query = readChargeQuery(search);
  switch (query.kind) {
    case "text": {
      const ids = await findMerchantIdsByName(sql, query.text, maxMerchants + 1);
      const source = { kind: "text", text: query.text, merchantIds: ids.slice(0, maxMerchants) } as const;
      const references = await hasMorePrefixMatches(sql, { text: query.text, merchantId: null });
      return { source, cut: { merchants: ids.length > maxMerchants, references } };
    }
    case "refund":
      return chargeOf(await findRefund(sql, query.id));
    case "dispute":
      return chargeOf(await findDispute(sql, query.id));
    default:
      return { source: { kind: query.kind, id: query.id } };
  }
};

const chargeOf = (part: { chargeId: string } | null): Found | null =>
  part && { source: { kind: "charge", id: part.chargeId } };
