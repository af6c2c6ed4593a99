import { randomBytes } from "node:crypto";
import { formatRecoveryCode, recoveryCodeCount, recoveryCodeHash } from "../rules/recovery-code.ts";

/** Ten new codes, and the MACs that are stored. A repeated code is drawn again. */
export const makeRecoveryCodes = (
  masterKey: Uint8Array,
  accountId: string,
): { codes: string[]; codeHashes: string[] } => {
  const codes = new Set<string>();
  while (codes.size < recoveryCodeCount) codes.add(formatRecoveryCode(randomBytes(12)));
  return { codes: [...codes], codeHashes: [...codes].map((code) => recoveryCodeHash(masterKey, accountId, code)) };
};
