import type { z } from "zod";
import { isUnavailable } from "../data/unavailable.ts";
import type { Deps, RequestInfo } from "../deps.ts";
import { DomainError, isDomainError, isOAuthError, OAuthError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { holdsText, isText } from "../kernel/text.ts";
import { authenticateCaller } from "./client-auth.ts";
import type { Endpoint, FormFields, Method, Reply } from "./endpoint.ts";
import { errorPage } from "./error-page.ts";
import { mediaType, parseForm, readBody } from "./form.ts";
import { domainStatus, oauthErrorReply, problemReply } from "./problem.ts";
import { admitAddress, admitClient, type Meter, meterHeaders, startMeter } from "./rate-limit.ts";
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
    let reply: Reply;
    try {
      admitAddress(meter);
      reply = await answer(endpoint, deps, info, request, meter);
    } catch (error) {
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

const answer = async (
  endpoint: Endpoint,
  deps: Deps,
  info: RequestInfo,
  request: Request,
  meter: Meter | null,
): Promise<Reply> => {
  const url = new URL(request.url);
  if (endpoint.auth.kind !== "none" && url.search !== "") refuseCredentials(url);
  const raw = await readRaw(endpoint, request);
  const form = endpoint.request.content === "form" ? parseForm(raw) : {};
  const caller = await authenticateCaller({ deps, info, endpoint, request, form });
  admitClient(meter, caller);
  const body = endpoint.request.content === "json" ? parseJson(raw) : form;
  const input = {
    body: endpoint.request.body ? validate(endpoint, endpoint.request.body, body, "") : {},
    query: endpoint.request.query ? validate(endpoint, endpoint.request.query, parseQuery(url), "#") : {},
    params: endpoint.request.params
      ? validate(endpoint, endpoint.request.params, pathParameters(endpoint, url.pathname), "#")
      : {},
  };
  return endpoint.handle({ deps, info, caller, request } as Parameters<Endpoint["handle"]>[0], input);
};

const readRaw = async (endpoint: Endpoint, request: Request): Promise<string> => {
  const { content } = endpoint.request;
  if (!content) return "";
  const expected = content === "form" ? "application/x-www-form-urlencoded" : "application/json";
  if (mediaType(request) !== expected) {
    throw new DomainError("invalid", "unsupported_media_type", `The content type must be ${expected}.`);
  }
  try {
    return await readBody(request);
  } catch (error) {
    if (error instanceof TypeError) throw new DomainError("invalid", "invalid_request", "The body is not UTF-8 text.");
    throw error;
  }
};

const parseJson = (text: string): unknown => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformedJson("not valid JSON");
  }
  if (!holdsText(value)) throw malformedJson("holds a text with NUL or a lone surrogate");
  return value;
};

const malformedJson = (detail: string) =>
  new DomainError("invalid", "invalid_request", "The body is not valid JSON.", { errors: [{ pointer: "", detail }] });

const clientCredentials = ["client_assertion", "client_secret"];

/** RFC 6749 §2.3.1, RFC 6750 §2.3, RFC 9700 §4.3.2: they must not be in the address, where logs and histories keep them, whatever the body holds. */
const refuseCredentials = ({ searchParams }: URL): void => {
  if (clientCredentials.some((name) => searchParams.has(name))) {
    throw new OAuthError("invalid_client", "credentials must not be in the address");
  }
  if (searchParams.has("access_token")) {
    throw new OAuthError("invalid_request", "an access token must not be in the address");
  }
};

const parseQuery = (url: URL): FormFields => parseForm(url.search.slice(1));

const pathParameters = (endpoint: Endpoint, pathname: string): Record<string, string> => {
  const values = matchPath(endpoint.path, pathname) ?? {};
  if (Object.values(values).every(isText)) return values;
  throw new DomainError("not_found", "not_found", "Nothing answers at this address.");
};

/** @returns the values of `{name}` segments, or null where the path is another one. */
const matchPath = (pattern: string, pathname: string): Record<string, string> | null => {
  const expected = pattern.split("/");
  const actual = pathname.split("/");
  if (expected.length !== actual.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of expected.entries()) {
    const value = actual[index] ?? "";
    if (segment.startsWith("{")) {
      try {
        params[segment.slice(1, -1)] = decodeURIComponent(value);
      } catch {
        return null;
      }
    } else if (segment !== value) return null;
  }
  return params;
};

