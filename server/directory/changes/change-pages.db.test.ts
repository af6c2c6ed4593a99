import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { statement } from "../../data/client.ts";
import { insertParticipant, updateParticipant } from "../../data/directory/participant-changes.ts";
import { claimEnvironment } from "../../data/platform/environment.ts";
import { emptySandbox } from "../../data/sandbox/sandbox-reset.ts";
import { publishLogTick } from "../../jobs/directory/publish-log.ts";
import { compressBundles } from "../log/compress-bundles.ts";
import { publishWholeLog } from "../log/publish-log.ts";
import { findPublishedBundle, findPublishedTile } from "../log/published-log.ts";
import { verifyLog } from "../log/verify-log.ts";
import { recordVersion } from "../participants/record-version.ts";
import { compressedLevel, entriesLevel } from "../rules/log/tiles.ts";
import { changeFormats, renderPage } from "./change-page.ts";
import { getChangePage } from "./get-change-page.ts";
import { listChanges } from "./list-changes.ts";
import { storeChangePages } from "./store-change-pages.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  await claimEnvironment(deps.db, { kind: "sandbox", issuer: deps.config.baseUrl, fingerprint: "none" });
  await addChanges(560);
  await publishWholeLog(deps);
});
afterAll(() => deps.close());

let writers = 0;
/** Adds this number of entries to the log. */
const addChanges = (count: number) =>
  deps.db.sqlTransaction(async (sql) => {
    const at = deps.clock.now();
    const id = `ptc_pages${writers++}`;
    const { environment } = deps.config;
    await insertParticipant(sql, { id, role: "client", merchantId: null, displayName: id, legalName: null, at });
    await recordVersion(sql, { id, change: "registered", changedBy: "client", at, environment });
    const fields = {
      legalName: null,
      websiteUri: null,
      logoUri: null,
      contacts: [],
      metadataUris: [],
      maxChargeAmounts: [],
      isWithdrawn: false,
    };
    for (let turn = 1; turn < count; turn += 1) {
      await updateParticipant(sql, id, { edit: { ...fields, displayName: `Name ${turn} <&>` }, contactSalts: [], at });
      await recordVersion(sql, { id, change: "edited", changedBy: "client", at, environment });
    }
  });

const storedPages = () =>
  deps.db.prisma.directoryChangePage.findMany({ orderBy: [{ rendering: "asc" }, { first: "asc" }] });
const rendered = (format: "json" | "atom") => async (from: number) => {
  const page = await listChanges(deps, { from, limit: 100 });
  return renderPage({ format, discoveryUrl: deps.config.discoveryUrl }, { from, ...page });
};
const markStored = statement<never>("mark_stored_pages", "UPDATE directory_change_page SET body = 'stored'");

