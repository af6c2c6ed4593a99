import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { statusListLength } from "../../kernel/status-list-length.ts";
import { allocateStatus } from "../../mandates/status-indexes/allocate-status.ts";
import { markStatus } from "../../mandates/status-indexes/mark-status.ts";
import { makeMandateRow } from "../mandate-row.fixture.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const versionsOf = (mandateId: string) =>
  deps.db.prisma.mandateVersion.findMany({ where: { mandateId }, orderBy: { version: "asc" } });
const changes = () => deps.db.prisma.statusChange.count();
const allocate = (mandateId: string, version = 1) =>
  allocateStatus(deps, deps.db.sql, { mandateId, version, details: { currency: "EUR" }, at: deps.clock.now() });

describe("allocateStatus", () => {
  it("opens the first lists, one of each kind", async () => {
    const { id } = await makeMandateRow(deps);
    await allocate(id);
    const lists = await deps.db.prisma.statusList.findMany({ orderBy: { id: "asc" }, select: { id: true } });
    expect(lists.map((list) => list.id)).toEqual(["revocation-1", "suspension-1", "token-1"]);
  });

  it("gives every version its own index, even for 200 concurrent calls (one random index per mandate version)", async () => {
    const mandates = await Promise.all(Array.from({ length: 20 }, () => makeMandateRow(deps)));
    await Promise.all(mandates.flatMap(({ id }) => Array.from({ length: 10 }, (_, n) => allocate(id, n + 1))));
    const taken = await deps.db.prisma.mandateVersion.findMany({
      where: { mandateId: { in: mandates.map((m) => m.id) } },
    });
    expect(new Set(taken.map((row) => `${row.listNumber}:${row.statusIndex}`)).size).toBe(200);
    const spread = taken.filter((row) => row.statusIndex >= statusListLength / 2).length;
    expect(spread).toBeGreaterThan(60);
    expect(spread).toBeLessThan(140);
  });

  it("works in a Prisma transaction, and stores nothing if the transaction is rolled back", async () => {
    const { id } = await makeMandateRow(deps);
    const work = deps.db.transaction(async (tx) => {
      await allocateStatus(deps, tx.sql, {
        mandateId: id,
        version: 1,
        details: { purpose: "x" },
        at: deps.clock.now(),
      });
      await markStatus(tx.sql, { mandateId: id, version: "all", revoked: true, at: deps.clock.now() });
      expect(await tx.mandateVersion.count({ where: { mandateId: id, revoked: true } })).toBe(1);
      throw new Error("rolled back");
    });
    await expect(work).rejects.toThrow("rolled back");
    expect(await versionsOf(id)).toEqual([]);
  });

  it("marks the previous version as superseded, and keeps a suspended mandate's new version suspended", async () => {
    const { id } = await makeMandateRow(deps);
    await allocate(id, 1);
    await deps.db.prisma.mandate.update({ where: { id }, data: { state: "suspended", suspendedBy: ["payer"] } });
    const before = await changes();
    await allocate(id, 2);
    const [first, second] = await versionsOf(id);
    expect(first?.supersededAt).toEqual(deps.clock.now());
    expect(second).toMatchObject({ suspended: true, supersededAt: null });
    expect(await changes()).toBe(before + 1);
  });

  it("refuses a mandate that doesn't exist", async () => {
    await expect(allocate("mdt_unknown")).rejects.toThrow();
  });
});

describe("markStatus", () => {
  it("requests one build per changed list, and none if the bits are already set", async () => {
    const { id } = await makeMandateRow(deps);
    await allocate(id, 1);
    await allocate(id, 2);
    const at = deps.clock.now();
    const before = await changes();
    await markStatus(deps.db.sql, { mandateId: id, version: "all", suspended: true, at });
    expect(await changes()).toBe(before + 1);
    await markStatus(deps.db.sql, { mandateId: id, version: "all", suspended: true, at });
    expect(await changes()).toBe(before + 1);
    await markStatus(deps.db.sql, { mandateId: id, version: "all", suspended: false, at });
    expect(await changes()).toBe(before + 2);
  });

  it("revokes one version and leaves the other unchanged (narrowing)", async () => {
    const { id } = await makeMandateRow(deps);
    await allocate(id, 1);
    await allocate(id, 2);
    await markStatus(deps.db.sql, { mandateId: id, version: 1, revoked: true, at: deps.clock.now() });
    expect((await versionsOf(id)).map((row) => row.revoked)).toEqual([true, false]);
  });

  it("never reverts a revocation", async () => {
    const { id } = await makeMandateRow(deps);
    await allocate(id);
    const at = deps.clock.now();
    await markStatus(deps.db.sql, { mandateId: id, version: "all", revoked: true, at });
    await markStatus(deps.db.sql, { mandateId: id, version: "all", suspended: false, at });
    expect((await versionsOf(id))[0]?.revoked).toBe(true);
    const flip = deps.db.prisma.mandateVersion.updateMany({ where: { mandateId: id }, data: { revoked: false } });
    await expect(flip).rejects.toThrow("never flips back");
  });
});

describe("a full list", () => {
  it("is followed by only one new list, even for ten concurrent allocations", async () => {
    const { id } = await makeMandateRow(deps);
    // Every index of the list is used, so no allocation finds a free one. Ten concurrent allocations open the next list
    // once.
    await deps.db.prisma.$executeRawUnsafe(
      `INSERT INTO mandate_version (mandate_id, version, details, list_number, status_index, created_at)
       SELECT $1, 1000 + index, '{}', 1, index, now() FROM generate_series(0, ${statusListLength - 1}) AS index
       ON CONFLICT DO NOTHING`,
      id,
    );
    const mandates = await Promise.all(Array.from({ length: 10 }, () => makeMandateRow(deps)));
    await Promise.all(mandates.map((mandate) => allocate(mandate.id)));
    const rows = await deps.db.prisma.mandateVersion.findMany({
      where: { mandateId: { in: mandates.map((m) => m.id) } },
    });
    expect(rows.map((row) => row.listNumber)).toEqual(Array(10).fill(2));
    expect(await deps.db.prisma.statusList.count({ where: { number: 2 } })).toBe(3);
    expect(await deps.db.prisma.statusList.count()).toBe(6);
  });
});
