import type { Endpoint, Reply } from "../contract/endpoint.ts";
import { errorPage, type PageLink } from "../contract/error-page.ts";
import { noStore } from "../contract/headers.ts";
import { domainStatus, oauthErrorReply, problemReply } from "../contract/problem.ts";
import type { Deps, RequestInfo } from "../deps/deps.ts";
import { DomainError, isDomainError, isOAuthError, type OAuthError } from "../kernel/errors.ts";

/**
 * The error in the endpoint's own shape. Faults and unavailable dependencies are logged in full, without detail in the
 * response.
 */
export const errorReply = (
  endpoint: Endpoint,
  deps: Deps,
  { info, error }: { info: RequestInfo; error: unknown },
): Reply => {
  if (isDomainError(error) && error.kind === "unavailable" && error.cause) {
    deps.log.warn({ requestId: info.requestId, operation: endpoint.operationId, err: error.cause }, error.code);
  }
  if (endpoint.errors === "page") return pageReply(endpoint, deps, { info, error });
  if (isOAuthError(error)) {
    if (endpoint.errors === "oauth") return oauthErrorReply(error);
    return tokenProblem(error, deps.config.baseUrl);
  }
  if (isDomainError(error)) {
    return endpoint.errors === "problem" ? problemReply(error, deps.config.baseUrl) : oauthShape(error);
  }
  deps.log.error({ requestId: info.requestId, operation: endpoint.operationId, err: error }, "fault");
  return endpoint.errors === "oauth"
    ? {
        status: 500,
        headers: noStore,
        body: { error: "server_error", error_description: "an unexpected error occurred on our side" },
      }
    : problemReply(
        new DomainError("unavailable", {
          code: "server_error",
          message: "An unexpected error occurred on our side. Try again. If it persists, report the X-Request-Id.",
        }),
        deps.config.baseUrl,
      );
};

/** The link on the error page of a refused download, by portal. */
const portalLinks: readonly { paths: string; link: PageLink }[] = [
  { paths: "/wallet/", link: { href: "/wallet", label: "Go to the wallet" } },
  { paths: "/merchant/", link: { href: "/merchant", label: "Go to the dashboard" } },
];

const pageReply = (endpoint: Endpoint, deps: Deps, { info, error }: { info: RequestInfo; error: unknown }): Reply => {
  const home = portalLinks.find(({ paths }) => endpoint.path.startsWith(paths))?.link;
  const page = (status: number, text: string, link: PageLink | undefined = home) =>
    errorPage({ status, title: "We can’t continue", text, requestId: info.requestId, link });
  if (isDomainError(error)) {
    const isForDevelopers = error.code === "request_not_pushed";
    const docs = { href: `${deps.config.baseUrl}/docs`, label: "Read the documentation" };
    const reply = page(domainStatus(error), error.message, isForDevelopers ? docs : undefined);
    return { ...reply, headers: { ...reply.headers, ...error.headers } };
  }
  if (isOAuthError(error)) return page(400, "The link is malformed. Go back to the app and start again.");
  deps.log.error({ requestId: info.requestId, operation: endpoint.operationId, err: error }, "fault");
  return page(500, `Something went wrong on our side.${home ? "" : " Nothing was approved."} Please try again.`);
};

/**
 * A response whose status has no OAuth error code (413, 415, 405 …) still has the shape and the characters of RFC 6749
 * §5.2.
 */
const oauthShape = (error: DomainError): Reply => ({
  status: domainStatus(error),
  headers: { "cache-control": "no-store", ...error.headers },
  body: { error: oauthCodeOf(error), error_description: error.message.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'") },
});

const oauthCodeOf = (error: DomainError): string =>
  error.kind === "unavailable" || error.kind === "rate_limited" ? "temporarily_unavailable" : "invalid_request";

/** A refused access token at a resource: the challenge is in WWW-Authenticate, and the body is a problem. */
const tokenProblem = (error: OAuthError, baseUrl: string): Reply => {
  const status = oauthErrorReply(error).status;
  const kind = status === 401 ? "unauthenticated" : status === 403 ? "forbidden" : "invalid";
  return problemReply(
    new DomainError(kind, { code: error.code, message: error.description, headers: error.headers }),
    baseUrl,
  );
};
