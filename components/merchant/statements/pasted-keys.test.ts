import { expect, test } from "vitest";
import { readPastedKeys } from "./pasted-keys.ts";

const key = { kty: "EC", crv: "P-256", x: "x", y: "y" };

test("a JWK Set is accepted, and a single key becomes a set", () => {
  expect(readPastedKeys(JSON.stringify({ keys: [key, key] }))).toEqual({ jwks: { keys: [key, key] } });
  expect(readPastedKeys(JSON.stringify(key))).toEqual({ jwks: { keys: [key] } });
});

test.each([
  ["text that isn't JSON", "keys"],
  ["a private key", JSON.stringify({ ...key, d: "secret" })],
  ["a set with a private key", JSON.stringify({ keys: [key, { ...key, d: "secret" }] })],
  ["a set with an item that isn't a key", JSON.stringify({ keys: [7] })],
])("refuses %s", (_name, text) => {
  expect(readPastedKeys(text)).toEqual({ problem: expect.any(String) });
});
