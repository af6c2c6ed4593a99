import type { Instrumentation } from "next";
import { currentDeps } from "#server/http/runtime.ts";
import { findStatusDeps } from "#server/status/runtime.ts";

/**
 * Logs an error of a page with its digest and its request id, which the page shows. The line `page` has the path of the
 * request.
 */
export const onRequestError: Instrumentation.onRequestError = (error, { headers }) => {
  const { log } = findStatusDeps() ?? currentDeps();
  const digest = error instanceof Error && "digest" in error ? error.digest : undefined;
  log.error({ err: error, digest, requestId: headers["x-request-id"] }, "page failed");
};
