import type { ComponentState } from "./board.ts";

/** The description of the overall state by the worst state of any component, worst first. */
const descriptions: readonly (readonly [ComponentState, string])[] = [
  ["major_outage", "Some components are down"],
  ["partial_outage", "Some components are partially down"],
  ["degraded", "Some components are degraded"],
  ["unknown", "The state of some components is unknown"],
  ["maintenance", "Some components are under maintenance"],
];

type Overall = { state: ComponentState; description: string };

/** @param isComplete false: other components aren't deployed. */
export const overallOf = (states: readonly ComponentState[], isComplete: boolean): Overall => {
  const all = isComplete ? "all components" : "all deployed components";
  const worst = descriptions.find(([state]) => states.includes(state));
  if (!worst) return { state: "operational", description: capitalize(`${all} are operational`) };
  const [state, description] = worst;
  const isSame = states.every((one) => one === state);
  return { state, description: isSame ? capitalize(description.replace(/some components/i, all)) : description };
};

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
