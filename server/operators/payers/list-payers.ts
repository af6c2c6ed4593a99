import {
  type FoundPayer,
  findPayerById,
  findPayerPage,
  type PayerState,
  searchPayerPage,
} from "../../data/operators/payer-search.ts";
import type { Deps } from "../../deps/deps.ts";

type Question = {
  /** an account's id, or the start of an e-mail address or a name */
  search?: string | undefined;
  state?: PayerState | undefined;
  startingAfter?: string | undefined;
  limit: number;
};

/** All accounts, newest first. With a search, the matches by e-mail address come first, then those by name. */
export const listPayers = async (
  { db }: Pick<Deps, "db">,
  { search, state, startingAfter, limit }: Question,
): Promise<{ payers: FoundPayer[]; hasMore: boolean }> => {
  const page = { state: state ?? null, startingAfter: startingAfter ?? null, limit };
  if (search !== undefined && /^acc_\w+$/.test(search)) {
    const payer = await findPayerById(db.sql, search);
    return { payers: payer && (state ?? payer.state) === payer.state ? [payer] : [], hasMore: false };
  }
  const rows =
    search === undefined ? await findPayerPage(db.sql, page) : await searchPayerPage(db.sql, { ...page, text: search });
  return { payers: rows.slice(0, limit), hasMore: rows.length > limit };
};
