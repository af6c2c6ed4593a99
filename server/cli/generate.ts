import { generateClient } from "./supervisor/build.ts";
import { StartError } from "./supervisor/steps.ts";

/**
 * Runs before a command that needs the database client, in a clone where no service was started yet or whose schema has
 * changed.
 */
try {
  await generateClient();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
