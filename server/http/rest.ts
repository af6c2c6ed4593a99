import { createOpenApiFetchHandler, type OpenApiMeta } from "trpc-to-openapi";
import { z } from "zod";
import { fieldErrors } from "../contract/body/field-errors.ts";
import { parameterErrors, parameterNames, targetOf } from "../contract/body/read-request.ts";
import { anyOrigin, preflightHeaders } from "../contract/headers.ts";
import { problemReply } from "../contract/problem.ts";
import { requestInfoOf } from "../contract/request-info.ts";
import { DomainError, type FieldError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { isOwnUserAgent } from "../kernel/requests/own-agent.ts";
import { currentStatusDeps } from "../status/runtime.ts";
import { statusRouter } from "../trpc/status/status.ts";

/** Procedures of the status process as REST (trpc-to-openapi). */
export const serveStatusRest = async (request: Request): Promise<Response> => {
  const startedAt = performance.now();
  const requestId = newId("req");
  const response = await answer(request, requestId);
  currentStatusDeps().log.request({
    requestId,
    operation: procedures.get(targetOf(request.url).path)?.operation ?? "not_found",
    status: response.status,
    milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
    isBackground: isOwnUserAgent(requestInfoOf(request.headers).userAgent),
  });
  return response;
};

const answer = async (request: Request, requestId: string): Promise<Response> => {
  const status = currentStatusDeps();
  const refused = findParameterRefusal(request);
  if (refused) return toProblem(refused, status.productionUrl, requestId);
  let failure: unknown;
  const answered = await createOpenApiFetchHandler({
    // Procedures have their full path, so the library has no prefix to remove. It removes the first "/" of the URL
    // instead, one of the two after `http:`. Parsing the URL restores the slash.
    endpoint: "/",
    req: request,
    router: statusRouter,
    createContext: () => ({ status }),
    onError({ error }) {
      failure = error.cause;
      if (error.code === "INTERNAL_SERVER_ERROR") status.log.error({ requestId, err: error.cause }, "fault");
    },
  });
  if (!answered.ok) return toProblem(toDomainError(answered.status, failure), status.productionUrl, requestId);
  const headers = new Headers(answered.headers);
  headers.set("x-request-id", requestId);
  headers.set("cache-control", "no-store");
  for (const [name, value] of Object.entries(anyOrigin)) headers.set(name, value);
  return new Response(answered.body, { status: answered.status, headers });
};

/** The operation and the query parameters of each procedure, by its path. */
const procedures = new Map(
  Object.values(statusRouter._def.procedures).map(({ _def: { meta, inputs } }) => {
    const { openapi } = meta as OpenApiMeta;
    const [input] = inputs as readonly unknown[];
    const parameters = input instanceof z.ZodObject ? parameterNames(input) : [];
    return [(openapi?.path ?? "") as string, { operation: openapi?.operationId ?? "", parameters }] as const;
  }),
);

/** @returns null if the procedure accepts every parameter of the request, or if the path has no procedure. */
const findParameterRefusal = ({ url }: Request): DomainError | null => {
  const { path, query } = targetOf(url);
  const procedure = procedures.get(path);
  const errors = procedure ? parameterErrors(query, procedure.parameters) : [];
  return errors.length > 0 ? parametersRefusal(errors) : null;
};

const parametersRefusal = (errors: readonly FieldError[]): DomainError =>
  new DomainError("invalid", {
    code: "invalid_request",
    message: "A field is missing or malformed. Correct the fields in errors.",
    errors,
  });

/** The response to GET without its body (RFC 9110 §9.3.2). */
export const serveStatusRestHead = async (request: Request): Promise<Response> => {
  const { status, headers } = await serveStatusRest(new Request(request.url, { headers: request.headers }));
  return new Response(null, { status, headers });
};

const allow = "GET, HEAD, OPTIONS";

export const serveStatusRestOptions = async (): Promise<Response> =>
  new Response(null, {
    status: 204,
    headers: { allow, ...preflightHeaders(allow), ...anyOrigin, "x-request-id": newId("req") },
  });

/** REST errors are RFC 9457 problems (docs/spec/product.md, Invalid requests); the library's own shape is different. */
const toProblem = (error: DomainError, baseUrl: string, requestId: string): Response => {
  const reply = problemReply(error, baseUrl);
  const contentType = reply.contentType ?? "application/problem+json";
  const headers = { ...reply.headers, ...anyOrigin, "content-type": contentType, "x-request-id": requestId };
  return new Response(JSON.stringify(reply.body), { status: reply.status, headers });
};

const toDomainError = (status: number, failure: unknown): DomainError => {
  if (status === 404) {
    return new DomainError("not_found", {
      code: "not_found",
      message: "This path doesn't exist. Check the path and the method.",
    });
  }
  if (status < 500) {
    return parametersRefusal(failure instanceof z.ZodError ? fieldErrors(failure, "#") : []);
  }
  return new DomainError("unavailable", {
    code: "server_error",
    message: "An unexpected error occurred on our side. Try again. If it persists, report the X-Request-Id.",
  });
};
