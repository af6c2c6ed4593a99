import { selectPasskeyOwner } from "../../data/accounts/passkeys.ts";
import type { Deps } from "../../deps/deps.ts";

/** The account of a passkey; null if it doesn't exist. */
export const findPasskeyOwner = (deps: Pick<Deps, "db">, input: { passkeyId: string }): Promise<string | null> =>
  selectPasskeyOwner(deps.db, input.passkeyId);
