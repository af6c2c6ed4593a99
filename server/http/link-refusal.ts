import { findPersonLocale } from "../accounts/language/find-person-locale.ts";
import { targetOf } from "../contract/body/read-request.ts";
import type { Endpoint, EndpointRequest, Reply } from "../contract/endpoint.ts";
import { errorPage } from "../contract/error-page.ts";
import type { Deps, RequestInfo } from "../deps/deps.ts";
import { isDomainError, isOAuthError } from "../kernel/errors.ts";
import { languageOf } from "../kernel/messages/languages.ts";
import { translator } from "../kernel/messages/translator.ts";

/** Whether payers open this endpoint in their browser: apps redirect them to it. */
export const isPayerLink = ({ path, errors }: Pick<Endpoint, "path" | "errors">): boolean =>
  errors === "page" && path === "/oauth/authorize";

type Refused = { request: EndpointRequest; info: RequestInfo; error: unknown };

/** In the payer's language. An error that only developers can cause keeps its English page. */
export const linkRefusalPage = async (deps: Deps, { request, info, error }: Refused, reply: Reply): Promise<Reply> => {
  const { status, headers } = reply;
  const reason = reasonOf(status, error);
  if (reason === null) return reply;
  const { path } = targetOf(request.url);
  const locale = await findPersonLocale(deps, { path, headers: request.headers, status });
  const t = translator(locale, "error-page");
  const page = errorPage({
    status,
    language: languageOf(locale),
    title: t("title"),
    text: reason === "busy" ? t("busy", { seconds: Number(headers?.["retry-after"] ?? 60) }) : t(reason),
    requestId: info.requestId,
    ...(reason === "unknownRequest" ? { link: { href: "/wallet", label: t("wallet") } } : {}),
  });
  return { ...page, headers: { ...headers, ...page.headers } };
};

const reasonOf = (status: number, error: unknown) => {
  if (isOAuthError(error)) return "malformed";
  if (status === 429) return "busy";
  if (status === 503) return "unavailable";
  if (status >= 500) return "fault";
  return isDomainError(error) && error.code === "request_unknown" ? "unknownRequest" : null;
};
