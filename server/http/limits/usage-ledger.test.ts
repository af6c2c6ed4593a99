import { expect, test } from "vitest";
import { type Bucket, type Refusal, UsageLedger } from "./usage-ledger.ts";

const refusal = { requestId: "req_1", operation: "verifyMandate" } as Refusal;
const bucketOf = (more: Partial<Bucket> = {}): Bucket => ({
  ...{ key: "budget mch_1", quota: { requests: 30, seconds: 60 }, fullAt: 0 },
  ...{ taken: 30, takenSince: 0, told: 0, refusal: null, ...more },
});
const standing = (isAuditDue: boolean) => [{ key: "budget mch_1", owedMilliseconds: 0, isAuditDue }];

test("a refusal that comes while what was taken before it is being told is told next, and audited then", () => {
  const ledger = new UsageLedger(10);
  const bucket = bucketOf();
  ledger.add(bucket);
  expect(ledger.tell(1_000)).toMatchObject([{ isRefused: false }]);
  bucket.refusal = refusal;
  ledger.add(bucket);
  expect(ledger.adopt(standing(false), 1_000)).toEqual([]);
  expect(ledger.tell(2_000)).toMatchObject([{ isRefused: true }]);
  expect(ledger.adopt(standing(true), 2_000)).toEqual([refusal]);
  expect([bucket.refusal, ledger.tell(3_000)]).toEqual([null, []]);
});
