import { createOpenApiFetchHandler, type OpenApiMeta } from "trpc-to-openapi";
import { z } from "zod";
import { fieldErrors } from "../contract/body/field-errors.ts";
import { parameterErrors, parameterNames, targetOf } from "../contract/body/read-request.ts";
import { problemReply } from "../contract/problem.ts";
import { DomainError, type FieldError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { currentStatusDeps } from "../status/runtime.ts";
import { statusRouter } from "../trpc/status/status.ts";

/** Procedures of the status process as REST (trpc-to-openapi). */
export const serveStatusRest = async (request: Request): Promise<Response> => {
  const status = currentStatusDeps();
  const requestId = newId("req");
  const refused = findParameterRefusal(request);
  if (refused) return toProblem(refused, status.productionUrl, requestId);
  let failure: unknown;
  const response = await createOpenApiFetchHandler({
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
  if (!response.ok) return toProblem(toDomainError(response.status, failure), status.productionUrl, requestId);
  const headers = new Headers(response.headers);
  headers.set("x-request-id", requestId);
  headers.set("cache-control", "no-store");
  return new Response(response.body, { status: response.status, headers });
};

/** The query parameters of each procedure, by its path. */
const parametersByPath = new Map(
  Object.values(statusRouter._def.procedures).map(({ _def: { meta, inputs } }) => {
    const { openapi } = meta as OpenApiMeta;
    const [input] = inputs as readonly unknown[];
    return [(openapi?.path ?? "") as string, input instanceof z.ZodObject ? parameterNames(input) : []] as const;
  }),
);

/** @returns null if the procedure accepts every parameter of the request, or if the path has no procedure. */
const findParameterRefusal = ({ url }: Request): DomainError | null => {
  const { path, query } = targetOf(url);
  const names = parametersByPath.get(path);
  const errors = names ? parameterErrors(query, names) : [];
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

/** REST errors are RFC 9457 problems (docs/spec/product.md, Invalid requests); the library's own shape is different. */
const toProblem = (error: DomainError, baseUrl: string, requestId: string): Response => {
  const reply = problemReply(error, baseUrl);
  const contentType = reply.contentType ?? "application/problem+json";
  const headers = { ...reply.headers, "content-type": contentType, "x-request-id": requestId };
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
