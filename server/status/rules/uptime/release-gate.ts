type BudgetFigures = {
  name: string;
  objective: string;
  uptime: string | null;
  allowed_ms: number;
  used_ms: number;
  left_ms: number;
  used_up: boolean;
};

/** Minutes with one decimal. */
const minutes = (milliseconds: number, round: (value: number) => number): string =>
  (round(milliseconds / 6_000) / 10).toFixed(1);

/**
 * Whether the error budgets of a month allow a release, with one line per component. If no component was measured, the
 * release is not allowed.
 */
export const evaluateReleaseGate = (
  month: string,
  budgets: readonly BudgetFigures[],
): { isOpen: boolean; lines: string[] } => {
  const used = budgets.filter(({ used_up }) => used_up);
  const lines = budgets.map(({ name, objective, uptime, allowed_ms, used_ms, left_ms, used_up }) =>
    [
      `${used_up ? "✗" : "✓"} ${name}: ${minutes(left_ms, Math.floor)} of ${minutes(allowed_ms, Math.floor)} minutes left`,
      `${minutes(used_ms, Math.ceil)} used; uptime ${uptime === null ? "not measured" : `${uptime}%`}, objective ${objective}%`,
    ].join("; "),
  );
  const isKnown = budgets.some(({ uptime }) => uptime !== null);
  if (!isKnown)
    return {
      isOpen: false,
      lines: [...lines, `✗ ${month}: no component was measured, so the error budgets are unknown`],
    };
  const verdict =
    used.length === 0
      ? `✓ ${month}: no error budget is used up`
      : `✗ ${month}: reliability first: the error budget of ${used.map(({ name }) => name).join(", ")} is used up. Until the next month, release only reliability fixes.`;
  return { isOpen: used.length === 0, lines: [...lines, verdict] };
};
