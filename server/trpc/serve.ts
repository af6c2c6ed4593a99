import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { currentDeps } from "../http/runtime.ts";
import { createContext } from "./context.ts";
import { appRouter } from "./root.ts";

/** The pages' own procedures, by fetch at /api/trpc/{procedure}. Answers are a session's own and never cached. */
export const serveTrpc = (request: Request): Promise<Response> =>
  fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    createContext: () => createContext(currentDeps(), request.headers),
    responseMeta: () => ({ headers: new Headers({ "cache-control": "no-store" }) }),
  });
