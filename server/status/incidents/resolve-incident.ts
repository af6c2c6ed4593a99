import type { Deps } from "../../deps/deps.ts";
import { isComponentKey } from "../rules/components.ts";
import {
  type IncidentInput,
  type IncidentUpdateResult,
  type LockedIncident,
  recordIncidentUpdate,
} from "./record-incident-update.ts";

/**
 * Resolves an incident and ends the component states that operators set for it; measured states apply again. At most
 * one caller resolves it. A resolved critical incident needs a postmortem. @throws DomainError as recordIncidentUpdate
 * does.
 */
export const resolveIncident = (
  deps: Pick<Deps, "db" | "clock">,
  input: IncidentInput,
): Promise<IncidentUpdateResult> =>
  recordIncidentUpdate(deps, input, {
    act: "resolve",
    decide: (incident, at) => ({
      action: "resolved",
      state: "resolved",
      change: { resolvedAt: at },
      components: affectedComponents(incident).map((component) => ({ component, state: "operational" })),
    }),
  });

const affectedComponents = ({ operatorStates }: LockedIncident) =>
  [...operatorStates].flatMap(([component, state]) =>
    state !== "operational" && isComponentKey(component) ? [component] : [],
  );
