import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

/** The minified source of axe-core, which is half as large as its `source` export. */
const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** WCAG 2.2 AA and axe's best practices. No page has frames of other origins, and the frame of a mail has no script. */
const options = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  resultTypes: ["violations"],
  preload: false,
  iframes: false,
} satisfies axe.RunOptions;

/** @returns null if axe isn't loaded yet. Each document must load it once. */
const analyze = (page: Page, except: string | undefined): Promise<string[] | null> =>
  page.evaluate(
    async ([axeOptions, excluded]) => {
      const { axe: runner } = window as unknown as { axe?: typeof axe };
      if (!runner) return null;
      const context = excluded === undefined ? document : { exclude: [excluded] };
      const { violations } = await runner.run(context, axeOptions);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
    },
    [options, except] as const,
  );

/**
 * Colors fade after some actions, for example when a button becomes enabled, so the analysis is repeated. On a busy
 * machine, one analysis of a large page takes several seconds.
 */
const fade = { timeout: 60_000, intervals: [500] };

/** @param except a selector of elements that other tests check */
export const expectNoAxeViolations = (page: Page, except?: string): Promise<void> =>
  expect(async () => {
    let violations = await analyze(page, except);
    if (violations === null) {
      await page.evaluate(source);
      violations = await analyze(page, except);
    }
    expect(violations).toEqual([]);
  }).toPass(fade);
