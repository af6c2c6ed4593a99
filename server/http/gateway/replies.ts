import type { ServerResponse } from "node:http";
import type { Reply } from "../../contract/endpoint.ts";
import { plainPage } from "../../contract/error-page.ts";
import { problemReply } from "../../contract/problem.ts";
import type { RequestInfo } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { pathOf } from "../request-target.ts";
import { machineHeaders, setHeaders } from "../security-headers.ts";
import { endAfterBody } from "./node-request.ts";
import type { Route } from "./routes.ts";

/** Paths for programs: an unknown path below them is answered with an error body, not with a page. */
const oauthPaths = /^\/(oauth|\.well-known|directory\/federation|directory\/\.well-known)(\/|$)/;
// `/directory/log` itself is a page.
const problemPaths =
  /^\/(?:(?:merchant_test|processors|api|billing|cdn|directory\/v1|status\/v1|status\/api|sandbox)(?:\/|$)|directory\/log\/.)/;
export const isMachinePath = (pathname: string): boolean => oauthPaths.test(pathname) || problemPaths.test(pathname);

const texts = {
  not_found: { kind: "not_found", message: "This path doesn't exist. Check the path and the method." },
  body_too_large: { kind: "invalid", message: "The body is larger than 64 KiB. Send a smaller one." },
} as const;

export const refusalAt = (pathname: string, code: keyof typeof texts, baseUrl: string): Reply => {
  const { kind, message } = texts[code];
  return inShapeOf(pathname, new DomainError(kind, { code, message }), baseUrl);
};

const inShapeOf = (pathname: string, error: DomainError, baseUrl: string): Reply => {
  const problem = problemReply(error, baseUrl);
  if (!oauthPaths.test(pathname)) return problem;
  return {
    status: problem.status,
    headers: { "cache-control": "no-store" },
    body: { error: "invalid_request", error_description: error.message },
  };
};

export const replyToResponse = ({ status, headers, contentType, body }: Reply): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, "content-type": contentType ?? "application/json", "x-request-id": newId("req") },
  });

export const badRequest = (baseUrl: string): Reply =>
  problemReply(
    new DomainError("invalid", { code: "invalid_request", message: "Invalid Host header or request target." }),
    baseUrl,
  );

export const faultReply = (baseUrl: string): Reply =>
  problemReply(
    new DomainError("unavailable", {
      code: "server_error",
      message: "An unexpected error occurred on our side. Try again. If it persists, report the X-Request-Id.",
    }),
    baseUrl,
  );

export const tooManyPages = (
  { message, headers }: DomainError,
  { requestId }: Pick<RequestInfo, "requestId">,
): Reply => {
  const page = plainPage({ status: 429, title: "Too many requests", text: message, note: requestId });
  return { ...page, headers: { ...page.headers, ...headers } };
};

export const sendReply = (outgoing: ServerResponse, reply: Reply, isHttps: boolean): Promise<void> => {
  setHeaders(outgoing, machineHeaders(isHttps, pathOf(outgoing.req.url ?? "")));
  setHeaders(outgoing, reply.headers ?? {});
  outgoing.setHeader("x-request-id", newId("req"));
  outgoing.setHeader("content-type", reply.contentType ?? "application/json");
  const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
  outgoing.setHeader("content-length", Buffer.byteLength(text));
  endAfterBody(outgoing.writeHead(reply.status), text);
  return Promise.resolve();
};

/** Pages support only GET and HEAD; forms are sent to routes (RFC 9110 §15.5.6). */
export const wrongPageMethod = (baseUrl: string): Reply =>
  problemReply(
    new DomainError("invalid", {
      code: "method_not_allowed",
      message: "This path supports only GET and HEAD.",
      headers: { allow: "GET, HEAD" },
    }),
    baseUrl,
  );

/** RFC 9110 §15.5.6. Route files made by `mount` answer 405 themselves. */
export const wrongMethod = async (
  request: Request,
  { pattern, handlers }: Route,
  baseUrl: string,
): Promise<Response> => {
  const options = await handlers["OPTIONS"]?.(request, { params: Promise.resolve({}) });
  const allow = options?.headers.get("allow") ?? Object.keys(handlers).join(", ");
  const error = new DomainError("invalid", {
    code: "method_not_allowed",
    message: `This path supports only ${allow}.`,
  });
  const reply = inShapeOf(pattern, error, baseUrl);
  return replyToResponse({ ...reply, headers: { ...reply.headers, allow } });
};
