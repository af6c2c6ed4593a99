import type { Deps } from "../../deps/deps.ts";
import type { IncidentImpact } from "../rules/board.ts";
import type { OpenIncidentState } from "../rules/incidents/incident-state.ts";
import {
  type IncidentInput,
  type IncidentUpdateResult,
  type OperatorComponentState,
  recordIncidentUpdate,
} from "./record-incident-update.ts";

type Input = IncidentInput & {
  title: string;
  impact: IncidentImpact;
  state: OpenIncidentState;
  /** what the operator says beside what is measured; none: it is as measured */
  components: readonly OperatorComponentState[];
};

/** A draft that probes opened becomes public, in the operator's words. @throws DomainError as tellIncident does. */
export const confirmIncident = (deps: Pick<Deps, "db" | "clock">, input: Input): Promise<IncidentUpdateResult> => {
  const { title, impact, state, components } = input;
  return recordIncidentUpdate(deps, input, "confirm", (_, at) => ({
    action: "confirmed",
    state,
    components,
    change: { title, impact, publicAt: at },
  }));
};
