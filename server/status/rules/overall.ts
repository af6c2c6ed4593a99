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
  const worst = descriptions.find(([state]) => states.includes(state));
  if (!worst)
    return {
      state: "operational",
      description: isWhole ? "All components are operational" : "All components that are deployed are operational",
    };
  const [state, description] = worst;
  return {
    state,
    description: states.every((one) => one === state)
      ? description.replace("Some", "All").replace("some", "all")
      : description,
  };
};
