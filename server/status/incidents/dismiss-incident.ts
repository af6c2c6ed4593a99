import type { Deps } from "../../deps/deps.ts";
import { type IncidentInput, type IncidentUpdateResult, recordIncidentUpdate } from "./record-incident-update.ts";

/**
 * Closes a draft that wasn't an incident; it never becomes public. @throws DomainError as recordIncidentUpdate does.
 */
export const dismissIncident = (
  deps: Pick<Deps, "db" | "clock">,
  input: IncidentInput,
): Promise<IncidentUpdateResult> =>
  recordIncidentUpdate(deps, input, {
    act: "dismiss",
    decide: () => ({ action: "dismissed", state: "dismissed", components: [] }),
  });
