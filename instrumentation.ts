import type { Instrumentation } from "next";
import { findUnavailableError } from "#server/contract/database-unavailable.ts";
import { reportUnavailable } from "#server/http/pages/rendering.ts";
import { currentDeps } from "#server/http/runtime.ts";
import { findStatusDeps } from "#server/status/runtime.ts";

/**
 * Logs the error of a page, with the digest and the request id that the error page shows. The path is in the log line
 * `page` with the same request id.
 */
export const onRequestError: Instrumentation.onRequestError = (error, { headers }) => {
  const { log } = findStatusDeps() ?? currentDeps();
  const digest = error instanceof Error && "digest" in error ? error.digest : undefined;
  const requestId = headers["x-request-id"];
  const unavailable = findUnavailableError(error);
  if (!unavailable) return log.error({ err: error, digest, requestId }, "page failed");
  reportUnavailable(unavailable);
  log.warn({ err: unavailable.cause ?? unavailable, digest, requestId }, unavailable.code);
};
