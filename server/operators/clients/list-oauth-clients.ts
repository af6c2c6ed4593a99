import {
  type ClientKindName,
  type ClientSource,
  type ClientState,
  type FoundClient,
  findClientPage,
} from "../../data/operators/client-search.ts";
import type { Deps } from "../../deps/deps.ts";

type Query = {
  /** a client's or a merchant's id, or the start of a client's name */
  search?: string | undefined;
  kind?: ClientKindName | undefined;
  state?: ClientState | undefined;
  startingAfter?: string | undefined;
  limit: number;
};

/** All OAuth clients: agents and merchants' apps. Newest first; a search by name sorts by name. */
export const listOAuthClients = async (
  { db }: Pick<Deps, "db">,
  { search, kind, state, startingAfter, limit }: Query,
): Promise<{ clients: FoundClient[]; hasMore: boolean }> => {
  const page = { kind: kind ?? null, state: state ?? null, startingAfter: startingAfter ?? null, limit };
  const rows = await findClientPage(db.sql, sourceOf(search), page);
  return { clients: rows.slice(0, limit), hasMore: rows.length > limit };
};

const sourceOf = (search: string | undefined): ClientSource => {
  if (search === undefined) return { kind: "all" };
  if (/^cl_(live|test)_\w+$/.test(search)) return { kind: "client", text: search };
  if (/^mch_\w+$/.test(search)) return { kind: "merchant", text: search };
  return { kind: "name", text: search };
};
