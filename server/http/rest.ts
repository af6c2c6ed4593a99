import { createOpenApiFetchHandler } from "trpc-to-openapi";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { currentStatusDeps } from "../status/runtime.ts";
import { statusRouter } from "../trpc/routers/status.ts";
import { problemReply } from "./problem.ts";

/** Procedures of the status process as REST (trpc-to-openapi). */
export const serveStatusRest = async (request: Request): Promise<Response> => {
  const status = currentStatusDeps();
  const response = await createOpenApiFetchHandler({
    // Procedures carry their whole path; this only takes one of the slashes behind `http:`, which URL puts back.
    endpoint: "/",
    req: request,
    router: statusRouter,
    createContext: () => ({ status }),
  });
  const answer = response.ok ? response : toProblem(response.status, status.productionUrl);
  const headers = new Headers(answer.headers);
  headers.set("x-request-id", newId("req"));
  return new Response(answer.body, { status: answer.status, headers });
};

/** REST answers RFC 9457 (0-product, Bad input, everywhere); the library has a shape of its own. */
const toProblem = (status: number, baseUrl: string): Response => {
  const reply = problemReply(errorOf(status), baseUrl);
  const headers = { ...reply.headers, "content-type": reply.contentType ?? "application/problem+json" };
  return new Response(JSON.stringify(reply.body), { status: reply.status, headers });
};

const errorOf = (status: number): DomainError => {
  if (status === 404) return new DomainError("not_found", "not_found", "Nothing answers at this address.");
  if (status < 500) return new DomainError("invalid", "invalid_request", "The request is malformed.");
  return new DomainError("unavailable", "server_error", "The server met an unexpected condition.");
};
