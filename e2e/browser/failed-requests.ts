import type { BrowserContext, TestInfo } from "@playwright/test";

/**
 * Records the requests of a test's pages that had no response, or one with a 5xx status.
 * @returns a function that throws an error with these requests if the test failed. A missing script or style may be the
 * cause of a timeout.
 */
export const recordFailedRequests = (context: BrowserContext): ((info: TestInfo) => void) => {
  const failed: string[] = [];
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "no response";
    // A page aborts its own requests when it is left.
    if (reason !== "net::ERR_ABORTED") failed.push(`${request.method()} ${request.url()}: ${reason}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 500) failed.push(`${response.request().method()} ${response.url()}: ${response.status()}`);
  });
  return ({ status, expectedStatus }) => {
    if (status !== expectedStatus && failed.length > 0) throw new Error(`Requests failed:\n${failed.join("\n")}`);
  };
};