const validate = (endpoint: Endpoint, schema: z.ZodType, value: unknown, base: "" | "#"): unknown => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => toFieldErrors(issue, base));
  if (endpoint.errors === "oauth") {
    const [first] = errors;
    const name = first?.pointer.replace(/^[#/]+/, "").split("/")[0] ?? "";
    // Names are ours where the schema names them; the description never echoes what was sent.
    throw new OAuthError(
      "invalid_request",
      name && /^[a-z_]+$/.test(name) ? `${name}: ${first?.detail}` : "bad request",
    );
  }
  throw new DomainError("invalid", "invalid_request", "A field is missing or malformed.", { errors });
};

const toFieldErrors = (issue: z.core.$ZodIssue, base: string) => {
  const detail = issue.message.replace(/["\\]/g, "'");
  const at = (path: readonly PropertyKey[]) =>
    base === "#" ? `#${path.map(String).join("/")}` : path.map((part) => `/${escapePointer(String(part))}`).join("");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ pointer: at([...issue.path, key]), detail: "unknown field" }));
  }
  return [{ pointer: at(issue.path), detail }];
};

/** RFC 6901 §3. */
const escapePointer = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1");

const errorReply = (endpoint: Endpoint, deps: Deps, info: RequestInfo, error: unknown): Reply => {
  if (endpoint.errors === "page") return pageReply(endpoint, deps, info, error);
  if (isOAuthError(error)) {
    if (endpoint.errors === "oauth") return oauthErrorReply(error);
    return tokenProblem(error, deps.config.baseUrl);
  }
  if (isDomainError(error)) {
    return endpoint.errors === "problem" ? problemReply(error, deps.config.baseUrl) : oauthShape(error);
  }
  deps.log.error({ requestId: info.requestId, operation: endpoint.operationId, err: error }, "fault");
  return endpoint.errors === "oauth"
    ? {
        status: 500,
        headers: { "cache-control": "no-store" },
        body: { error: "server_error", error_description: "the server met an unexpected condition" },
      }
    : problemReply(
        new DomainError("unavailable", "server_error", "The server met an unexpected condition."),
        deps.config.baseUrl,
      );
};

const pageReply = (endpoint: Endpoint, deps: Deps, info: RequestInfo, error: unknown): Reply => {
  const page = (status: number, text: string) =>
    errorPage({ status, title: "This can’t go on", text, requestId: info.requestId });
  if (isDomainError(error)) {
    const shown = page(domainStatus(error), error.message);
    return { ...shown, headers: { ...shown.headers, ...error.headers } };
  }
  if (isOAuthError(error))
    return page(400, "The address that brought you here is malformed. Go back to the app and start again.");
  deps.log.error({ requestId: info.requestId, operation: endpoint.operationId, err: error }, "fault");
  return page(500, "Something went wrong on our side. Nothing was approved; please try again.");
};

/** What no OAuth error code is for (413, 415, 405 …) still comes in RFC 6749's shape, within §5.2's characters. */
const oauthShape = (error: DomainError): Reply => ({
  status: domainStatus(error),
  headers: { "cache-control": "no-store", ...error.headers },
  body: { error: oauthCodeOf(error), error_description: error.message.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'") },
});

const oauthCodeOf = (error: DomainError): string =>
  error.kind === "unavailable" || error.kind === "rate_limited" ? "temporarily_unavailable" : "invalid_request";

/** A refused access token at a resource: the challenge stays in WWW-Authenticate, the body is a problem. */
const tokenProblem = (error: OAuthError, baseUrl: string): Reply => {
  const status = oauthErrorReply(error).status;
  const kind = status === 401 ? "unauthenticated" : status === 403 ? "forbidden" : "invalid";
  return problemReply(new DomainError(kind, error.code, error.description, { headers: { ...error.headers } }), baseUrl);
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
    const refusal = new DomainError("invalid", "method_not_allowed", `This address answers ${allow}.`, {
      headers: { allow },
    });
    const [endpoint] = endpoints;
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
  const options: Handler = async () =>
    toResponse({ status: 204, headers: { allow, ...(isPublic ? preflight : {}) } }, { isPublic }, newId("req"));
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
