import { expect, test } from "vitest";
import { asciiAddress, isEntryAddress } from "./entry-address.ts";

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

test.each([
  ["https://shop.example", "https://shop.example"],
  ["https://bücher.example/straße", "https://xn--bcher-kva.example/stra%C3%9Fe"],
  // Cyrillic letters that look like those of apple.example.
  ["https://аррӏе.example/", "https://xn--80ak6aa92e.example/"],
])("%s is stored as %s", (address, expected) => {
  expect(asciiAddress(address)).toBe(expected);
});
