import { expect, test } from "vitest";
import { evaluateReleaseGate } from "./release-gate.ts";

const minute = 60_000;
const budget = (name: string, used_ms: number) => ({
  name,
  objective: "99.9",
  uptime: "99.987",
  allowed_ms: 43.2 * minute,
  used_ms,
  left_ms: Math.max(0, 43.2 * minute - used_ms),
  used_up: used_ms >= 43.2 * minute,
});

test("allows a release while every budget lasts, with the figures", () => {
  expect(evaluateReleaseGate("2026-11", [budget("Wallet portal", 10.25 * minute)])).toEqual({
    isOpen: true,
    lines: [
      "✓ Wallet portal: 32.9 of 43.2 minutes left; 10.3 used; uptime 99.987%, objective 99.9%",
      "✓ 2026-11: no error budget is used up",
    ],
  });
});

test("refuses a release once a budget is used up, to the millisecond, and names the component", () => {
  const { isOpen, lines } = evaluateReleaseGate("2026-11", [
    budget("Wallet portal", 43.2 * minute - 1),
    budget("Billing engine", 43.2 * minute),
  ]);
  expect(isOpen).toBe(false);
  expect(lines[0]).toContain("✓ Wallet portal: 0.0 of 43.2 minutes left");
  expect(lines.at(-1)).toContain("reliability first: the error budget of Billing engine is used up");
});

test("ignores a component without measurements", () => {
  const { isOpen, lines } = evaluateReleaseGate("2026-11", [
    { ...budget("Wallet portal", 0), uptime: null },
    budget("Billing engine", 0),
  ]);
  expect(isOpen).toBe(true);
  expect(lines[0]).toContain("not measured");
});

test.each([[[]], [[{ ...budget("Wallet portal", 0), uptime: null }]]])(
  "refuses a release if no component was measured, and says so",
  (budgets) => {
    const { isOpen, lines } = evaluateReleaseGate("2026-11", budgets);
    expect(isOpen).toBe(false);
    expect(lines.at(-1)).toContain("no component was measured");
  },
);
