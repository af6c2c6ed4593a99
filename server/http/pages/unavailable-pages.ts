import type { IncomingMessage } from "node:http";
import { findVisitorLocale } from "../../accounts/language/find-visitor-locale.ts";
import type { RawReply } from "../../contract/endpoint.ts";
import { plainPage } from "../../contract/error-page.ts";
import type { NodeHandler } from "../../contract/node-handler.ts";
import type { DomainError } from "../../kernel/errors.ts";
import { languageOf } from "../../kernel/messages/languages.ts";
import { translator } from "../../kernel/messages/translator.ts";
import { pathOf } from "../request-target.ts";
import { holdPage } from "./hold-page.ts";
import { type Rendering, runRendering } from "./rendering.ts";

/** Pages that show their parts one after the other. Each part reports its own failure (app/(portal)/operator). */
const isStreamed = (pathname: string): boolean => pathname === "/operator";

/**
 * Next's pages. A page that can't be rendered because the database is unavailable is answered with 503 and Retry-After,
 * like an endpoint. Next itself would answer with 500, or with 200 if its router loads the page. After a 503, the router
 * loads the page as a browser does.
 */
export const withUnavailablePages =
  (pages: NodeHandler): NodeHandler =>
  async (incoming, outgoing) => {
    const rendering: Rendering = { unavailable: null };
    holdPage(outgoing, {
      isStreamed: isStreamed(pathOf(incoming.url ?? "") ?? ""),
      replacement: () => rendering.unavailable && unavailablePage(incoming, rendering.unavailable),
    });
    await runRendering(rendering, () => pages(incoming, outgoing));
  };

const unavailablePage = ({ url = "", headers }: IncomingMessage, error: DomainError): RawReply => {
  const locale = findVisitorLocale({
    path: pathOf(url) ?? "",
    cookies: headers.cookie ?? null,
    acceptLanguage: headers["accept-language"] ?? null,
  });
  const t = translator(locale, "error-page");
  const page = plainPage({
    status: 503,
    language: languageOf(locale),
    title: t("unavailablePageTitle"),
    text: t("unavailablePage"),
    note: headers["x-request-id"]?.toString() ?? "",
    // This address, with its query.
    link: { href: "", label: t("loadAgain") },
  });
  return { ...page, headers: { ...page.headers, ...error.headers } };
};
