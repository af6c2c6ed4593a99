import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, expectGoodLooks, query } from "../fixtures.ts";
import { test } from "./operator-fixtures.ts";

type Minute = { minutesAgo: number; requests: number; errors: number };

/** Figures of a process that answers all its requests in 121 to 180 ms. */
const report = async (process: string, minutes: readonly Minute[]): Promise<void> => {
  await query(async (client) => {
    for (const { minutesAgo, requests, errors } of minutes) {
      await client.query(
        `INSERT INTO request_minute (minute, process, requests, errors, counts)
         VALUES (date_trunc('minute', now()) - make_interval(mins => $1), $2, $3, $4,
                 array_fill(0::bigint, ARRAY[10]) || $3::bigint || array_fill(0::bigint, ARRAY[9]))`,
        [minutesAgo, process, requests, errors],
      );
    }
  }, "production");
};

const forget = (process: string): Promise<void> =>
  query(async (client) => {
    await client.query("DELETE FROM request_minute WHERE process = $1", [process]);
  }, "production");

const figure = (page: Page, name: string) => page.locator("dl > div").filter({ hasText: name }).getByRole("link");
const chart = (page: Page, name: string) => page.getByRole("figure", { name });

test("home shows the figures of all processes, and updates by itself (docs/spec/portal.md, Live figures)", async ({
  productionConsole: page,
}) => {
  const process = `e2e-${randomBytes(6).toString("hex")}`;
  await report(
    process,
    Array.from({ length: 56 }, (_, index) => ({
      minutesAgo: index + 3,
      requests: 90_000 + 1_500 * ((index * 7) % 11),
      errors: index % 9 === 0 ? 40 : 0,
    })),
  );
  try {
    await page.goto("/operator");
    await expect(figure(page, "Requests per minute")).toHaveText(/^\d{2,3},\d{3}/);
    await expect(figure(page, "95th percentile")).toHaveText("177 ms");
    await expect(figure(page, "Smallest remaining error budget")).toHaveText(/min left$/);
    await expect(figure(page, "Smallest remaining error budget")).toHaveAttribute("href", "/operator/budgets");
    await expect(figure(page, "Errors per minute")).toHaveAttribute("href", "/operator/incidents");
    await expect(page.getByRole("table", { name: "Queues" }).getByRole("row")).toHaveCount(6);
    const requests = chart(page, "Requests per minute");
    await expect(requests.locator("figcaption")).toContainText(/API and page requests in the last hour/);
    await requests.getByText("Show as a table").click();
    await expect(requests.getByRole("row")).toHaveCount(61);
    await expectGoodLooks(page, "operator-home");

    // The table stays open while the page updates.
    await report(process, [{ minutesAgo: 1, requests: 5_000_000, errors: 0 }]);
    await expect(requests.getByRole("cell", { name: /^5,0\d\d,\d{3}$/ })).toBeVisible();
    await page.getByRole("button", { name: "Pause updates" }).click();
    await expect(page.getByText(/^Paused \d\d:\d\d:\d\d/)).toBeVisible();

    await page.getByRole("link", { name: "Last 24 hours" }).click();
    await expect(page).toHaveURL(/range=day/);
    await expect(chart(page, "Requests per minute").locator("figcaption")).toContainText("in the last 24 hours");
  } finally {
    await forget(process);
  }
});

test("if a part of home is slow, an error is shown in its place; the next update shows the part", async ({
  productionConsole: page,
}) => {
  await query(async (client) => {
    await client.query("BEGIN");
    await client.query("LOCK TABLE request_minute IN ACCESS EXCLUSIVE MODE");
    await page.goto("/operator");
    await expect(page.getByText("Requests, errors and durations: loading is taking too long.")).toBeVisible();
    await expect(page.locator("dl > div").filter({ hasText: "Requests per minute" })).toContainText(
      "Loading is taking too long",
    );
    await expect(page.getByRole("table", { name: "Queues" }).getByRole("row")).toHaveCount(6);
    await expect(chart(page, "Charges by status")).toBeVisible();
    await expect(figure(page, "Smallest remaining error budget")).toHaveText(/min left$/);
    await client.query("ROLLBACK");
  }, "production");
  await expect(chart(page, "Requests per minute")).toBeVisible();
  await expect(page.getByText("loading is taking too long")).toHaveCount(0);
});

test("home of the sandbox has no error budgets, and a hidden page doesn't update", async ({ console: page }) => {
  await page.clock.install();
  await page.goto("/operator");
  await expect(chart(page, "Charges by status")).toBeVisible();
  await expect(page.getByText("Smallest remaining error budget")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Error budgets" })).toHaveCount(0);
  let updates = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/operator") updates += 1;
  });
  // The page updates when its script has started.
  await expect(async () => {
    await page.clock.fastForward(10_000);
    await expect.poll(() => updates, { timeout: 2_000 }).toBeGreaterThan(0);
  }).toPass();
  await page.evaluate(() =>
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true }),
  );
  const before = updates;
  await page.clock.runFor(30_000);
  expect(updates).toBe(before);
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect.poll(() => updates).toBe(before + 1);
});
