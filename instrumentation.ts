import type { Instrumentation } from "next";
import { currentDeps } from "#server/http/runtime.ts";
import { findStatusDeps } from "#server/status/runtime.ts";

/**
 * Logs the error of a page, with the digest and the request id that the error page shows. The path is in the log line
 * `page` with the same request id.
 */
export const onRequestError: Instrumentation.onRequestError = (error, { headers }) => {
  const { log } = findStatusDeps() ?? currentDeps();
  const digest = error instanceof Error && "digest" in error ? error.digest : undefined;
  log.error({ err: error, digest, requestId: headers["x-request-id"] }, "page failed");
};
