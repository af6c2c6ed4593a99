import type { Deps } from "../../deps/deps.ts";
import type { IncidentImpact } from "../rules/board.ts";
import type { ToldState } from "../rules/incidents/incident-state.ts";
import { type ComponentWord, type IncidentInput, type Told, tellIncident } from "./record-incident-update.ts";

type Input = IncidentInput & {
  title: string;
  impact: IncidentImpact;
  state: ToldState;
  /** what the operator says beside what is measured; none: it is as measured */
  components: readonly ComponentWord[];
};

/** A draft that probes opened becomes public, in the operator's words. @throws DomainError as tellIncident does. */
export const confirmIncident = (deps: Pick<Deps, "db" | "clock">, input: Input): Promise<Told> => {
  const { title, impact, state, components } = input;
  return tellIncident(deps, input, "confirm", (_, at) => ({
    action: "confirmed",
    state,
    components,
    change: { title, impact, publicAt: at },
  }));
};
