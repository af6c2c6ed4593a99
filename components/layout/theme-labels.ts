import { translator } from "#server/kernel/messages/translator.ts";
import type { ThemeLabels } from "./theme-toggle.tsx";

/** Called on the server, so that the browser loads no message catalogue for the choice of a theme. */
export const themeLabels = (locale: string): ThemeLabels => {
  const t = translator(locale, "frame");
  return { group: t("theme"), system: t("systemTheme"), light: t("lightTheme"), dark: t("darkTheme") };
};
