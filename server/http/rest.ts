import { createOpenApiFetchHandler } from "trpc-to-openapi";
import { z } from "zod";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { currentStatusDeps } from "../status/runtime.ts";
import { statusRouter } from "../trpc/routers/status.ts";
import { problemReply } from "./problem.ts";

/** Procedures of the status process as REST (trpc-to-openapi). */
export const serveStatusRest = async (request: Request): Promise<Response> => {
  const status = currentStatusDeps();
  const requestId = newId("req");
  let failure: unknown;
  const response = await createOpenApiFetchHandler({
    // Procedures carry their whole path; this only takes one of the slashes behind `http:`, which URL puts back.
    endpoint: "/",
    req: withoutInherited(request),
    router: statusRouter,
    createContext: () => ({ status }),
    onError({ error }) {
      failure = error.cause;
      if (error.code === "INTERNAL_SERVER_ERROR") status.log.error({ requestId, err: error.cause }, "fault");
    },
  });
  const answer = response.ok ? response : toProblem(errorOf(response.status, failure), status.productionUrl);
  const headers = new Headers(answer.headers);
  headers.set("x-request-id", requestId);
  headers.set("cache-control", "no-store");
  return new Response(answer.body, { status: answer.status, headers });
};

/**
 * The library gathers a query in an object that inherits: at a name like `toString` it would find a function. No
 * parameter of ours is called so, and one that nobody knows is ignored.
 */
const withoutInherited = (request: Request): Request => {
  const url = new URL(request.url);
  const inherited = [...url.searchParams.keys()].filter((name) => name in Object.prototype);
  for (const name of inherited) url.searchParams.delete(name);
  return inherited.length === 0 ? request : new Request(url, request);
};

/** What GET answers, without the body (RFC 9110 §9.3.2). */
export const serveStatusRestHead = async (request: Request): Promise<Response> => {
  const { status, headers } = await serveStatusRest(new Request(request.url, { headers: request.headers }));
  return new Response(null, { status, headers });
};

/** REST answers RFC 9457 (0-product, Bad input, everywhere); the library has a shape of its own. */
const toProblem = (error: DomainError, baseUrl: string): Response => {
  const reply = problemReply(error, baseUrl);
  const headers = { ...reply.headers, "content-type": reply.contentType ?? "application/problem+json" };
  return new Response(JSON.stringify(reply.body), { status: reply.status, headers });
};

const errorOf = (status: number, failure: unknown): DomainError => {
  if (status === 404) return new DomainError("not_found", "not_found", "Nothing answers at this address.");
  if (status < 500) {
    const issues = failure instanceof z.ZodError ? failure.issues : [];
    const errors = issues.map(({ path, message }) => ({ pointer: `#${path.join("/")}`, detail: message }));
    return new DomainError("invalid", "invalid_request", "The request is malformed.", { errors });
  }
  return new DomainError("unavailable", "server_error", "The server met an unexpected condition.");
};
