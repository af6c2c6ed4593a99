import { expect, test } from "vitest";
import { readCursor, toCursor } from "./participant-cursor.ts";

test("a cursor contains its position in the list", () => {
  const place = { updatedAt: new Date("2026-11-28T08:00:00.123Z"), id: "ptc_7Qm4xTzKc9WvBn2rYsHd6gJp" };
  expect(readCursor(toCursor(place))).toEqual(place);
});

test.each([
  "",
  "zzz",
  "AAAA",
  Buffer.from("1 mch_a").toString("base64url"),
  Buffer.from("1 ptc_\0").toString("base64url"),
  Buffer.from("1e3 ptc_a").toString("base64url"),
  Buffer.from("9999999999999999 ptc_a").toString("base64url"),
])("isn't a cursor: %j", (text) => {
  expect(readCursor(text)).toBeNull();
});
