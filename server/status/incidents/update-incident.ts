import type { Deps } from "../../deps/deps.ts";
import type { IncidentImpact } from "../rules/board.ts";
import type { ToldState } from "../rules/incidents/incident-state.ts";
import { type ComponentWord, type IncidentInput, type Told, tellIncident } from "./record-incident-update.ts";

type Input = IncidentInput & {
  state: ToldState;
  /** null: as it was */
  impact: IncidentImpact | null;
  /** those whose state changes; the others stay as they are */
  components: readonly ComponentWord[];
};

/** Tells what is known now: a state, words, and what became of components. @throws DomainError as tellIncident does. */
export const updateIncident = (deps: Pick<Deps, "db" | "clock">, input: Input): Promise<Told> => {
  const { state, impact, components } = input;
  return tellIncident(deps, input, "update", () => ({
    action: "updated",
    state,
    components,
    ...(impact && { change: { impact } }),
  }));
};
