import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { runVitest } from "../run-check.ts";
import { createProgress } from "./progress.ts";

/** Uses `globals`, because files outside of the project folder can't import Vitest. */
const files = {
  "vitest.config.mjs":
    'export default { test: { projects: [{ test: { name: "scratch", globals: true, include: ["*.test.mjs"] } }] } };',
  "some.test.mjs": `
    test("passes", () => {});
    describe("a suite", () => {
      test("never ends", () => new Promise(() => {}), 600_000);
    });
    test("is not reached", () => {});`,
  "hook.test.mjs": `
    beforeAll(() => new Promise(() => {}), 600_000);
    test("waits for its hook", () => {});`,
};

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-ended-"));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(directory, name), text);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test("if a part is ended early, its outcome names the tests that were running and counts them as failed", async () => {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const progress = createProgress(["scratch"], { write: () => {} });
  const begin = vi.spyOn(progress, "begin");
  const bounds = { stopped: stopping.signal, endsAt: Number.POSITIVE_INFINITY, progress };
  const part = { name: "scratch", project: "scratch", seconds: 200, args: [`--root=${directory}`, "--maxWorkers=2"] };
  const outcome = runVitest(bounds, part);
  const titles = async () => {
    const result = begin.mock.results[0];
    return result?.type === "return" ? result.value.running().map(({ title }) => title) : [];
  };
  await expect.poll(titles).toContain("a suite > never ends");
  await expect.poll(titles).toHaveLength(2);
  stopping.abort();
  const { output, failures, ...totals } = await outcome;
  expect(totals).toMatchObject({ passed: 1, failed: 2 });
  expect(failures?.map(({ title }) => title).sort()).toEqual([
    "(loading, beforeAll or afterAll)",
    "a suite > never ends",
  ]);
  expect(output).toContain("scratch was ended: the run was stopped.");
  expect(output).toMatch(/^ {2}some\.test\.mjs > a suite > never ends \(\d+ s\)$/m);
  expect(output).toMatch(/^ {2}hook\.test\.mjs > \(loading, beforeAll or afterAll\) \(\d+ s\)$/m);
  progress.close();
});
