import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { readBody } from "../http/form.ts";
import { currentDeps } from "../http/runtime.ts";
import { isDomainError } from "../kernel/errors.ts";
import { createContext } from "./context.ts";
import { appRouter } from "./root.ts";

/** More than any page of ours asks for at once. */
const maxBatchSize = 20;

/** The pages' own procedures, by fetch at /api/trpc/{procedure}. Answers are a session's own and never cached. */
export const serveTrpc = async (request: Request): Promise<Response> => {
  const body = request.method === "POST" ? await readText(request) : null;
  if (body instanceof Response) return body;
  const { url, method, headers } = request;
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: body === null ? request : new Request(url, { method, headers, body }),
    router: appRouter,
    maxBatchSize,
    createContext: () => createContext(currentDeps(), headers),
    responseMeta: () => ({ headers: new Headers({ "cache-control": "no-store" }) }),
  });
};

/** The body, 64 KiB at the most (0-product, Bad input, everywhere), or the refusal in tRPC's own shape. */
const readText = async (request: Request): Promise<string | Response> => {
  try {
    return await readBody(request);
  } catch (error) {
    if (isDomainError(error)) return refusal(413, "PAYLOAD_TOO_LARGE", -32_013, error.message);
    if (error instanceof TypeError) return refusal(400, "BAD_REQUEST", -32_600, "The body is not UTF-8 text.");
    throw error;
  }
};

const refusal = (httpStatus: number, code: string, number: number, message: string): Response =>
  Response.json(
    { error: { message, code: number, data: { code, httpStatus, reason: null, fields: [], requestId: null } } },
    { status: httpStatus, headers: { "cache-control": "no-store" } },
  );
