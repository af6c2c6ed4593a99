import { instantOf } from "../kernel/time/dated.ts";

/**
 * The instant that selects the partition of a key's row: the instant in the key itself.
 * @param fallback for a key without an instant.
 */
export const datedAt = (key: string, fallback: Date): Date => instantOf(key) ?? fallback;

/**
 * The range of instants of a key's row: only the key's own instant, or any instant for a key without one. Two
 * parameters for `BETWEEN`, so that a statement reads one partition if possible, and otherwise all of them.
 */
export const spanOf = (key: string): [from: string, to: string] => {
  const instant = instantOf(key)?.toISOString();
  return instant === undefined ? ["-infinity", "infinity"] : [instant, instant];
};

/**
 * SQL: whether a row is one of the claimed rows of `due`, which has an `id`. With a join, PostgreSQL would read the whole
 * table, because it can't know how few rows are due. With a condition on time, it would use an index of other columns.
 */
export const inDue = (row: string): string => `${row}.id = ANY (ARRAY(SELECT id FROM due))`;
