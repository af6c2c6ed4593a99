import type { ComponentState } from "./board.ts";

/** Of several components the state that weighs most, most first, and what it says of all of them. */
const descriptions: readonly (readonly [ComponentState, string])[] = [
  ["major_outage", "Some components are out"],
  ["partial_outage", "Some components are partly out"],
  ["degraded", "Some components are degraded"],
  ["unknown", "The state of some components is unknown"],
  ["maintenance", "Some components are under maintenance"],
];

type Overall = { state: ComponentState; description: string };

/** @param isWhole false: there are components besides that aren't deployed here. */
export const overallOf = (states: readonly ComponentState[], isWhole: boolean): Overall => {
  const all = isWhole ? "all components" : "all components that are deployed";
  const worst = descriptions.find(([state]) => states.includes(state));
  if (!worst) return { state: "operational", description: capital(`${all} are operational`) };
  const [state, description] = worst;
  const isOfAll = states.every((one) => one === state);
  return { state, description: isOfAll ? capital(description.replace(/some components/i, all)) : description };
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
