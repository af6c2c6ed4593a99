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
  /** states that the operator sets; the measured state of all other components applies */
  components: readonly OperatorComponentState[];
};

/**
 * Publishes a draft that probes created, with the operator's text.
 * @throws DomainError as recordIncidentUpdate does.
 */
export const confirmIncident = (deps: Pick<Deps, "db" | "clock">, input: Input): Promise<IncidentUpdateResult> => {
  const { title, impact, state, components } = input;
  return recordIncidentUpdate(deps, input, {
    act: "confirm",
    decide: (_, at) => ({ action: "confirmed", state, components, change: { title, impact, publicAt: at } }),
  });
};
