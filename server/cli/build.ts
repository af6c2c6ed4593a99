import { buildPages } from "./supervisor/build.ts";
import { StartError } from "./supervisor/steps.ts";

/** Builds the pages before a start: `npm test` builds them once for all services that it starts. */
try {
  await buildPages();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
