import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { appendAuditAlone } from "../data/audit/audit.ts";
import { isDomainError } from "../kernel/errors.ts";
import { readAuditHead } from "./audit-head.ts";
import { chainEntries } from "./chain-entries.ts";
import { emptyLog } from "./empty-log.fixture.ts";
import { exportAudit, exportPart } from "./export-audit.ts";
import { type AuditQuery, searchAudit } from "./search-audit.ts";
import { verifyAuditPart } from "./verify-audit.ts";
import { verifyExport } from "./verify-export.ts";

let deps: TestDeps;
let whole: string[];

const at = (text: string) => new Date(text);
const append = (total: number, more: object = {}) =>
  Promise.all(
    Array.from({ length: total }, (_, index) =>
      appendAuditAlone(deps.db, {
        at: deps.clock.now(),
        actor: { kind: "client", id: `cl_test_${index % 2}` },
        action: "token.issued",
        subjectId: `grt_${index}`,
        requestId: `req_${index}`,
        data: { jti: `j${index}`, text: "ö\u2028\ud83d\ude00" },
        ...more,
      }),
    ),
  );

const collect = async (lines: AsyncIterable<string>) => {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
};

async function* linesOf(lines: readonly string[]) {
  yield* lines;
}
const verify = (lines: readonly string[], options: Partial<Parameters<typeof verifyExport>[1]> = {}) =>
  verifyExport(linesOf(lines), { now: deps.clock.now(), ...options });
const problems = async (lines: readonly string[]) => (await verify(lines)).problems.map(({ problem }) => problem);

beforeAll(async () => {
  deps = await createTestDeps({ now: at("2026-11-21T12:00:00Z") });
  await emptyLog(deps);
  for (let round = 0; round < 80; round++) {
    await append(15);
    await chainEntries(deps);
    deps.clock.advance(60);
  }
  whole = await collect(exportAudit(deps));
});
afterAll(() => deps.close());

