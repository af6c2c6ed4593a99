import type { Browser } from "@playwright/test";
import { expect, type Payer, signInBySession, untilIdle } from "../fixtures.ts";
import { type LayoutShiftSum, layoutShiftOf, maxLayoutShift } from "../layout-shift.ts";
import { join } from "../merchant/merchant-fixtures.ts";
import { test } from "../operator/operator-fixtures.ts";
import { openApprovedMandate } from "../wallet/pending-charge.ts";

// docs/spec/portal.md, Pages: at most 170 kB of JavaScript at the first visit. `MEASURE=1 npm run browser --
// portal/loading` prints the median of five first visits, with the largest contentful paint (LCP).

const visits = process.env["MEASURE"] ? 5 : 1;

type Visit = {
  lcpMilliseconds: number;
  scriptBytes: number;
  encodings: string[];
  layoutShift: LayoutShiftSum;
};

/** A visit by a browser with an empty cache. */
const firstVisit = async (
  browser: Browser,
  payer: Payer,
  { url, width = 1440 }: { url: string; width?: number },
): Promise<Visit> => {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  await signInBySession(context, payer, { baseUrl: url });
  const page = await context.newPage();
  const encodings = new Set<string>();
  page.on("response", (answer) => {
    const isCompressible = ["document", "script", "stylesheet"].includes(answer.request().resourceType());
    if (isCompressible) encodings.add(answer.headers()["content-encoding"] ?? "none");
  });
  await page.goto(url);
  await untilIdle(page);
  const measured = await page.evaluate(async () => {
    const lcp = await new Promise<number>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
        type: "largest-contentful-paint",
        buffered: true,
      });
    });
    const scripts = performance
      .getEntriesByType("resource")
      .filter((entry): entry is PerformanceResourceTiming => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => name.endsWith(".js"));
    return { lcp, scriptBytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) };
  });
  const layoutShift = await layoutShiftOf(page);
  await context.close();
  return { lcpMilliseconds: measured.lcp, scriptBytes: measured.scriptBytes, encodings: [...encodings], layoutShift };
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test("the homes load at most 170 kB of JavaScript, with Brotli, and don't move while they load", async ({
  browser,
  console: page,
  operator,
  sandboxUrl,
}) => {
  const { mandateId, merchant } = await openApprovedMandate(page, sandboxUrl);
  await join(operator, merchant.merchantId, "owner");
  for (const path of ["/", "/wallet", `/wallet/mandates/${mandateId}`, "/merchant", "/operator"]) {
    const url = `${sandboxUrl}${path}`;
    const all: Visit[] = [];
    for (let visit = 0; visit < visits; visit += 1) all.push(await firstVisit(browser, operator, { url }));
    const [lcp, bytes] = [median(all.map((each) => each.lcpMilliseconds)), all[0]?.scriptBytes ?? 0];
    console.log(
      `${path.replace(mandateId, "…")}: LCP ${Math.round(lcp)} ms, ${(bytes / 1000).toFixed(1)} kB of JavaScript`,
    );
    expect(bytes, path).toBeLessThanOrEqual(170_000);
    expect(all[0]?.encodings, path).toEqual(["br"]);
    all.push(await firstVisit(browser, operator, { url, width: 390 }));
    for (const { layoutShift } of all) {
      expect(layoutShift.sum, `${path}\n${layoutShift.moved}`).toBeLessThan(maxLayoutShift);
    }
  }
});

test("a layout shift is measured", async ({ page }) => {
  await page.goto("/");
  await page.evaluate(async () => {
    const spacer = document.createElement("div");
    spacer.style.height = "400px";
    document.body.prepend(spacer);
  });
  await expect.poll(async () => (await layoutShiftOf(page)).sum).toBeGreaterThan(maxLayoutShift);
});
