import { getTRPCErrorFromUnknown, type TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { readBody } from "../contract/body/form.ts";
import { requestInfoOf } from "../contract/request-info.ts";
import type { RequestInfo } from "../deps/deps.ts";
import { type DomainError, isDomainError } from "../kernel/errors.ts";
import { recentWriteCookie } from "../kernel/requests/recent-write.ts";
import { createContext, type ObservedCall } from "../trpc/context.ts";
import { translateError } from "../trpc/init.ts";
import { appRouter } from "../trpc/root.ts";
import { admitAddress, meterHeaders, startMeter } from "./limits/rate-limit.ts";
import { currentDeps } from "./runtime.ts";

/** RATE_LIMITS has one name for all procedures. */
export const pagesLimit = { operationId: "pages", rateLimit: "person", auth: { kind: "none" } } as const;

/** Maximum procedures in one request; all of our pages call fewer. */
const maxBatchSize = 20;

/** The pages' procedures at /api/trpc/{procedure}. Responses belong to a session and are never cached. */
export const serveTrpc = async (request: Request): Promise<Response> => {
  const info = requestInfoOf(request.headers);
  const calls = observeCalls(info);
  const answer = await answerTrpc(request, info, calls.observe);
  calls.end(answer.status);
  answer.headers.set("x-request-id", info.requestId);
  // The library's refusal of an unknown content type is JSON without a content type.
  const type = answer.headers.get("content-type") ?? "";
  // nginx would hold events back until its buffer is full.
  if (type.includes("event-stream")) answer.headers.set("x-accel-buffering", "no");
  if (!type.includes("json") && !type.includes("event-stream")) answer.headers.set("content-type", "application/json");
  // RFC 9110 §15.5.6: queries use GET, mutations use POST.
  if (answer.status === 405) answer.headers.set("allow", "GET, POST");
  return answer;
};

/**
 * A log line and a metric for each procedure of a request; a batch has several. A request that is refused before a
 * procedure is called has one line.
 */
const observeCalls = ({ requestId }: RequestInfo) => {
  const { log } = currentDeps();
  const startedAt = performance.now();
  let count = 0;
  const write = (operation: string, status: number, milliseconds: number) =>
    log.request({ requestId, operation, status, milliseconds: Math.round(milliseconds * 10) / 10 });
  return {
    observe({ path, status, milliseconds }: ObservedCall): void {
      count += 1;
      write(`trpc.${path}`, status, milliseconds);
    },
    end(status: number): void {
      if (count === 0) write(pagesLimit.operationId, status, performance.now() - startedAt);
    },
  };
};

const answerTrpc = async (
  request: Request,
  info: RequestInfo,
  observe: (call: ObservedCall) => void,
): Promise<Response> => {
  const meter = startMeter(currentDeps(), pagesLimit, info);
  try {
    admitAddress(meter);
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return refusal({ status: 429, code: "TOO_MANY_REQUESTS", number: -32_029 }, error, info);
  }
  const body = request.method === "POST" ? await readText(request, info) : null;
  if (body instanceof Response) return body;
  const { url, method, headers } = request;
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: body === null ? request : new Request(url, { method, headers, body }),
    router: appRouter,
    maxBatchSize,
    // Reads the session before any procedure runs. Only procedures translate their errors, so this is done here.
    createContext: () =>
      createContext(currentDeps(), headers, { info, observe }).catch((error: unknown) => {
        throw translateError(getTRPCErrorFromUnknown(error), { deps: currentDeps(), info, procedure: null });
      }),
    responseMeta: ({ ctx, type, errors }) => {
      const cookies = [...(ctx?.cookies ?? []), ...(type === "mutation" ? [recentWriteCookie] : [])];
      const answer = headersOf(meter, cookies);
      const retryAfter = findRetryAfter(errors);
      if (retryAfter !== null) answer.set("retry-after", retryAfter);
      return { headers: answer };
    },
  });
};

const findRetryAfter = (errors: readonly TRPCError[]): string | null => {
  for (const { cause } of errors) {
    const seconds = isDomainError(cause) ? cause.headers["retry-after"] : undefined;
    if (seconds !== undefined) return seconds;
  }
  return null;
};

const headersOf = (meter: ReturnType<typeof startMeter>, cookies: readonly string[]): Headers => {
  const headers = new Headers({ "cache-control": "no-store", ...(meter ? meterHeaders(meter) : {}) });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return headers;
};

/** The body of at most 64 KiB (docs/spec/product.md, Invalid requests), or the refusal in tRPC's shape. */
const readText = async (request: Request, info: RequestInfo): Promise<string | Response> => {
  try {
    return await readBody(request);
  } catch (error) {
    if (isDomainError(error) && error.code === "body_too_large") {
      return refusal({ status: 413, code: "PAYLOAD_TOO_LARGE", number: -32_013 }, error, info);
    }
    if (isDomainError(error) && error.code === "unsupported_media_type") {
      return refusal({ status: 415, code: "UNSUPPORTED_MEDIA_TYPE", number: -32_015 }, error, info);
    }
    if (isDomainError(error)) return refusal({ status: 400, code: "BAD_REQUEST", number: -32_600 }, error, info);
    if (error instanceof TypeError) {
      return refusal(
        { status: 400, code: "BAD_REQUEST", number: -32_600 },
        { message: "The body is not valid UTF-8." },
        info,
      );
    }
    throw error;
  }
};

/** `number`: the JSON-RPC code that tRPC pairs with `code`. */
const refusal = (
  { status, code, number }: { status: number; code: string; number: number },
  { message, headers }: Pick<DomainError, "message"> & Partial<Pick<DomainError, "headers">>,
  { requestId }: RequestInfo,
): Response =>
  Response.json(
    { error: { message, code: number, data: { code, httpStatus: status, reason: null, fields: [], requestId } } },
    { status, headers: { "cache-control": "no-store", ...headers } },
  );
