import { expect, test } from "vitest";
import { orderCurrencies } from "./order-currencies.ts";

test.each([
  [["USD", "EUR", "USD", "CHF"], "EUR", ["EUR", "CHF", "USD"]],
  [["USD", "EUR"], null, ["EUR", "USD"]],
  [["USD", "EUR"], "JPY", ["EUR", "USD"]],
  [[], "EUR", []],
])(
  "the totals of %j, with %s preferred, are in the order %j (docs/spec/portal.md, Wallet)",
  (found, preferred, order) => {
    expect(orderCurrencies(found, preferred)).toEqual(order);
  },
);
