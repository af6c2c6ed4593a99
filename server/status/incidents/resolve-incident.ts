import type { Deps } from "../../deps/deps.ts";
import { isComponentKey } from "../rules/components.ts";
import {
  type IncidentInput,
  type IncidentUpdateResult,
  type LockedIncident,
  recordIncidentUpdate,
} from "./record-incident-update.ts";

/**
 * The incident is over: what operators said of its components ends with it, and what is measured holds again. At most
 * one caller resolves it; a critical one is due a postmortem from then on. @throws DomainError as tellIncident does.
 */
export const resolveIncident = (
  deps: Pick<Deps, "db" | "clock">,
  input: IncidentInput,
): Promise<IncidentUpdateResult> =>
  recordIncidentUpdate(deps, input, "resolve", (incident, at) => ({
    action: "resolved",
    state: "resolved",
    change: { resolvedAt: at },
    components: stillOut(incident).map((component) => ({ component, state: "operational" })),
  }));

const stillOut = ({ operatorStates }: LockedIncident) =>
  [...operatorStates].flatMap(([component, state]) =>
    state !== "operational" && isComponentKey(component) ? [component] : [],
  );
