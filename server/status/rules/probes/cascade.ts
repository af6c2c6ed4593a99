import type { ComponentState } from "../board.ts";
import { type Component, type ComponentKey, components } from "../components.ts";

const isOut = (state: ComponentState | undefined): boolean => state === "partial_outage" || state === "major_outage";

/**
 * Which components are affected by which, by `dependsOn`: those whose dependency, or a dependency of that one, is out.
 * It runs one way only: what is out is never affected by who depends on it.
 * @param states what is said of each component itself, cascades left out.
 */
export const affectedBy = (
  states: ReadonlyMap<ComponentKey, ComponentState>,
  of: readonly Component[] = components,
): Map<ComponentKey, ComponentKey[]> => {
  const dependencies = new Map(of.map(({ key, dependsOn }) => [key, dependsOn]));
  const affected = of.map(({ key }): [ComponentKey, ComponentKey[]] => {
    const reached = new Set<ComponentKey>(dependencies.get(key));
    for (const dependency of reached) for (const next of dependencies.get(dependency) ?? []) reached.add(next);
    reached.delete(key);
    return [key, [...reached].filter((dependency) => isOut(states.get(dependency)))];
  });
  return new Map(affected.filter(([, by]) => by.length > 0));
};
