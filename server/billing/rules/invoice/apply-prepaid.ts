import { smaller } from "../../../kernel/money/smaller.ts";
import type { PrepaidGrant } from "./types.ts";

/**
 * Uses grants until the amount is paid. Grants are ordered by priority, then the earliest expiry, then promotional
 * grants before prepaid grants, then the oldest.
 */
export const applyPrepaid = (
  amountMinor: bigint,
  grants: readonly PrepaidGrant[],
): { id: string; amount: bigint }[] => {
  let left = amountMinor;
  return [...grants].sort(compareGrants).flatMap(({ id, remaining }) => {
    if (left <= 0n || remaining <= 0n) return [];
    const amount = smaller(remaining, left);
    left -= amount;
    return [{ id, amount }];
  });
};

/** A grant without expiry is used after the grants that expire. */
const expiryOf = ({ expiresAt }: PrepaidGrant): number => expiresAt?.getTime() ?? Number.MAX_SAFE_INTEGER;

const compareGrants = (one: PrepaidGrant, other: PrepaidGrant): number =>
  one.priority - other.priority ||
  expiryOf(one) - expiryOf(other) ||
  Number(one.kind === "prepaid") - Number(other.kind === "prepaid") ||
  one.grantedAt.getTime() - other.grantedAt.getTime() ||
  (one.id < other.id ? -1 : 1);
