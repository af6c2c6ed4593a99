import { expect, test } from "vitest";
import { type ChartUnit, formatAxisValue, formatChartValue, formatPoint } from "./chart-values.ts";

const london = { locale: "en-GB", timeZone: "Europe/London" };
const berlin = { locale: "de-DE", timeZone: "Europe/Berlin" };

test.each<[number | null, ChartUnit, string, string]>([
  [123_456, { kind: "money", currency: "EUR" }, "€1,234.56", "1.234,56\u00a0€"],
  [1200, { kind: "money", currency: "JPY" }, "JP¥1,200", "1.200\u00a0¥"],
  [0.9531, { kind: "percent" }, "95.3%", "95,3\u00a0%"],
  [12_345, { kind: "count" }, "12,345", "12.345"],
  [340, { kind: "milliseconds" }, "340\u00a0ms", "340\u00a0ms"],
  [null, { kind: "count" }, "–", "–"],
])("the table shows %j as %j in the reader's locale", (value, unit, english, german) => {
  expect(formatChartValue(value, unit, london)).toBe(english);
  expect(formatChartValue(value, unit, berlin)).toBe(german);
});

test("the axis shows short values", () => {
  expect(formatAxisValue(125_000, { kind: "money", currency: "EUR" }, london)).toBe("€1.3k");
  expect(formatAxisValue(0, { kind: "money", currency: "EUR" }, london)).toBe("€0");
  expect(formatAxisValue(0.5, { kind: "percent" }, london)).toBe("50%");
  expect(formatAxisValue(750, { kind: "milliseconds" }, london)).toBe("750\u00a0ms");
  expect(formatAxisValue(1250, { kind: "milliseconds" }, london)).toBe("1.25s");
});

test("a day is shown as the same date in every zone, and an hour in the reader's zone", () => {
  expect(formatPoint("2026-11-26", "day", { locale: "en-GB", timeZone: "America/Los_Angeles" })).toBe("26\u00a0Nov");
  expect(formatPoint("2026-11-01", "month", berlin)).toBe("Nov.\u00a02026");
  expect(formatPoint("2026-11-26T12:00:00Z", "time", berlin)).toBe("13:00");
  expect(formatPoint("2026-11-26T12:00:00Z", "hour", berlin)).toBe("26.\u00a0Nov.,\u00a013:00");
});
