import { expect, test } from "vitest";
import { isEntryAddress } from "./entry-address.ts";

test.each([
  ["https://shop.example/", true],
  ["HTTPS://shop.example/a?b=c#d", true],
  ["https://bücher.example/straße", true],
  ["http://shop.example/", false],
  ["https:shop.example", false],
  ["https://shop.example@other.example/", false],
  ["https://user:secret@shop.example/", false],
  ["https://shop.example/\u202E", false],
  ["https://shop.example/\u0001", false],
  ["https://shop.example/\n", false],
  ["https://shop\t.example/", false],
  [" https://shop.example/", false],
  ["https://", false],
])("%j can be shown in an entry: %s", (address, expected) => {
  expect(isEntryAddress(address)).toBe(expected);
});
