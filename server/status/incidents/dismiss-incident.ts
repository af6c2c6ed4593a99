import type { Deps } from "../../deps/deps.ts";
import { type IncidentInput, type IncidentUpdateResult, recordIncidentUpdate } from "./record-incident-update.ts";

/** A draft that was no incident: nobody is ever told of it. @throws DomainError as tellIncident does. */
export const dismissIncident = (
  deps: Pick<Deps, "db" | "clock">,
  input: IncidentInput,
): Promise<IncidentUpdateResult> =>
  recordIncidentUpdate(deps, input, "dismiss", () => ({ action: "dismissed", state: "dismissed", components: [] }));
