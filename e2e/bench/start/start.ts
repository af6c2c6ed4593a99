import { rm } from "node:fs/promises";
import { startTestInstance, testEnvironment } from "#server/cli/checks/test-instance.ts";
import { step } from "#server/cli/supervisor/steps.ts";
import { median } from "../measure.ts";
import { untilStopped } from "../servers/until-stopped.ts";

const rounds = 3;
/** What is aimed at for a start on data that is there. */
const limitSeconds = 10;

/**
 * The service as `npm start` has it, until its ready line: once on no data, then again and again on what that one made.
 * What is slow is shown. @throws Error with its output where it doesn't start.
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
      `\n${first.toFixed(1)} s on no data, with the pages to build where they had changed; median of the others ${usual.toFixed(1)} s\n` +
        `${usual <= limitSeconds ? "✓" : "✗"} a start on data that is there, ${limitSeconds} s\n`,
    );
  });
