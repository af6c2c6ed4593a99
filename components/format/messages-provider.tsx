"use client";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { IntlProvider } from "use-intl/react";
import type { CompiledTexts } from "#server/kernel/messages/compiled.ts";

type Provided = { locale: string; texts: CompiledTexts };

const OuterMessages = createContext<Provided | null>(null);

/** The client part of `<Messages>`. use-intl hides the texts of an outer provider, so this provider includes them. */
export const MessagesProvider = ({ locale, texts, children }: Provided & { children: ReactNode }) => {
  const outer = useContext(OuterMessages);
  const provided = useMemo(
    () => ({ locale, texts: outer?.locale === locale ? { ...outer.texts, ...texts } : texts }),
    [outer, locale, texts],
  );
  return (
    <OuterMessages value={provided}>
      <IntlProvider locale={locale} messages={provided.texts} timeZone="UTC">
        {children}
      </IntlProvider>
    </OuterMessages>
  );
};
