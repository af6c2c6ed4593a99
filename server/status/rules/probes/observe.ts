import type { ComponentState } from "../board.ts";
import { type ComponentKey, components } from "../components.ts";
import { severityOf } from "../severity.ts";
import { type CheckResult, checkDefinitions } from "./checks.ts";

/** The reason where nothing is asked of a component. */
export const notDeployed = "Not deployed";

/** What one run of all checks says of a component. */
export type Observation = { component: ComponentKey; state: ComponentState; reason: string };

/**
 * A check that fails says what its rule says; of several the worst holds. Nobody's answer is a failure, and so is one that
 * knows nothing of it, but of a component that may not be deployed, and is not known to be, they say nothing.
 * @param isKnown whether a probe ever saw the component work.
 */
export const observe = (
  results: readonly CheckResult[],
  isKnown: (component: ComponentKey) => boolean,
): Observation[] =>
  components.map(({ key }) => {
    const ofIt = results.filter(({ check }) => checkDefinitions[check].component === key);
    const isThere = isKnown(key) || ofIt.some(({ check }) => !checkDefinitions[check].isOptional);
    const isGone = ({ outcome }: CheckResult) => outcome === "silent" || outcome === "missing";
    const failed = ofIt.filter((result) => result.outcome === "failed" || (isThere && isGone(result)));
    const [worst] = failed.toSorted((left, right) => severityOf(failureOf(right)) - severityOf(failureOf(left)));
    if (worst) return { component: key, state: failureOf(worst), reason: reasonOf(worst) };
    if (ofIt.some(({ outcome }) => outcome === "ok"))
      return { component: key, state: "operational", reason: "All checks pass" };
    return { component: key, state: "unknown", reason: ofIt[0] ? reasonOf(ofIt[0]) : notDeployed };
  });

/** Why nothing is known of what was there before, and may still be. */
const missedResponse = "the answer was not heard";

/** Of a component where an answer was not heard nothing is known but what failed: silence is neither good nor bad. */
export const withoutUnreliableResults = (
  results: readonly CheckResult[],
  isKnown: (component: ComponentKey) => boolean,
): CheckResult[] => {
  const silent = new Set(
    results.filter(({ outcome }) => outcome === "silent").map(({ check }) => checkDefinitions[check].component),
  );
  return results.map((result) =>
    result.outcome !== "failed" && silent.has(checkDefinitions[result.check].component)
      ? {
          ...result,
          outcome: "absent",
          detail: isKnown(checkDefinitions[result.check].component) ? missedResponse : result.detail,
        }
      : result,
  );
};

const failureOf = ({ check }: CheckResult): ComponentState => checkDefinitions[check].failure;
const reasonOf = ({ check, detail }: CheckResult): string => `${checkDefinitions[check].label}: ${detail}`;