describe("an export", () => {
  it("contains every entry with its proof, and is verified without a database", async () => {
    const report = await verify(whole);
    expect(report).toMatchObject({ entries: 1200, omitted: 0, problems: [], issuer: deps.config.baseUrl });
    expect(report.head?.kid).toBe(deps.keys.signingKey("receipt").kid);
  });

  it("is the same file if it is exported in parts while the log grows", async () => {
    const lines: string[] = [];
    let parts = 0;
    for (let cursor: Parameters<typeof exportPart>[1]["cursor"] = null; ; ) {
      const part = await exportPart(deps, { cursor });
      parts += 1;
      lines.push(...part.lines);
      await append(1);
      await chainEntries(deps);
      if (!part.cursor) break;
      cursor = part.cursor;
    }
    expect(parts).toBeGreaterThan(1);
    expect(lines.slice(1, -1)).toEqual(whole.slice(1, -1));
    expect(await problems(lines)).toEqual([]);
  });

  it("has a head that names the start of a shard that had no blocks when the export began", async () => {
    const ends = [0, 0, 0, 0];
    const { lines } = await exportPart(deps, { cursor: { shard: 0, after: 0, ends } });
    const { shards } = await readAuditHead((JSON.parse(lines.at(-1) ?? "") as { head: string }).head);
    expect(shards.map(({ number }) => number)).toEqual(ends);
  });

  it("contains the entries of one period and the whole chain if a period is given", async () => {
    const lines = await collect(
      exportAudit(deps, { from: at("2026-11-21T12:10:00Z"), to: at("2026-11-21T12:20:00Z") }),
    );
    const report = await verify(lines);
    expect(report).toMatchObject({ entries: 150, problems: [] });
    expect(report.omitted).toBeGreaterThan(1000);
  });

  const entryLine = () => whole.findIndex((line) => line.startsWith('{"entry"') && line.includes('"seq":500,'));
  const blockLine = () => whole.findIndex((line) => line.startsWith('{"block"') && line.includes('"number":10,'));

  it.each<[string, () => string[], string]>([
    [
      "a changed entry",
      () => whole.with(entryLine(), whole[entryLine()]?.replace("grt_", "grt_x") ?? ""),
      "entry 500 was changed",
    ],
    [
      "a missing entry",
      () => whole.toSpliced(entryLine(), 1),
      "1 entry is missing after entry 499 and before entry 501",
    ],
    ["an inserted entry", () => whole.toSpliced(entryLine(), 0, whole[entryLine()] ?? ""), "entry 500 was inserted"],
    ["a missing block", () => whole.toSpliced(blockLine(), 1), "block 11 follows block 9"],
    [
      "a missing end",
      () => [...whole.slice(0, blockLine()), whole.at(-1) ?? ""],
      "the chain ends here, but should end at block 69",
    ],
    ["a missing head", () => whole.slice(0, -1), "the export has no signed head: its end may be missing"],
    [
      "entries that are falsely marked as left out",
      () => whole.with(blockLine(), whole[blockLine()]?.replace(/\}$/, ',"omitted":true}') ?? ""),
      "its entries are missing, or don't belong in the export",
    ],
  ])("reports %s", async (_title, alter, expected) => {
    expect(await problems(alter())).toContain(expected);
  });

  it("reports an altered head and an invalid line", async () => {
    const head = whole.at(-1) ?? "";
    await expect(verify([...whole.slice(0, -1), head.replace(/.{10}"\}$/, '0123456789"}')])).rejects.toThrow(
      /^line \d+: /,
    );
    await expect(verify(['{"entry":{}}'])).rejects.toThrow(/^line 1: /);
    await expect(verify([whole[0] ?? "", '{"entry":{"seq":1,"note":"x"}}'])).rejects.toThrow(/^line 2: /);
    await expect(verify([])).rejects.toThrow("the file is empty");
  });

  it("must contain the end of an earlier signed head", async () => {
    const early = await readAuditHead((JSON.parse(whole.at(-1) ?? "") as { head: string }).head);
    const later = await collect(exportAudit(deps));
    expect((await verify(later, { anchors: [early] })).problems).toEqual([]);
    const other = { ...early, shards: early.shards.map((end) => ({ ...end, hash: "x".repeat(43) })) };
    expect((await verify(later, { anchors: [other] })).problems.map(({ problem }) => problem)).toContain(
      "the block differs from the signed one",
    );
  });
});

describe("verifyAuditPart", () => {
  it("verifies a shard from the end of the previous part", async () => {
    const first = await verifyAuditPart(deps, { shard: 0, after: 0 });
    expect(first).toMatchObject({ problems: [], next: null });
    expect(await verifyAuditPart(deps, { shard: 0, after: 30 })).toMatchObject({
      problems: [],
      blocks: first.blocks - 30,
    });
    expect((await verifyAuditPart(deps, { shard: 0, after: 9999 })).problems).toHaveLength(1);
  });
});

describe("searchAudit", () => {
  const search = async (query: AuditQuery) => (await searchAudit(deps, query)).entries;

  it("searches by time, actor, action, subject and request, newest first", async () => {
    const hour = { from: at("2026-11-21T12:00:00Z"), to: at("2026-11-21T12:01:00Z") };
    expect(await search(hour)).toHaveLength(15);
    await append(1, { at: hour.from, action: "signing_key.created" });
    expect(await search({ ...hour, action: "signing_key.created" })).toHaveLength(1);
    expect(await search({ ...hour, action: "token.issued", actorId: "cl_test_1" })).toHaveLength(7);
    expect(await search({ ...hour, subjectId: "grt_3" })).toMatchObject([{ requestId: "req_3" }]);
    expect(await search({ requestId: "req_3", limit: 500 })).toHaveLength(80);
    expect(await search({ ...hour, requestId: "req_99" })).toEqual([]);
    const sequences = (await search({ limit: 500 })).map(({ seq }) => seq);
    expect(sequences).toEqual(sequences.toSorted((left, right) => right - left));
  });

  it("returns every entry once across pages, even if entries have the same instant or new entries are written", async () => {
    const window = { from: at("2026-11-21T12:00:00Z"), to: at("2026-11-21T13:21:00Z") };
    const seen: number[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await searchAudit(deps, { ...window, limit: 100, cursor });
      seen.push(...page.entries.map(({ seq }) => seq));
      await append(1, { at: at("2026-11-21T14:00:00Z") });
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((seq) => seq <= 1200)).toHaveLength(1200);
  });

  it.each<[string, AuditQuery]>([
    ["#from", { from: at("2026-11-21T12:00:00Z"), to: at("2026-11-21T12:00:00Z") }],
    ["#limit", { limit: 501 }],
    ["#cursor", { cursor: "x'y" }],
  ])("refuses an invalid %s and names it", async (pointer, query) => {
    const error = await searchAudit(deps, query).catch((thrown: unknown) => thrown);
    expect(isDomainError(error) && error.errors[0]?.pointer).toBe(pointer);
  });
});
