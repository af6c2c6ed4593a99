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
  /** null: unchanged */
  impact: IncidentImpact | null;
  /** components whose state changes */
  components: readonly OperatorComponentState[];
};

/** Publishes a state, a text and changed components. @throws DomainError as recordIncidentUpdate does. */
export const updateIncident = (deps: Pick<Deps, "db" | "clock">, input: Input): Promise<IncidentUpdateResult> => {
  const { state, impact, components } = input;
  return recordIncidentUpdate(deps, input, {
    act: "update",
    decide: () => ({ action: "updated", state, components, ...(impact && { change: { impact } }) }),
  });
};
