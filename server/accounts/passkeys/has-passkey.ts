import { countPasskeysOfAccount } from "../../data/accounts/passkeys.ts";
import type { Deps } from "../../deps/deps.ts";

/** Decides whether pages offer a passkey first. */
export const hasPasskey = async ({ db }: Pick<Deps, "db">, { accountId }: { accountId: string }): Promise<boolean> =>
  (await countPasskeysOfAccount(db, accountId)) > 0;
