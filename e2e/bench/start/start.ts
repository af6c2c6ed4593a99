import { rm } from "node:fs/promises";
import { startTestInstance, testEnvironment } from "#server/cli/checks/test-instance.ts";
import { step } from "#server/cli/supervisor/steps.ts";
import { median } from "../measure.ts";
import { untilStopped } from "../servers/until-stopped.ts";

const rounds = 3;
/** The target for a start with existing data. */
const limitSeconds = 10;

/**
 * Runs `npm start` until its ready line: once without data, then repeatedly with that data. Slow starts are reported.
 * @throws Error with the output of `npm start` when the service doesn't start.
 */
export const runStarts = (): Promise<void> =>
  untilStopped(async (begin) => {
    const environment = await testEnvironment();
    const remove = () => rm(environment["DATA_DIR"] ?? "", { recursive: true, force: true });
    await begin(Promise.resolve({ stop: remove }));
    const start = async (): Promise<number> => {
      const startedAt = performance.now();
      const instance = await begin(startTestInstance(environment));
      const seconds = (performance.now() - startedAt) / 1000;
      await instance.stop();
      return seconds;
    };
    const first = await step("first start", start);
    const again: number[] = [];
    for (let round = 1; round <= rounds; round++) again.push(await step(`start ${round + 1}`, start));
    const usual = median(again);
    process.stdout.write(
      `\n${first.toFixed(1)} s without data, including the build of the pages if they had changed; median of the others ${usual.toFixed(1)} s\n` +
        `${usual <= limitSeconds ? "✓" : "✗"} a start with existing data takes at most ${limitSeconds} s\n`,
    );
  });
