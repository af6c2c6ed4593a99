import type { ComponentState } from "../board.ts";
import { type ComponentKey, components } from "../components.ts";
import { severityOf } from "../severity.ts";
import { type CheckResult, checkDefinitions } from "./checks.ts";

/** The reason for a component without checks. */
export const notDeployed = "Not deployed";

/** A component's state according to one run of all checks. */
export type Observation = { component: ComponentKey; state: ComponentState; reason: string };

/**
 * The worst state of all failed checks applies. A missing response and "not found" are failures too, except for an
 * optional component that was never seen working.
 * @param isKnown whether a probe ever saw the component work.
 */
export const observe = (
  results: readonly CheckResult[],
  isKnown: (component: ComponentKey) => boolean,
): Observation[] =>
  components.map(({ key }) => {
    const own = results.filter(({ check }) => checkDefinitions[check].component === key);
    const isExpected = isKnown(key) || own.some(({ check }) => !checkDefinitions[check].isOptional);
    const isGone = ({ outcome }: CheckResult) => outcome === "no_response" || outcome === "not_found";
    const failed = own.filter((result) => result.outcome === "failed" || (isExpected && isGone(result)));
    const [worst] = failed.toSorted((left, right) => severityOf(failureOf(right)) - severityOf(failureOf(left)));
    if (worst) return { component: key, state: failureOf(worst), reason: reasonOf(worst) };
    if (own.some(({ outcome }) => outcome === "ok"))
      return { component: key, state: "operational", reason: "All checks pass" };
    return { component: key, state: "unknown", reason: own[0] ? reasonOf(own[0]) : notDeployed };
  });

const missedResponse = "the response was missed";

/**
 * Adjusts the results of a run that may have missed responses. If a check of a component got no response, only the
 * failed checks of this component count.
 */
export const withoutUnreliableResults = (
  results: readonly CheckResult[],
  isKnown: (component: ComponentKey) => boolean,
): CheckResult[] => {
  const unreliable = new Set(
    results.filter(({ outcome }) => outcome === "no_response").map(({ check }) => checkDefinitions[check].component),
  );
  return results.map((result) =>
    result.outcome !== "failed" && unreliable.has(checkDefinitions[result.check].component)
      ? {
          ...result,
          outcome: "not_run",
          detail: isKnown(checkDefinitions[result.check].component) ? missedResponse : result.detail,
        }
      : result,
  );
};

const failureOf = ({ check }: CheckResult): ComponentState => checkDefinitions[check].failure;
const reasonOf = ({ check, detail }: CheckResult): string => `${checkDefinitions[check].label}: ${detail}`;
