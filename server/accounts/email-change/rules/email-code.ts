import { labelledMac, secretsEqual } from "../../../kernel/crypto/hash.ts";

export const emailChangeSeconds = 15 * 60;
export const emailChangeTries = 5;

/** @param number a random integer below 1,000,000. */
export const formatEmailCode = (number: number): string => String(number).padStart(6, "0");

/** A MAC under the master key: without the key, a database dump doesn't reveal so short a code. */
export const emailCodeHash = (masterKey: Uint8Array, id: string, typed: string): string =>
  labelledMac(masterKey, "email_change_code", `${id}|${typed.replace(/[\s-]/g, "")}`);

/** Constant-time. */
export const isEmailCode = (
  masterKey: Uint8Array,
  typed: string,
  { id, codeHash }: { id: string; codeHash: string },
): boolean => secretsEqual(emailCodeHash(masterKey, id, typed), codeHash);

/** `a…@example.com`: enough for the owner to recognize the address, and little for others. */
export const maskEmail = (email: string): string => {
  const [local = "", domain = ""] = email.split("@");
  return `${[...local][0] ?? ""}…@${domain}`;
};
