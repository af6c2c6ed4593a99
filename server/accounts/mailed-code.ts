import { randomInt } from "node:crypto";
import { labelledMac, secretsEqual } from "../kernel/crypto/hash.ts";

// Six digits that a mail carries, to prove that a person reads an address.

export const mailedCodeSeconds = 15 * 60;
export const mailedCodeTries = 5;

/** What the code is for, and the id of what it completes. A code for one of them is wrong for all others. */
export type CodeUse = { purpose: "sign_up_code" | "email_change_code"; id: string };

export const newMailedCode = (): string => String(randomInt(1_000_000)).padStart(6, "0");

/**
 * A MAC under the master key: without the key, a database dump doesn't reveal so short a code.
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
