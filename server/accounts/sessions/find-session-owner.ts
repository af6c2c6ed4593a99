import { selectSessionOwner } from "../../data/accounts/accounts.ts";
import type { Deps } from "../../deps/deps.ts";

/** The account of a session, even if the session has ended; null if the session doesn't exist. */
export const findSessionOwner = (deps: Pick<Deps, "db">, input: { sessionId: string }): Promise<string | null> =>
  selectSessionOwner(deps.db, input.sessionId);
