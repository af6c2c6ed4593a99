import { darkQuery } from "./mail-styles.ts";

type Frame = {
  /** the page's Content-Security-Policy, which applies in its frame too */
  policy: string | null;
  /** null: the theme of the browser */
  theme: "light" | "dark" | null;
};

/** Prepares a mail for a frame of a page: adds the page's nonce to the style sheet, and applies the given theme. */
export const framedMail = (html: string, { policy, theme }: Frame): string => {
  const nonce = /'nonce-([A-Za-z0-9+/=_-]+)'/.exec(policy ?? "")?.[1];
  const styled = nonce ? html.replace("<style>", `<style nonce="${nonce}">`) : html;
  if (theme === null) return styled;
  return styled.replace(darkQuery, theme === "dark" ? "@media all" : "@media not all");
};
