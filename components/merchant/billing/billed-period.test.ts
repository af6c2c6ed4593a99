import { describe, expect, test } from "vitest";
import { formatBilledPeriod } from "./billed-period.ts";

describe("a billed period may wrap between its dates, but never inside a date", () => {
  test.each([
    ["2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z", "UTC", "1_Oct_2026 to 31_Oct_2026"],
    ["2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z", "Asia/Tokyo", "1_Oct_2026 to 31_Oct_2026_UTC"],
    ["2026-10-01T05:00:00Z", "2026-11-01T05:00:00Z", "UTC", "1_Oct_2026,_05:00_UTC – 1_Nov_2026,_05:00_UTC"],
  ])("%s to %s in %s", (from, to, timeZone, text) => {
    const formatted = formatBilledPeriod({ from, to }, { locale: "en-GB", timeZone });
    expect(formatted.replaceAll("\u00a0", "_").replaceAll("\u2009", " ")).toBe(text);
  });
});
