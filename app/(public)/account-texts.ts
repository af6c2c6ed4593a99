import { type Translator, translator } from "#server/kernel/messages/translator.ts";
import { currentLocale } from "../page-context.ts";

export const accountTexts = async (): Promise<Translator<"account-access">> =>
  translator(await currentLocale(), "account-access");

export type Query = Readonly<Record<string, string | string[] | undefined>>;

/** A parameter that the address has exactly once. */
export const onlyOne = (query: Query, name: string): string | null => {
  const value = query[name];
  return typeof value === "string" ? value : null;
};

/** The address of a page with the path to return to. */
export const pageWithReturn = (path: string, returnTo: string): string =>
  `${path}?${new URLSearchParams({ return_to: returnTo })}`;
