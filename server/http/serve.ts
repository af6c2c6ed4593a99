import { parseForm } from "../contract/body/form.ts";
import { parseJson, readRaw, refuseCredentials, targetOf, validateInput } from "../contract/body/read-request.ts";
import type { AccessTokenCaller, PendingClient } from "../contract/callers.ts";
import { databaseUnavailableError } from "../contract/database-unavailable.ts";
import type {
  Answer,
  Auth,
  CallerOf,
  Endpoint,
  EndpointRequest,
  Method,
  Offering,
  Reply,
} from "../contract/endpoint.ts";
import { preflightHeaders } from "../contract/headers.ts";
import { problemReply } from "../contract/problem.ts";
import { requestInfoOf } from "../contract/request-info.ts";
import { isUnavailable } from "../data/unavailable.ts";
import type { Deps, RequestInfo } from "../deps/deps.ts";
import { DomainError, isOAuthError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { isOwnUserAgent } from "../kernel/requests/own-agent.ts";
import { dpopNonceHeaders, isNonceDemand } from "../oauth/tokens/verify-dpop-proof.ts";
import { authenticateCaller } from "./client-auth.ts";
import { refusalReply } from "./form-refusal.ts";
import {
  admitAddress,
  admitBudgetAnswer,
  admitClient,
  countRefusedAuthentication,
  type Meter,
  meterHeaders,
  startMeter,
} from "./limits/rate-limit.ts";
import { logExchange } from "./log-exchange.ts";
import { recordRefusal } from "./record-refusal.ts";
import { currentDeps } from "./runtime.ts";

/** A web handler. Handlers of endpoints also have `answer`, for callers that need no web objects. */
export type Handler = ((request: Request) => Promise<Response>) & {
  answer?: (request: EndpointRequest) => Promise<Answer>;
};

/** One endpoint as a web handler. */
export const serve = (endpoint: Endpoint): Handler => {
  const answer = makeAnswer(endpoint);
  return Object.assign(async (request: Request) => toResponse(await answer(request)), { answer });
};

/** Reads, authenticates, validates, handles, answers and logs a request. */
const makeAnswer =
  (endpoint: Endpoint) =>
  async (request: EndpointRequest): Promise<Answer> => {
    const deps = currentDeps();
    const startedAt = performance.now();
    const info = requestInfoOf(request.headers);
    const meter = startMeter(deps, endpoint, info);
    const served: ServedRequest = { endpoint, info, caller: null, raw: "" };
    let reply: Reply;
    try {
      if (!isOffered(endpoint, deps.config)) throw pathNotFound();
      admitAddress(meter);
      reply = await handle(served, { deps, request, meter });
    } catch (thrown) {
      if (refusesAuthentication(served, request, thrown)) countRefusedAuthentication(meter);
      const error = await recordRefusal(deps, served, thrown).then(
        () => thrown,
        (fault: unknown) => fault,
      );
      reply = await refusalReply(endpoint, deps, {
        request,
        info,
        error: isUnavailable(error) ? databaseUnavailableError(error) : error,
      });
    }
    if (meter) reply = { ...reply, headers: { ...reply.headers, ...meterHeaders(meter) } };
    const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10;
    deps.log.request({
      requestId: info.requestId,
      operation: endpoint.operationId,
      status: reply.status,
      milliseconds,
      isBackground: isOwnUserAgent(info.userAgent),
    });
    const answer = toAnswer(reply, endpoint, info.requestId);
    logExchange(deps, served, { request, answer, milliseconds });
    return answer;
  };

export const isOffered = (endpoint: Pick<Endpoint, "isOffered">, config: Offering): boolean =>
  endpoint.isOffered?.(config) ?? true;

const pathNotFound = (): DomainError =>
  new DomainError("not_found", {
    code: "not_found",
    message: "This path doesn't exist. Check the path and the method.",
  });

/** A request in progress; `raw` is the body, and `caller` is set once it is authenticated. */
type ServedRequest = { endpoint: Endpoint; info: RequestInfo; caller: CallerOf<Auth>; raw: string };

/** Whether authentication failed because the caller sent an invalid assertion, access token or proof. */
const refusesAuthentication = (
  { endpoint, caller }: ServedRequest,
  request: EndpointRequest,
  thrown: unknown,
): boolean => {
  if (!isOAuthError(thrown)) return false;
  if (thrown.code === "invalid_client") return true;
  const { kind } = endpoint.auth;
  return (
    (kind === "access_token" || kind === "registration_token") &&
    caller === null &&
    (thrown.code === "invalid_token" || thrown.code === "invalid_dpop_proof") &&
    request.headers.has("authorization")
  );
};

const handle = async (
  served: ServedRequest,
  { deps, request, meter }: { deps: Deps; request: EndpointRequest; meter: Meter | null },
): Promise<Reply> => {
  const { endpoint, info } = served;
  const target = targetOf(request.url);
  // Refuses credentials in the query. A GET without authentication skips this check, because `validateInput` checks
  // its query parameters.
  const mayCarryCredentials = endpoint.auth.kind !== "none" || endpoint.method !== "GET";
  if (mayCarryCredentials && target.query !== "") refuseCredentials(target.query);
  // A request without content has no body to wait for. This saves a tenth of the time of a public read.
  const raw = endpoint.request.content ? await readRaw(endpoint, request) : "";
  served.raw = raw;
  const form = endpoint.request.content === "form" ? parseForm(raw) : {};
  const proof = { deps, info, endpoint, request, path: target.path, raw, form };
  const caller = endpoint.auth.kind === "none" ? null : await authenticateCaller(proof);
  served.caller = caller;
  let comesAgain = false;
  try {
    admitClient(meter, caller);
    const body = endpoint.request.content === "json" ? parseJson(raw, endpoint.request.checksTextOf) : form;
    const input = validateInput(endpoint, target, body);
    const context = { deps, info, caller, request, admitBudgetAnswer: admitBudgetAnswer.bind(null, meter) };
    const reply = await endpoint.handle(context as Parameters<Endpoint["handle"]>[0], input);
    return endpoint.auth.kind === "access_token" ? withNonce(deps, caller as AccessTokenCaller, reply) : reply;
  } catch (error) {
    comesAgain = isNonceDemand(error);
    throw error;
  } finally {
    // The assertion is consumed even if the request fails, and an earlier use is reported. There is one exception. If
    // the server required a nonce, it did nothing else, and the client may repeat the same request with the nonce (RFC
    // 9449 §8).
    if (endpoint.auth.kind === "pending_client" && !comesAgain) await (caller as PendingClient).ensureSettled();
  }
};

/** The nonce for the client's next proof (RFC 9449 §9), so that the client doesn't have to be refused first. */
const withNonce = (deps: Deps, { jkt }: AccessTokenCaller, reply: Reply): Reply =>
  jkt === null ? reply : { ...reply, headers: { ...dpopNonceHeaders(deps), ...reply.headers } };

const exposing = "access-control-expose-headers";
/** Headers that a client in a web page may read: its next nonce, the challenge, and when it may retry. */
const exposedHeaders = "dpop-nonce, www-authenticate, retry-after, ratelimit, ratelimit-policy";

const toAnswer = (reply: Reply, endpoint: Pick<Endpoint, "isPublic">, requestId: string): Answer => {
  const { body } = reply;
  const isRaw = typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
  const headers: string[] = [];
  for (const name in reply.headers) headers.push(name, reply.headers[name] ?? "");
  for (const cookie of reply.cookies ?? []) headers.push("set-cookie", cookie);
  headers.push("x-request-id", requestId, "x-content-type-options", "nosniff");
  if (endpoint.isPublic) {
    headers.push("access-control-allow-origin", "*");
    if (reply.headers?.[exposing] === undefined) headers.push(exposing, exposedHeaders);
  }
  if (body === undefined) {
    // With a length, a client that is still sending its request sees that the response is complete (RFC 9110 §8.6).
    if (reply.status !== 204 && reply.status !== 304) headers.push("content-length", "0");
    return { status: reply.status, headers, body: null };
  }
  headers.push("content-type", reply.contentType ?? (isRaw ? "text/plain; charset=utf-8" : "application/json"));
  return { status: reply.status, headers, body: isRaw ? body : JSON.stringify(body) };
};

const toResponse = ({ status, headers, body }: Answer): Response => {
  // A plain object: the gateway writes it unchanged, and a Headers object would be sorted first.
  const named: Record<string, string> = {};
  const cookies: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = "", value = ""] = headers.slice(index, index + 2);
    if (name === "set-cookie") cookies.push(value);
    else named[name] = value;
  }
  if (cookies.length > 0) {
    const all = new Headers(named);
    for (const cookie of cookies) all.append("set-cookie", cookie);
    return new Response(body as BodyInit | null, { status, headers: all });
  }
  return new Response(body as BodyInit | null, { status, headers: named });
};

