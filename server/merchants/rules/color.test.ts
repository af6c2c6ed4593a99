import { expect, test } from "vitest";
import { readColor } from "./color.ts";

test.each([
  ["#1a7f37", "#1a7f37"],
  [" 1A7F37 ", "#1a7f37"],
  ["#abc", "#aabbcc"],
  ["abcd", null],
  ["#12345g", null],
  ["red", null],
  ["#1a7f37; background: url(//evil.example)", null],
  ["", null],
])("the color %j is read as %s", (text, color) => expect(readColor(text)).toBe(color));
