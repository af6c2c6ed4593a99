import { expect, test } from "vitest";
import { costOf, take } from "../../platform/limits/token-bucket.ts";
import { type Bucket, type Refusal, UsageLedger } from "./usage-ledger.ts";

const refusal = { requestId: "req_1", operation: "verifyMandate" } as Refusal;
const bucketOf = (more: Partial<Bucket> = {}): Bucket => ({
  key: "budget mch_1",
  quota: { requests: 30, seconds: 60 },
  fullAt: 0,
  taken: 30,
  takenSince: 0,
  reported: 0,
  refusal: null,
  ...more,
});
const standing = (isAuditDue: boolean) => [{ key: "budget mch_1", owedMilliseconds: 0, isAuditDue }];

test("after the clock stepped back, requests are refused for no longer than the period of the quota", () => {
  const ledger = new UsageLedger(10);
  const bucket = bucketOf();
  ledger.add(bucket);
  ledger.report(1_000);
  ledger.apply([{ key: bucket.key, owedMilliseconds: 3_600_000, isAuditDue: false }], 1_000);
  expect(take(bucket.quota, bucket.fullAt, 1_000).isAllowed).toBe(false);
  expect(take(bucket.quota, bucket.fullAt, 1_000 + 60_000 + costOf(bucket.quota)).isAllowed).toBe(true);
});

test("usage is never recorded in the future", () => {
  const ledger = new UsageLedger(10);
  ledger.add(bucketOf({ takenSince: 5_000 }));
  expect(ledger.report(1_000)).toMatchObject([{ sinceMilliseconds: 0, maxOwedMilliseconds: 120_000 }]);
});

test("a refusal during a report is part of the next report, which audits it", () => {
  const ledger = new UsageLedger(10);
  const bucket = bucketOf();
  ledger.add(bucket);
  expect(ledger.report(1_000)).toMatchObject([{ isRefused: false }]);
  bucket.refusal = refusal;
  ledger.add(bucket);
  expect(ledger.apply(standing(false), 1_000)).toEqual([]);
  expect(ledger.report(2_000)).toMatchObject([{ isRefused: true }]);
  expect(ledger.apply(standing(true), 2_000)).toEqual([refusal]);
  expect([bucket.refusal, ledger.report(3_000)]).toEqual([null, []]);
});
