import { execFile } from "node:child_process";
import { promisify } from "node:util";

/**
 * Runs `npm run <name> -- …` as an operator would, for the service that `environment` describes.
 * @throws Error with its output.
 */
export const command = async (environment: NodeJS.ProcessEnv, name: string, ...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, ["server/cli/bootstrap.mjs", name, ...args], {
    env: environment,
  });
  return stdout.trim();
};
