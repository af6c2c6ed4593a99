import { readFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { isLoopbackUrl, isSettingName, type Variables } from "../../platform/config.ts";

/** Names that .env may contain although they aren't settings: Node, npm or compose.yaml reads them. */
const known =
  /^(NODE_|NPM_|npm_|POSTGRES_PASSWORD$|(SANDBOX_)?DATABASE_PASSWORD$|SANDBOX_SIMULATOR_KEY$|SANDBOX_WORKER_)/;

/** The text of .env in the current folder; empty if there is none. */
export const readSettingsFile = (): Promise<string> =>
  readFile(".env", "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });

/** One warning for each setting that is probably a mistake but doesn't prevent the start. Values aren't shown. */
export const settingWarnings = (settingsFile: string, { BASE_URL, SANDBOX_URL }: Partial<Variables>): string[] => {
  const unknown = Object.keys(parseEnv(settingsFile)).filter((name) => !isSettingName(name) && !known.test(name));
  const insecure = Object.entries({ BASE_URL, SANDBOX_URL }).filter(
    ([, url]) => url?.startsWith("http:") && !isLoopbackUrl(url),
  );
  return [
    ...unknown.map(
      (name) => `warning: ${name} in .env isn't a known setting and is ignored; check the name in .env.example`,
    ),
    ...insecure.map(([name]) => `warning: ${name} isn't https, so browsers don't keep sessions and no one can sign in`),
  ];
};
