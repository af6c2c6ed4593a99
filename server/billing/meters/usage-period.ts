import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { type Period, periodOf, periodProblem } from "../rules/usage-period.ts";

export type RequestedPeriod = { from: Date | null; to: Date | null };

/** @param timeZone time zone of the default period. @throws DomainError invalid, naming the field. */
export const decidePeriod = async (
  { businessClock }: Pick<Deps, "businessClock">,
  requested: RequestedPeriod,
  timeZone = "UTC",
): Promise<Period> => {
  const period = periodOf(requested, await businessClock.now(), timeZone);
  const problem = periodProblem(period);
  if (problem === null) return period;
  const message = `${problem.pointer.slice(1)} ${problem.detail}.`;
  throw new DomainError("invalid", { code: "invalid_request", message, errors: [problem] });
};
