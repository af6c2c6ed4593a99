"use client";
import { useLocale, useTranslations } from "use-intl";
import { messageOf } from "./trpc-client.ts";

/** The message to show for an error, in the language of the page. */
export const useMessageOf = (): ((error: unknown) => string) => {
  const texts = { acts: useTranslations("acts"), passkey: useTranslations("passkey"), locale: useLocale() };
  return (error) => messageOf(error, texts);
};
