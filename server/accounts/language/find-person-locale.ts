import type { EndpointRequest } from "../../contract/endpoint.ts";
import type { Deps } from "../../deps/deps.ts";
import { findSession } from "../sessions/find-session.ts";
import { findVisitorLocale, isEnglishPath } from "./find-visitor-locale.ts";

/**
 * The locale of a person whose request was refused. With status 429 or above, the session isn't read from the database:
 * the request is over a limit, or the database may be unavailable.
 */
export const findPersonLocale = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { path, headers, status }: { path: string; headers: EndpointRequest["headers"]; status: number },
): Promise<string> => {
  const cookies = headers.get("cookie");
  const readsSession = status < 429 && !isEnglishPath(path);
  const session = readsSession ? await findSession(deps, cookies).catch(() => null) : null;
  return (
    session?.account.locale ?? findVisitorLocale({ path, cookies, acceptLanguage: headers.get("accept-language") })
  );
};
