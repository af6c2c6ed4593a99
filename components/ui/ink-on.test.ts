import { describe, expect, test } from "vitest";
import { contrast, inkOn } from "./ink-on.ts";

describe("text on a color of a merchant (WCAG 2.2 SC 1.4.3)", () => {
  test.each([
    ["#000000", "#ffffff", 21],
    ["#ffffff", "#ffffff", 1],
    ["#777777", "#ffffff", 4.48],
    ["#1a7f37", "#ffffff", 5.08],
  ])("%s and %s have a ratio of %f", (one, other, ratio) => expect(contrast(one, other)).toBeCloseTo(ratio, 1));

  test("black or white has at least 4.5:1 on every color", () => {
    const steps = Array.from({ length: 18 }, (_, index) => (index * 15).toString(16).padStart(2, "0"));
    for (const red of steps) {
      for (const green of steps) {
        for (const blue of steps) {
          const color = `#${red}${green}${blue}`;
          expect(contrast(color, inkOn(color)), color).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  });
});
