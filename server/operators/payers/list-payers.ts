import {
  type FoundPayer,
  type FoundPayers,
  findPayerById,
  findPayerPage,
  type PayerState,
  searchPayerPage,
} from "../../data/operators/payer-search.ts";
import type { Deps } from "../../deps/deps.ts";
import { fieldRefusal } from "../../kernel/errors.ts";

type Query = {
  /** an account's id, or the start of an e-mail address or a name */
  search?: string | undefined;
  state?: PayerState | undefined;
  /** `nextCursor` of the previous page */
  cursor?: string | undefined;
  limit: number;
};

type Page = { payers: FoundPayer[]; nextCursor: string | null };

/**
 * All accounts, newest first. With a search, the matches by e-mail address come first, then those by name. A page of a
 * search may have fewer accounts than `limit`, and still have a next page: a search reads a limited number of accounts.
 */
export const listPayers = async ({ db }: Pick<Deps, "db">, query: Query): Promise<Page> => {
  const { search, state = null, cursor, limit } = query;
  if (search === undefined) {
    const rows = await findPayerPage(db.sql, { state, startingAfter: cursor ?? null, limit });
    const payers = rows.slice(0, limit);
    return { payers, nextCursor: rows.length > limit ? (payers.at(-1)?.id ?? null) : null };
  }
  if (/^acc_\w+$/.test(search)) {
    const payer = await findPayerById(db.sql, search);
    return { payers: payer && (state ?? payer.state) === payer.state ? [payer] : [], nextCursor: null };
  }
  return searchPayers({ db }, { text: search, state, place: readPlace(cursor), limit });
};

/** A position among the matches by address or among the matches by name. `after` null: before the first match. */
type Place = { by: "email" | "name"; after: string | null };
type Search = { text: string; state: PayerState | null; place: Place; limit: number };

const searchPayers = async ({ db }: Pick<Deps, "db">, { text, state, place, limit }: Search): Promise<Page> => {
  const page = { text, state, limit };
  const byEmail: FoundPayers =
    place.by === "name"
      ? { payers: [], next: null }
      : await searchPayerPage(db.sql, { ...page, by: "email", after: place.after });
  if (byEmail.next) return { payers: byEmail.payers, nextCursor: cursorOf({ by: "email", ...byEmail.next }) };
  const byName = await searchPayerPage(db.sql, {
    ...page,
    by: "name",
    after: place.by === "name" ? place.after : null,
    limit: limit - byEmail.payers.length,
  });
  return {
    payers: [...byEmail.payers, ...byName.payers],
    nextCursor: byName.next && cursorOf({ by: "name", ...byName.next }),
  };
};

const cursorOf = ({ by, after }: Place): string => (after === null ? by : `${by}_${after}`);

const readPlace = (cursor = "email"): Place => {
  const [, by, after = null] = /^(email|name)(?:_(\w{1,58}))?$/.exec(cursor) ?? [];
  if (by !== "email" && by !== "name") throw fieldRefusal("#cursor", "is not a cursor of this list");
  return { by, after };
};
