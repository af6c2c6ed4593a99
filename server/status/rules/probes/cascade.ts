import type { ComponentState } from "../board.ts";
import { type Component, type ComponentKey, components } from "../components.ts";

const isDown = (state: ComponentState | undefined): boolean => state === "partial_outage" || state === "major_outage";

/**
 * The outages that affect each component through `dependsOn`, direct or indirect. Effects go one way: an outage of a
 * component never affects the components on which it depends.
 * @param states the components' own states, without cascades.
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
    return [key, [...reached].filter((dependency) => isDown(states.get(dependency)))];
  });
  return new Map(affected.filter(([, by]) => by.length > 0));
};
