import { expect, test } from "vitest";
import { isMerchantCategory } from "./mcc.ts";
import { merchantCategories, merchantCategoryName } from "./mcc-names.ts";

const codes = Array.from({ length: 10_000 }, (_, code) => String(code).padStart(4, "0"));

test("every code in use has a name, and no other code has one (ISO 18245)", () => {
  const named = codes.filter((code) => merchantCategoryName(code) !== null);
  expect(named).toEqual(codes.filter(isMerchantCategory));
});

test("a new merchant can choose every code except the codes of single brands; no two codes have the same name", () => {
  const own = codes.filter((code) => isMerchantCategory(code) && !code.startsWith("3"));
  expect(merchantCategories.map(([code]) => code)).toEqual(own);
  expect(new Set(merchantCategories.map(([, name]) => name)).size).toBe(own.length);
});
