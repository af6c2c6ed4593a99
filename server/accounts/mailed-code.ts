import { randomInt } from "node:crypto";
import { labelledMac, secretsEqual } from "../kernel/crypto/hash.ts";

// A six-digit code sent by e-mail. It proves that a person can read mail sent to an address.

export const mailedCodeSeconds = 15 * 60;
export const mailedCodeTries = 5;

/**
 * The purpose of the code, and the id of the sign-up or change that it completes. With another id, the code is refused.
 */
export type CodeUse = { purpose: "sign_up_code" | "email_change_code"; id: string };

export const newMailedCode = (): string => String(randomInt(1_000_000)).padStart(6, "0");

/**
 * A MAC under the master key. The code is short, but without the key a database dump doesn't reveal it.
 * @param typed spaces and hyphens are ignored.
 */
export const mailedCodeMac = (masterKey: Uint8Array, { purpose, id }: CodeUse, typed: string): string =>
  labelledMac(masterKey, purpose, `${id}|${typed.replace(/[\s-]/g, "")}`);

/** Constant-time. */
export const isMailedCode = (
  masterKey: Uint8Array,
  { codeHash, ...use }: CodeUse & { codeHash: string },
  typed: string,
): boolean => secretsEqual(mailedCodeMac(masterKey, use, typed), codeHash);
