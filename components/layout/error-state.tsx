"use client";
import { useEffect, useState } from "react";
import { type Language, languageOf } from "#server/kernel/messages/languages.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

/** The props that Next.js passes to an error page. */
export type ErrorStateProps = { error: Error & { digest?: string }; retry: () => void };

/** These texts aren't in the message catalogues, because an error page gets no data from the server. */
const texts: Readonly<Record<Language, Record<"title" | "text" | "again", string> & { ids: Ids }>> = {
  en: {
    title: "Something went wrong on our side",
    text: "Nothing was changed. Please try again in a moment.",
    again: "Try again",
    ids: (error, request) =>
      `If the problem persists, contact us and include error ID ${error}${request ? ` and request ID ${request}` : ""}.`,
  },
  de: {
    title: "Bei uns ist ein Fehler aufgetreten",
    text: "Es wurde nichts geändert. Bitte versuchen Sie es gleich noch einmal.",
    again: "Noch einmal versuchen",
    ids: (error, request) =>
      `Falls der Fehler wieder auftritt, nennen Sie uns die Fehler-ID ${error}${request ? ` und die Anfrage-ID ${request}` : ""}.`,
  },
};
type Ids = (error: string, request: string | null) => string;

/**
 * The page for an internal error, in the language of the document. It shows only the IDs under which the error was
 * logged.
 */
export const ErrorState = ({ error: { digest }, retry }: ErrorStateProps) => {
  const [requestId, setRequestId] = useState<string | null>(null);
  useEffect(() => setRequestId(findRequestId()), []);
  const { title, text, again, ids } = texts[typeof document === "undefined" ? "en" : languageOf(documentLanguage())];
  return (
    <EmptyState isPage title={title} act={<Button onClick={retry}>{again}</Button>}>
      {text} {digest ? ids(digest, requestId) : null}
    </EmptyState>
  );
};

const documentLanguage = (): string => document.documentElement.lang;

/** The ID of the request that loaded this document; null if a link opened the page without a new document. */
const findRequestId = (): string | null => {
  const [navigation] = performance.getEntriesByType("navigation");
  const isSameAddress = navigation !== undefined && new URL(navigation.name).pathname === window.location.pathname;
  return isSameAddress ? (document.documentElement.dataset["requestId"] ?? null) : null;
};