type Mounted = Record<Method | "HEAD" | "PATCH" | "OPTIONS", Handler>;

/**
 * The handlers of all methods of one path, for a route file. Methods without an endpoint answer 405 with `Allow` (RFC
 * 9110 §15.5.6).
 */
export const mount = (...endpoints: Endpoint[]): Mounted => {
  const isReadable = endpoints.some(({ method }) => method === "GET");
  const isPublic = endpoints.some((endpoint) => endpoint.isPublic);
  const allow = [...endpoints.map(({ method }) => method), ...(isReadable ? ["HEAD"] : []), "OPTIONS"].join(", ");
  const handlers = new Map<string, Handler>(endpoints.map((endpoint) => [endpoint.method, serve(endpoint)]));
  const answerOtherMethod: Handler = async (request) => {
    const deps = currentDeps();
    const info: RequestInfo = { requestId: newId("req"), ipAddress: "", userAgent: "" };
    const [endpoint] = endpoints;
    const refusal =
      endpoint && !isOffered(endpoint, deps.config)
        ? pathNotFound()
        : new DomainError("invalid", {
            code: "method_not_allowed",
            message: `This path supports only ${allow}.`,
            headers: { allow },
          });
    const reply = endpoint
      ? await refusalReply(endpoint, deps, { request, info, error: refusal })
      : problemReply(refusal, deps.config.baseUrl);
    return toResponse(toAnswer(reply, { isPublic }, info.requestId));
  };
  const head: Handler = async (request) => {
    const response = await (handlers.get("GET") ?? answerOtherMethod)(request);
    return new Response(null, { status: response.status, headers: response.headers });
  };
  const options: Handler = async (request) =>
    endpoints.some((endpoint) => isOffered(endpoint, currentDeps().config))
      ? toResponse(
          toAnswer(
            { status: 204, headers: { allow, ...(isPublic ? preflightHeaders(allow) : {}) } },
            { isPublic },
            newId("req"),
          ),
        )
      : answerOtherMethod(request);
  const method = (name: string): Handler => handlers.get(name) ?? answerOtherMethod;
  return {
    GET: method("GET"),
    POST: method("POST"),
    PUT: method("PUT"),
    PATCH: method("PATCH"),
    DELETE: method("DELETE"),
    HEAD: isReadable ? head : answerOtherMethod,
    OPTIONS: options,
  };
};
