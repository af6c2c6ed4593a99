import { translator } from "#server/kernel/messages/translator.ts";
import type { ThemeLabels } from "./theme-toggle.tsx";

/** On the server, so that the choice of a theme needs no texts in the browser. */
export const themeLabels = (locale: string): ThemeLabels => {
  const t = translator(locale, "frame");
  return { group: t("theme"), system: t("systemTheme"), light: t("lightTheme"), dark: t("darkTheme") };
};
