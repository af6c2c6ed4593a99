import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { findVisitorLocale } from "../../accounts/language/find-visitor-locale.ts";
import { plainPage } from "../../contract/error-page.ts";
import type { NodeHandler } from "../../contract/node-handler.ts";
import type { DomainError } from "../../kernel/errors.ts";
import { languageOf } from "../../kernel/messages/languages.ts";
import { translator } from "../../kernel/messages/translator.ts";
import { pathOf } from "../request-target.ts";
import { holdPage } from "./hold-page.ts";
import { type Rendering, runRendering } from "./rendering.ts";
import { type Head, replaceHead } from "./replace-head.ts";

/** A document, and the data of a page that Next's router loads. */
const pageTypes = /^text\/(?:html|x-component)/;

/** Pages that show their parts one after the other. Each part reports its own failure (app/(portal)/operator). */
const isStreamed = (pathname: string): boolean => pathname === "/operator";

/**
 * Next's pages. A page that can't be rendered because the database is unavailable is answered with 503 and Retry-After,
 * like an endpoint. Next itself would answer with 500, or with 200 if the page fails after its first part is written or
 * if Next's router loads it. After a 503, the router loads the page as a browser does.
 */
export const withUnavailablePages =
  (pages: NodeHandler): NodeHandler =>
  async (incoming, outgoing) => {
    const rendering: Rendering = { unavailable: null };
    const ownHeaders = outgoing.getHeaders();
    const isWhole = !isStreamed(pathOf(incoming.url ?? "") ?? "");
    holdPage(outgoing, {
      isHeld: () =>
        pageTypes.test(String(outgoing.getHeader("content-type") ?? "")) && (isWhole || outgoing.statusCode >= 500),
      async replace() {
        // Next reports the error of a page asynchronously.
        await nextTurn();
        const { statusCode } = outgoing;
        if (!rendering.unavailable || (statusCode >= 300 && statusCode < 500)) return null;
        const { body, ...head } = unavailablePage(incoming, rendering.unavailable);
        replaceHead(outgoing, ownHeaders, head);
        return body;
      },
    });
    await runRendering(rendering, () => pages(incoming, outgoing));
  };

const unavailablePage = ({ url = "", headers }: IncomingMessage, error: DomainError): Head & { body: string } => {
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
  const contentType = { "content-type": page.contentType ?? "" };
  return {
    status: page.status,
    headers: { ...page.headers, ...error.headers, ...contentType },
    body: String(page.body),
  };
};
