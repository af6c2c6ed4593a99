import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** `npm run keys -- …` as an operator calls it, on the service that `environment` describes. @throws Error with what it said. */
export const keysCommand = async (environment: NodeJS.ProcessEnv, ...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, ["server/cli/bootstrap.mjs", "keys", ...args], {
    env: environment,
  });
  return stdout.trim();
};
