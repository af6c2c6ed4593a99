import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { createTestDeps } from "#e2e/support/test-deps.ts";
import type { Sql } from "../../data/client.ts";
import { ensureStatusLists } from "./publish-status-lists.ts";
import { publishedLists } from "./published-lists.ts";

const replace = (etag: string) => ({ where: { id: "revocation-1" }, data: { body: etag, etag } });

it("serves a thousand readers from memory, and queries the database once per second", async () => {
  const deps = await createTestDeps();
  await ensureStatusLists(deps);
  let statements = 0;
  const sql: Sql = {
    query(statement, values) {
      statements += 1;
      return deps.db.sql.query(statement, values);
    },
  };
  const counted = { ...deps, db: { ...deps.db, sql } };
  const lists = publishedLists(counted);
  const read = async () => (await lists.body(await lists.newest("revocation"))).etag;
  await Promise.all(Array.from({ length: 1_000 }, read));
  expect(statements).toBe(2);
  await deps.db.prisma.statusList.update(replace("a newer list"));
  await sleep(1_050);
  expect(new Set(await Promise.all(Array.from({ length: 1_000 }, read)))).toEqual(new Set(["a newer list"]));
  expect(statements).toBe(4);
  await deps.close();
});

it("serves its cached lists for a minute while the database is unavailable, and then none", async () => {
  const deps = await createTestDeps();
  await ensureStatusLists(deps);
  const lists = publishedLists(deps);
  const { etag } = await lists.body(await lists.newest("token"));
  await deps.close();
  const machineTime = performance.now.bind(performance);
  const later = vi.spyOn(performance, "now").mockImplementation(() => machineTime() + 58_000);
  expect((await lists.body(await lists.newest("token"))).etag).toBe(etag);
  await expect(lists.body(await lists.newest("suspension"))).rejects.toMatchObject({ kind: "unavailable" });
  later.mockImplementation(() => machineTime() + 61_000);
  await expect(lists.newest("token")).rejects.toMatchObject({ kind: "unavailable" });
  later.mockRestore();
});

it("keeps serving a cached list if the database becomes unavailable before the next version of the list is read", async () => {
  const deps = await createTestDeps();
  await ensureStatusLists(deps);
  const lists = publishedLists(deps);
  const { etag } = await lists.body(await lists.newest("revocation"));
  await deps.db.prisma.statusList.update(replace("a newer list"));
  await sleep(1_050);
  const successor = await lists.newest("revocation");
  await deps.close();
  expect(successor.etag).toBe("a newer list");
  expect((await lists.body(successor)).etag).toBe(etag);
});
