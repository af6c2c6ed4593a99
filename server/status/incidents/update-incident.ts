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
  state: OpenIncidentState;
  /** null: as it was */
  impact: IncidentImpact | null;
  /** those whose state changes; the others stay as they are */
  components: readonly OperatorComponentState[];
};

/** Tells what is known now: a state, words, and what became of components. @throws DomainError as tellIncident does. */
export const updateIncident = (deps: Pick<Deps, "db" | "clock">, input: Input): Promise<IncidentUpdateResult> => {
  const { state, impact, components } = input;
  return recordIncidentUpdate(deps, input, "update", () => ({
    action: "updated",
    state,
    components,
    ...(impact && { change: { impact } }),
  }));
};
