import { buildPages } from "./supervisor/build.ts";
import { StartError } from "./supervisor/steps.ts";

/** The pages, ahead of a start: `npm test` builds them once for all the services that it starts. */
try {
  await buildPages();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
