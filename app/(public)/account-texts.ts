import { type Translator, translator } from "#server/kernel/messages/translator.ts";
import { currentLocale } from "../page-context.ts";

export const accountTexts = async (): Promise<Translator<"account-access">> =>
  translator(await currentLocale(), "account-access");
