import { expect, test } from "vitest";
import { toCamel, toSnake } from "./names.ts";

const camel = {
  maxAmountPerPayment: 5,
  periodicLimits: [{ period: "day", maxPayments: 1 }],
  "clientName#de-AT": "Helfer",
  metadata: { order_id: "1", orderLine: "2" },
  reference: null,
};
const snake = {
  max_amount_per_payment: 5,
  periodic_limits: [{ period: "day", max_payments: 1 }],
  "client_name#de-AT": "Helfer",
  metadata: { order_id: "1", orderLine: "2" },
  reference: null,
};

test("converts names in both directions, except names inside metadata and language tags", () => {
  expect(toSnake(camel)).toEqual(snake);
  expect(toCamel(snake)).toEqual(camel);
});

test("leaves out members that are undefined", () => {
  expect(Object.keys(Object(toSnake({ scope: undefined, state: "s" })))).toEqual(["state"]);
});
