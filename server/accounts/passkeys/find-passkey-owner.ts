import { findPasskeyOwner as findOwner } from "../../data/accounts/passkeys.ts";
import type { Deps } from "../../deps/deps.ts";

/** The account whose passkey this is; null where there is none. */
export const findPasskeyOwner = (deps: Pick<Deps, "db">, input: { passkeyId: string }): Promise<string | null> =>
  findOwner(deps.db, input.passkeyId);
