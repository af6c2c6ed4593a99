import { targetOf } from "../contract/body/read-request.ts";
import type { AccessTokenCaller, AuthenticatedClient, PendingClient } from "../contract/callers.ts";
import type { Answer, Auth, CallerOf, Endpoint, EndpointRequest } from "../contract/endpoint.ts";
import type { Deps, RequestInfo } from "../deps/deps.ts";
import { currentApiLog } from "./runtime.ts";

type Served = { endpoint: Endpoint; info: RequestInfo; caller: CallerOf<Auth>; raw: string };
type Outcome = { request: EndpointRequest; answer: Answer; milliseconds: number };

/**
 * Offers an answered request to the API log of the merchant that owns the client. Requests of agents and requests that
 * weren't authenticated have no owner, and aren't logged.
 */
export const logExchange = (deps: Pick<Deps, "clock">, served: Served, { request, answer, milliseconds }: Outcome) => {
  const client = merchantClientOf(served);
  if (client === null) return;
  const log = currentApiLog();
  if (log === null) return;
  const { path, query } = targetOf(request.url);
  log.offer({
    ...client,
    at: deps.clock.now(),
    requestId: served.info.requestId,
    method: request.method,
    path,
    query,
    status: answer.status,
    milliseconds,
    content: served.endpoint.request.content ?? null,
    requestBody: served.raw,
    responseBody: typeof answer.body === "string" ? answer.body : "",
    usedKey: served.endpoint.auth.kind !== "access_token" && answer.status !== 401,
  });
};

const merchantClientOf = ({ endpoint, caller }: Served): { clientId: string; merchantId: string } | null => {
  if (caller === null) return null;
  switch (endpoint.auth.kind) {
    case "client":
      return owned(caller as AuthenticatedClient);
    case "pending_client":
      return owned((caller as PendingClient).client);
    case "access_token": {
      const { clientId: id, merchantId } = caller as AccessTokenCaller;
      return owned({ id, merchantId });
    }
    default:
      return null;
  }
};

const owned = ({ id, merchantId }: { id: string; merchantId: string | null }) =>
  merchantId === null ? null : { clientId: id, merchantId };
