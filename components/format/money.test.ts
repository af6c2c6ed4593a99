import { expect, it } from "vitest";
import { formatAmount } from "./money.ts";

it("formats money with the currency's number of decimals, in the reader's locale", () => {
  expect(formatAmount(6000, "EUR", { locale: "en-GB" })).toBe("€60.00");
  expect(formatAmount(6000, "JPY", { locale: "en-GB" })).toBe("JP¥6,000");
  expect(formatAmount(6000n, "KWD", { locale: "de-DE" })).toBe("6,000\u00a0KWD");
});
