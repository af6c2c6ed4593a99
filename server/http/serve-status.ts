import { mediaType, parseForm, readContentLength } from "../contract/body/form.ts";
import { malformedFieldsMessage, parseJson, readRaw, targetOf, validateInput } from "../contract/body/read-request.ts";
import type { Endpoint, Reply } from "../contract/endpoint.ts";
import { plainPage } from "../contract/error-page.ts";
import { anyOrigin, preflightHeaders } from "../contract/headers.ts";
import { domainStatus, problemReply } from "../contract/problem.ts";
import { requestInfoOf } from "../contract/request-info.ts";
import { isUnavailable } from "../data/unavailable.ts";
import type { RequestInfo } from "../deps/deps.ts";
import type { StatusEndpoint } from "../endpoints/status/status-endpoint.ts";
import { DomainError, isDomainError, isOAuthError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { translator } from "../kernel/messages/translator.ts";
import { isOwnUserAgent } from "../kernel/requests/own-agent.ts";
import { currentStatusDeps, type StatusDeps } from "../status/runtime.ts";
import type { Handler } from "./serve.ts";

const isForm = (request: Request): boolean => mediaType(request) === "application/x-www-form-urlencoded";

/** A form and a JSON body have the same fields; both are accepted. */
const readBody = async (endpoint: StatusEndpoint, request: Request): Promise<unknown> => {
  if (!isForm(request)) {
    const raw = await readRaw(endpoint, request);
    return endpoint.request.content ? parseJson(raw) : {};
  }
  const asForm: Endpoint = { ...endpoint, request: { ...endpoint.request, content: "form" } };
  return parseForm(await readRaw(asForm, request));
};

/**
 * These forms use no cookie, but another site must not make its visitors subscribe other people's addresses. The check
 * relies on the browser's Sec-Fetch-Site header (Fetch Metadata §2.4). Programs don't send this header, and browsers
 * send it only to https URLs and loopback addresses.
 * @throws DomainError cross_origin.
 */
const refuseOtherSites = ({ headers }: Request): void => {
  if (!["cross-site", "same-site"].includes(headers.get("sec-fetch-site") ?? "")) return;
  throw new DomainError("forbidden", {
    code: "cross_origin",
    message: "This request must come from the status page itself. Reload the page and try again.",
  });
};

const databaseUnavailableError = (cause: unknown): DomainError =>
  new DomainError("unavailable", {
    code: "temporarily_unavailable",
    message: "This can’t be saved at the moment. Try again in a minute.",
    headers: { "retry-after": "60" },
    cause,
  });

const toDomainError = (
  deps: StatusDeps,
  thrown: unknown,
  { endpoint, info: { requestId } }: { endpoint: Endpoint; info: RequestInfo },
): DomainError => {
  if (isDomainError(thrown)) return thrown;
  // The rules of forms and queries throw OAuth errors.
  if (isOAuthError(thrown)) {
    return new DomainError("invalid", { code: "invalid_request", message: `${thrown.description}.` });
  }
  if (isUnavailable(thrown)) return databaseUnavailableError(thrown);
  deps.log.error({ requestId, operation: endpoint.operationId, err: thrown }, "fault");
  return new DomainError("unavailable", {
    code: "server_error",
    message: "An unexpected error occurred on our side. Try again. If it persists, report the X-Request-Id.",
  });
};

const acceptsPage = ({ headers }: Request): boolean => (headers.get("accept") ?? "").includes("text/html");

/** Whether the form was sent by a browser, not by a program. */
const isOfPage = (request: Request): boolean => isForm(request) && acceptsPage(request);

const formTexts = translator("en", "form-refusal");

const textForPerson = ({ code, message }: DomainError): string => {
  if (code === "method_not_allowed") return formTexts("wrongMethod");
  return message === malformedFieldsMessage ? formTexts("invalid") : message;
};

/** A page with the error and a link back, for the person who sent the form. */
const refusalPage = (error: DomainError, requestId: string, formPage = "/status/subscribe"): Reply => {
  const page = plainPage({
    status: domainStatus(error),
    title: "Something went wrong",
    text: textForPerson(error),
    note: requestId,
    link: { href: formPage, label: "Back to the form" },
  });
  return { ...page, headers: { ...page.headers, ...error.headers } };
};

type Served = Pick<Endpoint, "isPublic"> & Pick<RequestInfo, "requestId">;

const toResponse = ({ status, headers, body, contentType }: Reply, { isPublic, requestId }: Served): Response => {
  const isRaw = typeof body === "string";
  return new Response(body === undefined ? null : isRaw ? body : JSON.stringify(body), {
    status,
    headers: {
      ...headers,
      ...(isPublic ? anyOrigin : {}),
      ...(body === undefined ? {} : { "content-type": contentType ?? "application/json" }),
      "x-request-id": requestId,
      "x-content-type-options": "nosniff",
    },
  });
};

/** One endpoint of the status process as a web handler. It works without a database. */
const serveStatus =
  (endpoint: StatusEndpoint): Handler =>
  async (request) => {
    const deps = currentStatusDeps();
    const startedAt = performance.now();
    const info = requestInfoOf(request.headers);
    let reply: Reply;
    let body: unknown = {};
    try {
      if (endpoint.request.body && isForm(request)) refuseOtherSites(request);
      // The limit also applies to bodies that the endpoint doesn't read.
      readContentLength(request);
      if (endpoint.request.body) body = await readBody(endpoint, request);
      const input = validateInput(endpoint, targetOf(request.url), body);
      reply = await endpoint.answer({ deps, info, request }, input);
    } catch (thrown) {
      const error = toDomainError(deps, thrown, { endpoint, info });
      reply = isOfPage(request)
        ? refusalPage(error, info.requestId, endpoint.formPage?.(deps, body))
        : problemReply(error, deps.config.baseUrl);
    }
    const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10;
    const { requestId } = info;
    const isBackground = isOwnUserAgent(info.userAgent);
    deps.log.request({ requestId, operation: endpoint.operationId, status: reply.status, milliseconds, isBackground });
    return toResponse(reply, { ...endpoint, requestId });
  };

/** All methods of one path, for a route file below app/status. */
export const mountStatus = (...endpoints: StatusEndpoint[]) => {
  const handlers = new Map<string, Handler>(endpoints.map((endpoint) => [endpoint.method, serveStatus(endpoint)]));
  const readable = handlers.get("GET");
  const isPublic = endpoints.some((endpoint) => endpoint.isPublic);
  const allow = [...handlers.keys(), ...(readable ? ["HEAD"] : []), "OPTIONS"].join(", ");
  const answerOtherMethod: Handler = async (request) => {
    const error = new DomainError("invalid", {
      code: "method_not_allowed",
      message: `This path supports only ${allow}.`,
      headers: { allow },
    });
    const requestId = newId("req");
    // A browser may send a GET request to a form's URL, for example when it restores its tabs after a restart.
    const isFormAddress = !readable && request.method === "GET" && acceptsPage(request);
    const reply = isFormAddress
      ? refusalPage(error, requestId)
      : problemReply(error, currentStatusDeps().config.baseUrl);
    return toResponse(reply, { isPublic, requestId });
  };
  const head: Handler = async (request) => {
    const { status, headers } = await (readable ?? answerOtherMethod)(
      new Request(request.url, { headers: request.headers }),
    );
    return new Response(null, { status, headers });
  };
  const options: Handler = async () => {
    const headers = { allow, ...(isPublic ? preflightHeaders(allow) : {}) };
    return toResponse({ status: 204, headers }, { isPublic, requestId: newId("req") });
  };
  return {
    GET: readable ?? answerOtherMethod,
    POST: handlers.get("POST") ?? answerOtherMethod,
    PUT: answerOtherMethod,
    PATCH: answerOtherMethod,
    DELETE: answerOtherMethod,
    HEAD: readable ? head : answerOtherMethod,
    OPTIONS: options,
  };
};