describe("pages of the changes (docs/spec/directory.md, History)", () => {
  test("are stored once they are full and followed by a change, also if several processes store them at the same time", async () => {
    const other = await anotherNode(deps);
    const runs = [deps, other, deps].map((node) => storeChangePages(node));
    expect((await Promise.all(runs)).every(({ hasMore }) => !hasMore)).toBe(true);
    await other.close();
    const pages = await storedPages();
    expect(pages.map(({ first }) => Number(first))).toEqual([0, 100, 200, 300, 400, 0, 100, 200, 300, 400]);
    expect(await storeChangePages(deps)).toEqual({ stored: 0, hasMore: false });
    await addChanges(40);
    expect(await storeChangePages(deps)).toEqual({ stored: 0, hasMore: false });
    await addChanges(1);
    expect(await storeChangePages(deps)).toEqual({ stored: 2, hasMore: false });
  });

  test.each(changeFormats)(
    "are served from storage, with the same bytes and ETag as a newly rendered page: %s",
    async (format) => {
      for (const from of [0, 500]) {
        expect(await getChangePage(deps, { format, from, limit: 100 })).toEqual(await rendered(format)(from));
      }
      const kept = await storedPages();
      await deps.db.sql.query(markStored, []);
      expect((await getChangePage(deps, { format, from: 100, limit: 100 })).body).toBe("stored");
      for (const page of [
        { from: 100, limit: 99 },
        { from: 101, limit: 100 },
        { from: 600, limit: 100 },
      ]) {
        expect((await getChangePage(deps, { format, ...page })).body).not.toBe("stored");
      }
      const config = { ...deps.config, discoveryUrl: "https://other.example/directory" };
      expect((await getChangePage({ ...deps, config }, { format, from: 100, limit: 100 })).body).not.toBe("stored");
      for (const { body, ...page } of kept) {
        const { rendering, first } = page;
        await deps.db.prisma.directoryChangePage.update({
          where: { rendering_first: { rendering, first } },
          data: { body },
        });
      }
    },
  );

  test("end at a multiple of 100, so that a reader who started elsewhere gets the stored pages", async () => {
    const sizes: number[] = [];
    let from = 250;
    for (let hasMore = true; hasMore; ) {
      const { body } = await getChangePage(deps, { format: "json", from, limit: 100 });
      const page = JSON.parse(body) as { data: { log_index: number }[]; has_more: boolean; next_cursor: string };
      expect(page.data.map(({ log_index }) => log_index)).toEqual(page.data.map((_, offset) => from + offset));
      sizes.push(page.data.length);
      [from, hasMore] = [Number(page.next_cursor), page.has_more];
    }
    expect(sizes).toEqual([50, 100, 100, 100, 1]);
  });

  test("are deleted after a day if their layout or address has changed", async () => {
    const [page] = await storedPages();
    if (!page) throw new Error("no page is stored");
    await deps.db.prisma.directoryChangePage.create({ data: { ...page, rendering: "earlier" } });
    const earlier = () => deps.db.prisma.directoryChangePage.count({ where: { rendering: "earlier" } });
    await addChanges(100);
    await storeChangePages(deps);
    expect(await earlier()).toBe(1);
    deps.clock.advance(25 * 3600);
    await addChanges(100);
    await storeChangePages(deps);
    expect([await earlier(), (await storedPages()).length]).toEqual([0, 16]);
  });
});

describe("full bundles of entries (docs/spec/directory.md, Transparency log)", () => {
  test("are stored with gzip once they are published; the verifier finds a changed bundle", async () => {
    await publishWholeLog(deps);
    const numbers = () =>
      deps.db.prisma.directoryLogTile.findMany({ where: { level: compressedLevel }, orderBy: { number: "asc" } });
    const other = await anotherNode(deps);
    await Promise.all([compressBundles(deps), compressBundles(other)]);
    await compressBundles(deps);
    await other.close();
    const tiles = await numbers();
    expect(tiles.map(({ number }) => Number(number))).toEqual([0, 1, 2]);
    for (const { number, bytes } of tiles) {
      const bundle = { number: Number(number), width: 256 };
      expect(await findPublishedBundle(deps, bundle)).toEqual(Buffer.from(bytes));
      expect(gunzipSync(bytes)).toEqual(await findPublishedTile(deps, { level: entriesLevel, ...bundle }));
    }
    const partial = await findPublishedBundle(deps, { number: 1, width: 3 });
    expect(gunzipSync(partial ?? "")).toEqual(
      await findPublishedTile(deps, { level: entriesLevel, number: 1, width: 3 }),
    );
    expect(await findPublishedBundle(deps, { number: 3, width: 256 })).toBeNull();
    expect(await verifyLog(deps.db.sql)).toEqual([]);
    const where = { level_number: { level: compressedLevel, number: 1 } };
    await deps.db.prisma.directoryLogTile.update({ where, data: { bytes: tiles[0]?.bytes ?? Buffer.alloc(0) } });
    expect(await verifyLog(deps.db.sql)).toEqual(["the compressed bundle 1 differs from the entries"]);
  });

  test("are deleted when the sandbox is reset, like pages of changes; the job then stores the bundles and pages of the new log", async () => {
    await deps.db.transaction((tx) => emptySandbox(tx, deps.clock.now()));
    expect([await storedPages(), await deps.db.prisma.directoryLogTile.count()]).toEqual([[], 0]);
    await addChanges(257);
    while ((await publishLogTick.run(deps)).hasMore);
    expect((await storedPages()).length).toBe(4);
    expect(await verifyLog(deps.db.sql)).toEqual([]);
    expect(await findPublishedBundle(deps, { number: 0, width: 256 })).not.toBeNull();
  });
});
