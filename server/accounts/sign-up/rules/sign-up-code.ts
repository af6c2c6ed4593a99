import { labelledMac, secretsEqual } from "../../../kernel/crypto/hash.ts";

export const codeSeconds = 15 * 60;
export const codeTries = 5;
/** Codes for one sign-up, the first included. */
export const maxCodes = 5;
/** How long a sign-up waits for its code. */
export const signUpSeconds = 24 * 3_600;

/** @param number a random integer below 1,000,000. */
export const formatCode = (number: number): string => String(number).padStart(6, "0");

/** The digits that a person typed: spaces and hyphens are ignored. */
const readCode = (typed: string): string => typed.replace(/[\s-]/g, "");

/** A MAC under the master key: without the key, a database dump doesn't reveal the code. */
export const codeMac = (masterKey: Uint8Array, id: string, code: string): string =>
  labelledMac(masterKey, "sign_up_code", `${id}|${code}`);

/** Constant-time. */
export const isCode = (
  typed: string,
  { masterKey, id, codeHash }: { masterKey: Uint8Array; id: string; codeHash: string },
) => secretsEqual(codeMac(masterKey, id, readCode(typed)), codeHash);
