import type { ReactNode } from "react";
import type { Area } from "#server/kernel/messages/catalogues.ts";
import { compiledTexts } from "#server/kernel/messages/compiled.ts";
import { languageOf, textLocaleOf } from "#server/kernel/messages/languages.ts";
import { MessagesProvider } from "./messages-provider.tsx";

/**
 * Gives the client components below it the texts of these areas, and no others. Components below two `<Messages>` have
 * the texts of both.
 */
export const Messages = ({
  locale,
  areas,
  children,
}: {
  locale: string;
  areas: readonly Area[];
  children: ReactNode;
}) => (
  <MessagesProvider
    locale={textLocaleOf(locale)}
    texts={Object.fromEntries(areas.map((area) => [area, compiledTexts(languageOf(locale), area)]))}
  >
    {children}
  </MessagesProvider>
);
