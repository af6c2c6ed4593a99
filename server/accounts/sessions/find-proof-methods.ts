import { selectProofMethods } from "../../data/accounts/credentials.ts";
import type { Deps } from "../../deps/deps.ts";

/** The ways in which an account can prove its identity. Pages offer only these. */
export type ProofMethods = { hasPassword: boolean; hasPasskey: boolean; hasRecoveryCodes: boolean };

export const findProofMethods = async (
  { db }: Pick<Deps, "db">,
  { accountId }: { accountId: string },
): Promise<ProofMethods> => {
  const { hasPassword, passkeys, recoveryCodes } = await selectProofMethods(db, accountId);
  return { hasPassword, hasPasskey: passkeys > 0, hasRecoveryCodes: recoveryCodes > 0 };
};
