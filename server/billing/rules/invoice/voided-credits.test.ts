import { expect, test } from "vitest";
import { toExact } from "../exact/exact.ts";
import { netCredits } from "./voided-credits.ts";

const line = (amount: bigint, discount = 0n) => ({ amount, discount, exact: toExact(amount) });
const exactsOf = (lines: ReturnType<typeof line>[]) => netCredits(lines).map(({ exact }) => exact);

test("the credit of the negative lines is reduced by the amount that the positive lines charge (docs/spec/billing.md, Invoices)", () => {
  expect(exactsOf([line(-93n)])).toEqual([toExact(-93n)]);
  expect(exactsOf([line(-300n), line(200n, 100n), line(-100n)])).toEqual([toExact(-225n), toExact(-75n)]);
  expect(exactsOf([line(200n), line(-200n)])).toEqual([0n]);
  expect(exactsOf([line(500n)])).toEqual([]);
});
