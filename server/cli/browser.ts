import { spawn } from "node:child_process";
import { once } from "node:events";
import { findChromium } from "./checks/find-chromium.ts";
import { programs } from "./checks/run-check.ts";
import { describeInstance, sharedServiceSettings, startTestInstance, testEnvironment } from "./checks/test-instance.ts";
import { generateClient } from "./supervisor/build.ts";

// `npm run browser -- merchant/payments -g "refund"`: browser tests on a separate service. All arguments go to
// Playwright.

const print = (text: string): void => void process.stdout.write(text);

const stopped = new AbortController();
process.once("SIGINT", () => stopped.abort());

const chromium = await findChromium(print);
await generateClient();
print("› service          with its own ports and data …\n");
const instance = await startTestInstance(await testEnvironment(sharedServiceSettings), stopped.signal);
try {
  const child = spawn(process.execPath, [programs.playwright, "test", "--reporter=list", ...process.argv.slice(2)], {
    env: { ...process.env, ...(await describeInstance(instance)), CHROMIUM_PATH: chromium },
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  process.exitCode = Number(code ?? 1);
} finally {
  await instance.stop();
  await instance.remove();
}
