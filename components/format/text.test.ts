import { expect, test } from "vitest";
import { formatList } from "./text.ts";

test.each([
  [[], ""],
  [["A"], "A"],
  [["A", "B"], "A and B"],
  [["A", "B", "C"], "A, B and C"],
])("lists %j as %j", (items, text) => expect(formatList(items)).toBe(text));
