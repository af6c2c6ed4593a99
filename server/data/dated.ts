import { instantOf } from "../kernel/time/dated.ts";

/** Where the row of a key lies: at the instant that the key carries. @param fallback for a key that was made without. */
export const datedAt = (key: string, fallback: Date): Date => instantOf(key) ?? fallback;

/**
 * The instants between which a row lies whose key may carry its own: that one alone, or any. Two parameters for
 * `BETWEEN`, so that one statement reads one partition where it can, and all where a key was made without an instant.
 */
export const spanOf = (key: string): [from: string, to: string] => {
  const instant = instantOf(key)?.toISOString();
  return instant === undefined ? ["-infinity", "infinity"] : [instant, instant];
};
