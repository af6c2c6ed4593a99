import type { Page } from "@playwright/test";

type Source = { node?: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly };
type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] };
export type LayoutShiftSum = { sum: number; moved: string };

/** The largest layout shift that counts as good (https://web.dev/articles/cls). */
export const maxLayoutShift = 0.1;

/**
 * The sum of all layout shifts since the page was opened, without those after an input, and the elements that moved: one
 * line per shift, the largest first. The sum is at least as large as the cumulative layout shift (CLS).
 */
export const layoutShiftOf = (page: Page): Promise<LayoutShiftSum> =>
  page.evaluate(async () => {
    const shifts: LayoutShift[] = [];
    new PerformanceObserver((list) => {
      shifts.push(...(list.getEntries() as LayoutShift[]).filter(({ hadRecentInput }) => !hadRecentInput));
    }).observe({ type: "layout-shift", buffered: true });
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await new Promise((resolve) => setTimeout(resolve));
    const place = ({ y, width, height }: DOMRectReadOnly): string =>
      `y ${Math.round(y)}, ${Math.round(width)} × ${Math.round(height)}`;
    const describe = ({ node, previousRect, currentRect }: Source): string => {
      const element = node instanceof Element ? node : node?.parentElement;
      const name = element ? `${element.localName}.${element.className}` : "a removed element";
      return `${name} (${element?.textContent.slice(0, 30)}): ${place(previousRect)} → ${place(currentRect)}`;
    };
    return {
      sum: shifts.reduce((total, { value }) => total + value, 0),
      moved: shifts
        .toSorted((a, b) => b.value - a.value)
        .map(({ value, startTime, sources }) =>
          [`${value.toFixed(3)} after ${Math.round(startTime)} ms`, ...sources.map(describe)].join("; "),
        )
        .join("\n"),
    };
  });
