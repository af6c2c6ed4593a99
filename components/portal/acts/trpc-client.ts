import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import { languageOf } from "#server/kernel/messages/languages.ts";
import type { Translator } from "#server/kernel/messages/translator.ts";
import { pageAccountHeader } from "#server/kernel/requests/page-account.ts";
import type { AppRouter } from "#server/trpc/root.ts";
import { PasskeyProblem } from "../../sign-in/passkey.ts";

/** Sends the account that the portal's frame shows. The server refuses to change another account. */
const pageAccount = (): Record<string, string> => {
  const account = document.querySelector<HTMLElement>("[data-account]")?.dataset["account"];
  return account === undefined ? {} : { [pageAccountHeader]: account };
};

/** For mutations, and for queries after the page has loaded. Pages load their first data on the server. */
export const trpc = createTRPCClient<AppRouter>({ links: [httpLink({ url: "/api/trpc", headers: pageAccount })] });

/** The error code, for a page that can react to it. */
export const reasonOf = (error: unknown): string | null =>
  error instanceof TRPCClientError ? (error.data?.reason ?? null) : null;

/**
 * Whether the same request may succeed later: there was no response, too many requests were sent, or the server failed.
 * Also true for an error of unknown origin.
 */
export const isRepeatable = (error: unknown): boolean => {
  const status = error instanceof TRPCClientError ? (error.data?.httpStatus ?? null) : null;
  return status === null || status === 429 || status >= 500;
};

type MessageTexts = { acts: Translator<"acts">; passkey: Translator<"passkey">; locale: string };

/** Use the hook `useMessageOf` in components. */
export const messageOf = (error: unknown, { acts, passkey, locale }: MessageTexts): string => {
  if (error instanceof PasskeyProblem) return passkey(error.text);
  if (!(error instanceof TRPCClientError)) return acts("failed");
  const data: TRPCClientError<AppRouter>["data"] = error.data;
  if (data?.code === "UNAUTHORIZED") return acts("signedOut");
  const isEnglish = languageOf(locale) === "en";
  const text = `reasons.${data?.reason}` as "reasons.password_refused";
  // For an invalid request, the server's own message is more exact, but it exists only in English.
  const isExact = isEnglish && data?.reason === "invalid_request";
  if (!isExact && acts.has(text)) return acts(text, formatLists(data?.values ?? {}, locale) as never);
  if (isEnglish) return error.message || acts("unreachable");
  if (!data) return acts("unreachable");
  if (data.fields.length > 0) return acts("reasons.invalid_request");
  return acts(data.code === "NOT_FOUND" ? "reasons.not_found" : "failed");
};

const formatLists = (values: Readonly<Record<string, string | readonly string[]>>, locale: string) => {
  const lists = new Intl.ListFormat(locale, { type: "conjunction" });
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value : lists.format(value)]),
  );
};
