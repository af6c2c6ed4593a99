import type { Page } from "@playwright/test";

type Source = { node?: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly };
type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] };

/**
 * The sum of all layout shifts since the page was opened, without those after an input, and the elements that moved,
 * largest shift first. The sum is at least as large as the cumulative layout shift (CLS), which is good below 0.1
 * (https://web.dev/articles/cls).
 */
export const layoutShiftOf = (page: Page): Promise<{ sum: number; moved: string[] }> =>
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
        ),
    };
  });
