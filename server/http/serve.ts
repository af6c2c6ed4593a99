import type { Config } from "../config.ts";
import { isUnavailable } from "../data/unavailable.ts";
import type { Deps, RequestInfo } from "../deps.ts";
import { DomainError, isOAuthError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import type { PendingClient } from "../oauth/authenticate-client.ts";
import { authenticateCaller } from "./client-auth.ts";
import type { Auth, CallerOf, Endpoint, Method, Reply } from "./endpoint.ts";
import { errorReply } from "./error-reply.ts";
import { parseForm } from "./form.ts";
import { problemReply } from "./problem.ts";
import {
  admitAddress,
  admitBudgetAnswer,
  admitClient,
  countRefusedAuthentication,
  type Meter,
  meterHeaders,
  startMeter,
} from "./rate-limit.ts";
import { parseJson, readRaw, refuseCredentials, targetOf, validateInput } from "./read-request.ts";
import { recordRefusal } from "./record-refusal.ts";
import { currentDeps } from "./runtime.ts";

export type Handler = (request: Request) => Promise<Response>;

/** Set by the gateway from the socket, whatever the caller sent under this name. */
export const addressHeader = "x-paygrant-client-address";

/** One endpoint as a web handler: reads, authenticates, validates, handles, answers, logs. */
export const serve =
  (endpoint: Endpoint): Handler =>
  async (request) => {
    const deps = currentDeps();
    const startedAt = performance.now();
    const info: RequestInfo = {
      requestId: newId("req"),
      ipAddress: request.headers.get(addressHeader) ?? "",
      userAgent: (request.headers.get("user-agent") ?? "").slice(0, 300),
    };
    const meter = startMeter(deps, endpoint, info);
    const asked: Asked = { endpoint, info, caller: null };
    let reply: Reply;
    try {
      if (!isHere(endpoint, deps.config)) throw nothingHere();
      admitAddress(meter);
      reply = await answer(asked, deps, request, meter);
    } catch (thrown) {
      if (isOAuthError(thrown) && thrown.code === "invalid_client") countRefusedAuthentication(meter);
      const error = await recordRefusal(deps, asked, thrown).then(
        () => thrown,
        (fault: unknown) => fault,
      );
      reply = errorReply(endpoint, deps, info, isUnavailable(error) ? databaseAway(error) : error);
    }
    if (meter) reply = { ...reply, headers: { ...reply.headers, ...meterHeaders(meter) } };
    const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10;
    deps.log.request({
      requestId: info.requestId,
      operation: endpoint.operationId,
      status: reply.status,
      milliseconds,
    });
    return toResponse(reply, endpoint, info.requestId);
  };

/** Whether this environment has the endpoint at all. */
export const isHere = (endpoint: Pick<Endpoint, "environment">, config: Pick<Config, "environment">): boolean =>
  endpoint.environment === undefined || endpoint.environment === config.environment;

const nothingHere = (): DomainError => new DomainError("not_found", "not_found", "Nothing answers at this address.");

/** A request as far as it came; `caller` once it is proved. */
type Asked = { endpoint: Endpoint; info: RequestInfo; caller: CallerOf<Auth> };

/** Out of reach is no fault of this process: said as such, safe to try again once it is back. */
const databaseAway = (cause: unknown): DomainError =>
  new DomainError(
    "unavailable",
    "temporarily_unavailable",
    "The service can't reach its database. Try again shortly.",
    {
      headers: { "retry-after": "2" },
      cause,
    },
  );

const answer = async (asked: Asked, deps: Deps, request: Request, meter: Meter | null): Promise<Reply> => {
  const { endpoint, info } = asked;
  const target = targetOf(request.url);
  if (endpoint.auth.kind !== "none" && target.query !== "") refuseCredentials(target.query);
  const raw = await readRaw(endpoint, request);
  const form = endpoint.request.content === "form" ? parseForm(raw) : {};
  const caller = await authenticateCaller({ deps, info, endpoint, request, path: target.path, form });
  asked.caller = caller;
  try {
    admitClient(meter, caller);
    const body = endpoint.request.content === "json" ? parseJson(raw) : form;
    const input = validateInput(endpoint, target, body);
    const context = { deps, info, caller, request, admitBudgetAnswer: admitBudgetAnswer.bind(null, meter) };
    return await endpoint.handle(context as Parameters<Endpoint["handle"]>[0], input);
  } finally {
    // Whatever became of the request, its assertion is used up; one that was used before is what its sender hears of.
    if (endpoint.auth.kind === "pending_client") await (caller as PendingClient).ensureSettled();
  }
};

const toResponse = (reply: Reply, endpoint: Pick<Endpoint, "isPublic">, requestId: string): Response => {
  const { body } = reply;
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  // A plain object, names in lower case: the gateway writes it as it is, while a Headers object would be sorted first.
  const headers: Record<string, string> = {
    ...reply.headers,
    "x-request-id": requestId,
    "x-content-type-options": "nosniff",
    ...(endpoint.isPublic ? { "access-control-allow-origin": "*" } : {}),
  };
  if (body === undefined) return new Response(null, { status: reply.status, headers });
  headers["content-type"] = reply.contentType ?? (isRaw ? "text/plain; charset=utf-8" : "application/json");
  return new Response(isRaw ? (body as BodyInit) : JSON.stringify(body), { status: reply.status, headers });
};

type Mounted = Record<Method | "HEAD" | "PATCH" | "OPTIONS", Handler>;

/**
 * All methods of one path, for a route file: those without an endpoint answer 405 with `Allow` (RFC 9110 §15.5.6).
 * The endpoints stay readable at `.endpoints`, from which /openapi.json is made.
 */
export const mount = (...endpoints: Endpoint[]): Mounted & { endpoints: readonly Endpoint[] } => {
  const isReadable = endpoints.some(({ method }) => method === "GET");
  const isPublic = endpoints.some((endpoint) => endpoint.isPublic);
  const allow = [...endpoints.map(({ method }) => method), ...(isReadable ? ["HEAD"] : []), "OPTIONS"].join(", ");
  const handlers = new Map<string, Handler>(endpoints.map((endpoint) => [endpoint.method, serve(endpoint)]));
  const refuse: Handler = async () => {
    const deps = currentDeps();
    const info: RequestInfo = { requestId: newId("req"), ipAddress: "", userAgent: "" };
    const [endpoint] = endpoints;
    const refusal =
      endpoint && !isHere(endpoint, deps.config)
        ? nothingHere()
        : new DomainError("invalid", "method_not_allowed", `This address answers ${allow}.`, { headers: { allow } });
    const reply = endpoint ? errorReply(endpoint, deps, info, refusal) : problemReply(refusal, deps.config.baseUrl);
    return toResponse(reply, { isPublic }, info.requestId);
  };
  const head: Handler = async (request) => {
    const response = await (handlers.get("GET") ?? refuse)(new Request(request.url, { headers: request.headers }));
    return new Response(null, { status: response.status, headers: response.headers });
  };
  const preflight = {
    "access-control-allow-methods": allow,
    "access-control-allow-headers": "*",
  };
  const options: Handler = async (request) =>
    endpoints.some((endpoint) => isHere(endpoint, currentDeps().config))
      ? toResponse({ status: 204, headers: { allow, ...(isPublic ? preflight : {}) } }, { isPublic }, newId("req"))
      : refuse(request);
  const method = (name: string): Handler => handlers.get(name) ?? refuse;
  return {
    GET: method("GET"),
    POST: method("POST"),
    PUT: method("PUT"),
    PATCH: method("PATCH"),
    DELETE: method("DELETE"),
    HEAD: isReadable ? head : refuse,
    OPTIONS: options,
    endpoints,
  };
};
