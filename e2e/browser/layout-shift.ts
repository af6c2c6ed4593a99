import type { Page } from "@playwright/test";

type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean };

/**
 * The sum of all layout shifts since the page was opened, without those after an input. It is at least as large as the
 * cumulative layout shift (CLS), which is good below 0.1 (https://web.dev/articles/cls).
 */
export const layoutShiftOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) if (!entry.hadRecentInput) sum += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await new Promise((resolve) => setTimeout(resolve));
    return sum;
  });
