import type { Deps } from "../../deps/deps.ts";
import { type IncidentInput, type Told, tellIncident } from "./record-incident-update.ts";

/** A draft that was no incident: nobody is ever told of it. @throws DomainError as tellIncident does. */
export const dismissIncident = (deps: Pick<Deps, "db" | "clock">, input: IncidentInput): Promise<Told> =>
  tellIncident(deps, input, "dismiss", () => ({ action: "dismissed", state: "dismissed", components: [] }));
