import { type Alignment, limitKey, type Period } from "./terms.ts";

/** One limit or end that a version of a mandate changed. */
export type VersionChange =
  | { kind: "amount" | "count"; key: string; before: number | null; after: number | null }
  | { kind: "end"; before: string | null; after: string | null };

type Details = {
  max_amount_per_payment?: number | undefined;
  max_total_amount?: number | undefined;
  max_payments?: number | undefined;
  valid_until?: string | undefined;
  periodic_limits?:
    | readonly ({ period: Period; alignment: Alignment } & {
        max_amount?: number | undefined;
        max_payments?: number | undefined;
      })[]
    | undefined;
};

type Cap = { kind: "amount" | "count"; value: number };

const capsOf = (details: Details): Map<string, Cap> => {
  const caps = new Map<string, Cap>();
  const add = (key: string, kind: Cap["kind"], value: number | undefined) => {
    if (value !== undefined) caps.set(key, { kind, value });
  };
  add("per_payment", "amount", details.max_amount_per_payment);
  for (const limit of details.periodic_limits ?? []) {
    add(limitKey(limit), "amount", limit.max_amount);
    add(`${limitKey(limit)}:count`, "count", limit.max_payments);
  }
  add("total", "amount", details.max_total_amount);
  add("total_count", "count", details.max_payments);
  return caps;
};

/** The differences between two versions, with the keys of the wallet's limits. */
export const diffVersions = (before: Details, after: Details): VersionChange[] => {
  const [old, next] = [capsOf(before), capsOf(after)];
  const changes: VersionChange[] = [];
  for (const key of new Set([...old.keys(), ...next.keys()])) {
    const [was, is] = [old.get(key), next.get(key)];
    if (was?.value === is?.value) continue;
    const kind = (is ?? was)?.kind ?? "amount";
    changes.push({ kind, key, before: was?.value ?? null, after: is?.value ?? null });
  }
  if (before.valid_until !== after.valid_until) {
    changes.push({ kind: "end", before: before.valid_until ?? null, after: after.valid_until ?? null });
  }
  return changes;
};
