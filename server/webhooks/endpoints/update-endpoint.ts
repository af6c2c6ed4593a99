import type { Actor } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { assertEventTypes } from "../event-types.ts";
import { changeEndpointIn } from "./change-endpoint.ts";
import { assertUrl } from "./create-endpoint.ts";

type Input = {
  endpointId: string;
  ownerId: string;
  url: string;
  eventTypes: readonly string[];
  actor: Actor;
  requestId: string;
};

/**
 * Changes the URL and event types of a merchant's endpoint. Waiting deliveries go to the new URL.
 * @throws DomainError invalid, naming the field; not_found, also for another owner's endpoint.
 */
export const updateEndpoint = async (deps: Deps, { url, eventTypes, ...endpoint }: Input): Promise<void> => {
  assertUrl(deps, url);
  assertEventTypes(eventTypes);
  await deps.db.sqlTransaction(async (sql) => {
    await changeEndpointIn(deps, sql, { ...endpoint, change: { kind: "url", url } });
    await changeEndpointIn(deps, sql, { ...endpoint, change: { kind: "event_types", eventTypes } });
  });
};
