import { type AccessAction, authorize } from "../../accounts/authorize.ts";
import { findSession, type SessionContext } from "../../accounts/sessions/find-session.ts";
import { sessionActor } from "../../accounts/sessions/session-actor.ts";
import type { EndpointRequest, RawReply } from "../../contract/endpoint.ts";
import { plainPage } from "../../contract/error-page.ts";
import { noStore } from "../../contract/headers.ts";
import type { Deps } from "../../deps/deps.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { languageOf } from "../../kernel/messages/languages.ts";
import { translator } from "../../kernel/messages/translator.ts";

type Call = { deps: Deps; request: EndpointRequest };

type Access = {
  action: AccessAction;
  /** absent: the file is a list of the payer's own records, so it has no owner to check */
  findOwner?: () => Promise<string | null>;
  /** the page to open after a visitor has signed in; absent: this file's URL */
  returnTo?: string;
};

/**
 * Replies with a file of the wallet if the payer may download it. Without a session, redirects to the sign-in form.
 * The response is a 404 page in the payer's language if `reply` throws not_found or the object belongs to another
 * payer.
 */
export const replyToPayer = async (
  { deps, request }: Call,
  { action, findOwner, returnTo = addressOf(request) }: Access,
  reply: (session: SessionContext) => Promise<RawReply> | RawReply,
): Promise<RawReply> => {
  const session = await findSession(deps, request.headers.get("cookie"));
  if (!session) {
    return { status: 303, headers: { ...noStore, location: `/sign-in?return_to=${encodeURIComponent(returnTo)}` } };
  }
  const resource = findOwner ? ({ kind: "owned", ownerId: await findOwner() } as const) : ({ kind: "none" } as const);
  const { locale } = session.account;
  if (authorize(sessionActor(deps, session), action, resource) !== "allow") return notFoundPage(locale);
  try {
    return await reply(session);
  } catch (error) {
    if (isDomainError(error) && error.kind === "not_found") return notFoundPage(locale);
    throw error;
  }
};

const notFoundPage = (locale: string): RawReply => {
  const t = translator(locale, "wallet");
  return plainPage({
    status: 404,
    language: languageOf(locale),
    title: t("fileNotFound"),
    text: t("fileNotFoundText"),
    note: "",
    link: { href: "/wallet", label: t("goToWallet") },
  });
};

const addressOf = ({ url }: EndpointRequest): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** The response that the contracts of all file endpoints have in common. */
export const signInResponse = { 303: { description: "Redirects a visitor to the sign-in form" } } as const;

/** The browser saves the file under this name. No cache may store it, because the content is personal. */
export const downloadHeaders = (fileName: string) => ({
  "cache-control": "private, no-store",
  "content-disposition": `attachment; filename="${fileName}"`,
});
