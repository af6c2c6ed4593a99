import { expect, it } from "vitest";
import { diffVersions } from "./version-changes.ts";

const month = { period: "month", alignment: "calendar" } as const;

it("lists each limit that was lowered, added or removed, and a changed end", () => {
  const before = {
    max_amount_per_payment: 6_000,
    max_total_amount: 50_000,
    periodic_limits: [{ ...month, max_amount: 24_000, max_payments: 10 }],
    valid_until: "2027-11-26T00:00:00Z",
  };
  const after = {
    max_amount_per_payment: 5_000,
    max_payments: 12,
    periodic_limits: [{ ...month, max_amount: 24_000, max_payments: 5 }],
    valid_until: "2027-01-01T00:00:00Z",
  };
  expect(diffVersions(before, after)).toEqual([
    { kind: "amount", key: "per_payment", before: 6_000, after: 5_000 },
    { kind: "count", key: "month:calendar:count", before: 10, after: 5 },
    { kind: "amount", key: "total", before: 50_000, after: null },
    { kind: "count", key: "total_count", before: null, after: 12 },
    { kind: "end", before: "2027-11-26T00:00:00Z", after: "2027-01-01T00:00:00Z" },
  ]);
  expect(diffVersions(after, after)).toEqual([]);
});
