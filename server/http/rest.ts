import { createOpenApiFetchHandler } from "trpc-to-openapi";
import { currentStatusDeps } from "../status/runtime.ts";
import { statusRouter } from "../trpc/routers/status.ts";

/** Procedures of the status process as REST (trpc-to-openapi). */
export const serveStatusRest = (request: Request): Promise<Response> =>
  createOpenApiFetchHandler({
    // Procedures carry their whole path; this only takes one of the slashes behind `http:`, which URL puts back.
    endpoint: "/",
    req: request,
    router: statusRouter,
    createContext: () => ({ status: currentStatusDeps() }),
  });
