import { expect, test } from "vitest";
import { cdnUrlOf, issuerOf } from "./own-address.ts";

test.each([
  ["https://pay.example/cdn/v1/paygrant.js", "https://pay.example/cdn", "https://pay.example"],
  ["https://pay.example/cdn/assets/paygrant.0a.mjs", "https://pay.example/cdn", "https://pay.example"],
  ["https://pay.example/tenant/cdn/v1/paygrant.js", "https://pay.example/tenant/cdn", "https://pay.example/tenant"],
  ["https://cdn.example/v1/paygrant.js", "https://cdn.example", null],
  ["https://shop.example/vendor/paygrant.js", null, null],
  [undefined, null, null],
])("%s", (script, cdnUrl, issuer) => {
  expect([cdnUrlOf(script), issuerOf(script)]).toEqual([cdnUrl, issuer]);
});
