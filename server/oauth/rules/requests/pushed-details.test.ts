import { expect, test } from "vitest";
import { readDetails } from "./pushed-details.ts";

test("a number whose text isn't an integer is never read as one (docs/spec/payments.md: amounts are integers)", () => {
  expect(readDetails('[{"max_total_amount":4999.9999999999999999}]')).toEqual([{ max_total_amount: Number.NaN }]);
  expect(readDetails('[{"max_total_amount":5000}]')).toEqual([{ max_total_amount: 5000 }]);
});
