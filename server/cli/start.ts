import { ConfigError } from "../platform/settings/config-error.ts";
import { startAll } from "./supervisor/start-all.ts";
import { StartError } from "./supervisor/steps.ts";

try {
  await startAll(process.env);
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : error instanceof StartError ? [error.message] : null;
  if (!lines) throw error;
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exit(1);
}
