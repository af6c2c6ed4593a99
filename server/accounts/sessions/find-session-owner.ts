import { findSessionOwner as findOwner } from "../../data/accounts/accounts.ts";
import type { Deps } from "../../deps/deps.ts";

/** The account whose session this is, ended or not; null where there is none. */
export const findSessionOwner = (deps: Pick<Deps, "db">, input: { sessionId: string }): Promise<string | null> =>
  findOwner(deps.db, input.sessionId);
