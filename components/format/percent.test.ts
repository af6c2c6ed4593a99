import { expect, test } from "vitest";
import { formatPercent, formatPercentage } from "./percent.ts";

test.each([
  ["en-GB", "20.5%"],
  ["en-DE", "20,5%"],
  ["de-DE", "20,5\u00a0%"],
])("in %s, 0.205 is %s: no space in English, a no-break space in German", (locale, text) => {
  expect(formatPercent(0.205, { locale })).toBe(text);
});

test.each([
  ["99.98", "99.98%"],
  ["99.900", "99.9%"],
  ["100", "100%"],
  ["19", "19%"],
  [0.29, "0.29%"],
  ["12.3456", "12.3456%"],
])("the percentage %s is not rounded", (percent, text) => {
  expect(formatPercentage(percent, { locale: "en-GB" })).toBe(text);
});
