import {
  type FoundMandate,
  findMandateForOperator,
  listNewestMandates,
  type MandateOwners,
  searchMandatesOfOwners,
} from "../data/mandates/mandate-search.ts";
import { findMerchantIdsByName } from "../data/operators/charge-search.ts";
import { findPayerIdsByEmail } from "../data/operators/payer-search.ts";
import type { Deps } from "../deps/deps.ts";
import { effectiveState } from "./rules/limits.ts";

type Query = {
  /**
   * an id of mandate, client, payer or merchant, the start of a payer's address, or a part of a merchant's name;
   * undefined: all mandates
   */
  search?: string | undefined;
  startingAfter?: string | undefined;
  limit: number;
};

type Found = {
  mandates: FoundMandate[];
  hasMore: boolean;
  /** whether the list leaves out mandates, because too many payers or merchants match the text */
  isCut: boolean;
};

/**
 * A search by text lists the mandates of at most this many payers and this many merchants. A longer text matches fewer
 * of them.
 */
const maxOwners = 50;

/** Lists or searches all mandates for operators, newest first. */
export const searchMandates = async (deps: Pick<Deps, "db" | "businessClock">, query: Query): Promise<Found> => {
  const { search, startingAfter, limit } = query;
  const page = { startingAfter: startingAfter ?? null, limit };
  const { rows, isCut } =
    search === undefined
      ? { rows: await listNewestMandates(deps.db.sql, page), isCut: false }
      : await find(deps.db, { ...page, search });
  const at = await deps.businessClock.now();
  const mandates = rows
    .slice(0, limit)
    .map((row) => ({ ...row, state: effectiveState(row.state, row.validUntil, at) }));
  return { mandates, hasMore: rows.length > limit, isCut };
};

type Page = { search: string; startingAfter: string | null; limit: number };

const find = async ({ sql }: Deps["db"], page: Page): Promise<{ rows: FoundMandate[]; isCut: boolean }> => {
  if (/^mdt_\w+$/.test(page.search)) {
    const mandate = await findMandateForOperator(sql, page.search);
    return { rows: mandate ? [mandate] : [], isCut: false };
  }
  const { owners, isCut } = await ownersOf(sql, page.search);
  return { rows: await searchMandatesOfOwners(sql, owners, page), isCut };
};

const none: MandateOwners = { payerIds: [], clientIds: [], merchantIds: [] };

const ownersOf = async (sql: Deps["db"]["sql"], search: string): Promise<{ owners: MandateOwners; isCut: boolean }> => {
  if (/^acc_\w+$/.test(search)) return { owners: { ...none, payerIds: [search] }, isCut: false };
  if (/^cl_(live|test)_\w+$/.test(search)) return { owners: { ...none, clientIds: [search] }, isCut: false };
  if (/^mch_\w+$/.test(search)) return { owners: { ...none, merchantIds: [search] }, isCut: false };
  const [payerIds, merchantIds] = await Promise.all([
    findPayerIdsByEmail(sql, search, maxOwners + 1),
    findMerchantIdsByName(sql, search, maxOwners + 1),
  ]);
  const owners = { ...none, payerIds: payerIds.slice(0, maxOwners), merchantIds: merchantIds.slice(0, maxOwners) };
  return { owners, isCut: Math.max(payerIds.length, merchantIds.length) > maxOwners };
};
