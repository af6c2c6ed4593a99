import type { EndpointRequest } from "../../contract/endpoint.ts";
import type { Deps } from "../../deps/deps.ts";
import { defaultLocales, languages, localeOfAcceptLanguage } from "../../kernel/messages/languages.ts";
import { readCookie } from "../rules/cookie.ts";
import { findSession } from "../sessions/find-session.ts";

/**
 * The locale of a person whose request was refused. With status 429 or above, the session isn't read from the database:
 * the request is over a limit, or the database may be unavailable.
 */
export const findPersonLocale = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { path, headers, status }: { path: string; headers: EndpointRequest["headers"]; status: number },
): Promise<string> => {
  if (path.startsWith("/merchant/")) return defaultLocales.en;
  const cookies = headers.get("cookie");
  const session = status < 429 ? await findSession(deps, cookies).catch(() => null) : null;
  if (session) return session.account.locale;
  const chosen = readCookie("language", cookies);
  const language = languages.find((known) => known === chosen);
  return language ? defaultLocales[language] : localeOfAcceptLanguage(headers.get("accept-language"));
};
