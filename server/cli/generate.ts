import { generateClient } from "./supervisor/build.ts";
import { StartError } from "./supervisor/steps.ts";

/**
 * Runs before a command that needs the database client, if no service was started yet in this clone or the schema has
 * changed.
 */
try {
  await generateClient();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
