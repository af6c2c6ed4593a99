import { expect, test } from "vitest";
import { makeRequestKeys } from "./request-keys.ts";

test("the same refund gets the same key; another amount, reason or note gets another key", () => {
  let made = 0;
  const keyOf = makeRequestKeys(() => `key-${++made}`);
  const refund = { act: "refund", amountMinor: 500, reason: "other", note: "late" };
  expect(keyOf(refund)).toBe("key-1");
  expect(keyOf({ ...refund, note: "too late" })).toBe("key-2");
  expect(keyOf({ ...refund, reason: "duplicate" })).toBe("key-3");
  expect(keyOf({ ...refund, amountMinor: 501 })).toBe("key-4");
  expect(keyOf({ ...refund })).toBe("key-1");
});
