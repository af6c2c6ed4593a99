import { afterAll, beforeAll, expect, it } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { deleteExpiredRows } from "./delete-expired-rows.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ now: new Date("2026-11-21T00:00:00Z") });
});
afterAll(() => deps.close());

const at = (days: number) => new Date(deps.clock.now().getTime() + days * 86_400_000);

it("deletes more than one batch of expired rows, and no row that a check may still read", async () => {
  const denial = (count: number, expiresAt: Date, prefix: string) =>
    Array.from({ length: count }, (_, index) => ({ jti: `${prefix}${index}`, expiresAt }));
  await deps.db.prisma.tokenDenial.createMany({ data: [...denial(1_200, at(-1), "old"), ...denial(3, at(0), "live")] });
  expect(await deleteExpiredRows(deps)).toEqual({ token_denial_default: 1_200 });
  expect(await deps.db.prisma.tokenDenial.count()).toBe(3);
  expect(await deleteExpiredRows(deps)).toEqual({});
});

it("keeps an idempotency key until 7 days after its final response, however long that response takes (docs/spec/payments.md, Idempotency)", async () => {
  const insert = (key: string, createdAt: Date, answeredAt: Date | null) => deps.db.prisma.$executeRaw`
    INSERT INTO idempotency_key (merchant_id, route, key, body_hash, charge_id, created_at, response_status, answered_at)
    VALUES ('mch', 'POST /charge', ${key}, '-', 'chg', ${createdAt}, ${answeredAt && 201}::int, ${answeredAt})`;
  await insert("old-final", at(-8), at(-8));
  await insert("old-open", at(-8), null);
  await insert("settled-late", at(-8), at(-6));
  await insert("young-final", at(-6), at(-6));
  expect(await deleteExpiredRows(deps)).toEqual({ idempotency_key: 1 });
  const left = await deps.db.prisma.$queryRaw<{ key: string }[]>`SELECT key FROM idempotency_key ORDER BY key`;
  expect(left.map((row) => row.key)).toEqual(["old-open", "settled-late", "young-final"]);
});

it("keeps the key of a usage event until 42 days after the event's time, a week longer than events are accepted (docs/spec/operations.md, Data retention)", async () => {
  const insert = (count: number, name: string, time: Date) => deps.db.prisma.$executeRaw`
    INSERT INTO usage_event_key (merchant_id, source, event_id, body_hash, time)
    SELECT 'mch' || n % 20, ${name}, n::text, '-', ${time} FROM generate_series(1, ${count}::int) n`;
  await insert(700, "over", at(-43));
  await insert(1, "kept", at(-41));
  expect(await deleteExpiredRows(deps)).toEqual({ usage_event_key: 700 });
  const left = await deps.db.prisma.$queryRaw<{ source: string }[]>`SELECT source FROM usage_event_key`;
  expect(left).toEqual([{ source: "kept" }]);
});

it("deletes an offer of a directory entry 90 days after it ended, and keeps open offers (docs/spec/operations.md, Data retention)", async () => {
  const [{ id: fromMerchantId }, { id: toMerchantId }] = [await makeMerchant(deps), await makeMerchant(deps)];
  const times = { createdAt: at(-200), updatedAt: at(-200) };
  await deps.db.prisma.participant.create({ data: { id: "ptc_offered", displayName: "Offered", ...times } });
  const offer = (id: string, endedAt: Date | null) => ({
    id,
    participantId: "ptc_offered",
    fromMerchantId,
    toMerchantId,
    state: endedAt ? "declined" : "offered",
    offeredBy: "acc_owner",
    offeredAt: at(-120),
    expiresAt: at(-106),
    endedAt,
  });
  const offers = [offer("etr_old", at(-91)), offer("etr_kept", at(-89)), offer("etr_open", null)];
  await deps.db.prisma.participantTransfer.createMany({ data: offers });
  expect(await deleteExpiredRows(deps)).toEqual({ participant_transfer: 1 });
  const left = await deps.db.prisma.participantTransfer.findMany({ orderBy: { id: "asc" } });
  expect(left.map(({ id }) => id)).toEqual(["etr_kept", "etr_open"]);
});
