import { findPersonLocale } from "../accounts/language/find-person-locale.ts";
import { safeReturnTo } from "../accounts/rules/return-to.ts";
import { negotiate } from "../contract/accept.ts";
import { targetOf } from "../contract/body/read-request.ts";
import type { Endpoint, EndpointRequest, Reply } from "../contract/endpoint.ts";
import { plainPage } from "../contract/error-page.ts";
import type { Config } from "../deps/config.ts";
import type { Deps, RequestInfo } from "../deps/deps.ts";
import { languageOf } from "../kernel/messages/languages.ts";
import { translator } from "../kernel/messages/translator.ts";
import { errorReply } from "./error-reply.ts";
import { isPayerLink, linkRefusalPage } from "./link-refusal.ts";

type Headers = EndpointRequest["headers"];

/** Whether a browser sent the request to open a page. Programs prefer JSON, and so do the scripts of our pages. */
const isNavigation = (headers: Headers): boolean =>
  headers.get("sec-fetch-dest") === "document" ||
  negotiate(headers.get("accept"), ["application/problem+json", "application/json", "text/html"]) === "text/html";

type FormContract = Pick<Endpoint, "method" | "path" | "auth" | "errors" | "request">;

/** Whether a person sent a form of our pages. The OAuth endpoints have their own errors. */
const isFormOfPerson = ({ method, path, auth, errors, request }: FormContract, headers: Headers): boolean =>
  method === "POST" &&
  request.content === "form" &&
  auth.kind === "none" &&
  !path.startsWith("/oauth/") &&
  (errors === "page" || isNavigation(headers));

type Refused = { request: EndpointRequest; info: RequestInfo };

/**
 * An error in the endpoint's own shape. A person who sent a form without script, or opened the link of a consent
 * request, gets a page in their language instead.
 */
export const refusalReply = async (
  endpoint: Endpoint,
  deps: Deps,
  { request, info, error }: Refused & { error: unknown },
): Promise<Reply> => {
  const reply = errorReply(endpoint, deps, { info, error });
  if (isFormOfPerson(endpoint, request.headers)) return formRefusalPage(deps, { request, info }, reply);
  return isPayerLink(endpoint) ? linkRefusalPage(deps, { request, info, error }, reply) : reply;
};

/** In the person's language, with a link to the page that has the form. */
const formRefusalPage = async (deps: Deps, { request, info }: Refused, { status, headers }: Reply): Promise<Reply> => {
  const { path } = targetOf(request.url);
  const locale = await findPersonLocale(deps, { path, headers: request.headers, status });
  const t = translator(locale, "form-refusal");
  const reason = reasonOf(status);
  const page = plainPage({
    status,
    language: languageOf(locale),
    title: t(`${reason}Title`),
    text: reason === "busy" ? t("busy", { seconds: Number(headers?.["retry-after"] ?? 60) }) : t(reason),
    note: info.requestId,
    link: { href: findFormPage(deps.config, path, request.headers.get("referer")), label: t("back") },
  });
  return { ...page, headers: { ...headers, ...page.headers } };
};

const reasonOf = (status: number) => {
  if (status === 403) return "foreign";
  if (status === 405) return "wrongMethod";
  if (status === 429) return "busy";
  if (status === 503) return "unavailable";
  return status >= 500 ? "fault" : "invalid";
};

/**
 * The path of the page that sent the form, with its query. If the Referer header names none of our pages, this is the
 * first page of the form's area, such as `/sign-in`.
 */
const findFormPage = (config: Pick<Config, "baseUrl" | "walletUrl">, path: string, referer: string | null): string => {
  const sender = referer !== null && URL.canParse(referer) ? new URL(referer) : null;
  const ownOrigins = [new URL(config.baseUrl).origin, new URL(config.walletUrl).origin];
  if (sender && sender.pathname !== path && ownOrigins.includes(sender.origin)) {
    return safeReturnTo(`${sender.pathname}${sender.search}`);
  }
  const [, area, id, act] = path.split("/");
  if (act !== undefined && area === "consent") return `/consent/${id}`;
  return id === undefined ? "/" : `/${area}`;
};
