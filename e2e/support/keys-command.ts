import { command } from "./command.ts";

/** `npm run keys -- …` */
export const keysCommand = (environment: NodeJS.ProcessEnv, ...args: string[]): Promise<string> =>
  command(environment, "keys", ...args);
