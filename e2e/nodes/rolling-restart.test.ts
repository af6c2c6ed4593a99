import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InstanceBehindNginx, startBehindNginx } from "#server/cli/checks/behind-nginx.ts";
import { isLost, postTarget, readTargets, startLoad } from "../faults/steady-load.ts";
import { listRole } from "../support/processes.ts";
import { waitUntil } from "../support/wait-until.ts";

const ratePerSecond = 300;
const patienceSeconds = 60;
/** How long nginx sends no requests to a failed node, plus a margin, because nginx counts whole seconds. */
const leftOutSeconds = 6;

let instance: InstanceBehindNginx;
beforeAll(async () => {
  instance = await startBehindNginx();
});
afterAll(async () => {
  await instance?.stop();
  await instance?.remove();
});

const listFirst = () => listRole(instance.dataDirectory, "web", "production");
const firstServes = async (): Promise<boolean> => {
  const answer = await fetch(`http://127.0.0.1:${instance.environment["PORT"]}/readyz`).catch(() => null);
  return answer?.ok ?? false;
};
const restartFirst = async (): Promise<void> => {
  const [before] = await listFirst();
  process.kill(before ?? 0, "SIGTERM");
  await waitUntil(async () => {
    const [now] = await listFirst();
    return now !== undefined && now !== before && (await firstServes());
  }, patienceSeconds);
};

test(`a rolling restart of two nodes behind nginx loses none of ${ratePerSecond} GET and POST requests a second (docs/runbooks/rolling-upgrades.md)`, async () => {
  const stopLoad = startLoad(instance.environment["BASE_URL"] ?? "", ratePerSecond, [...readTargets, postTarget]);
  await sleep(2_000);
  for (const restart of [restartFirst, instance.restartSecond]) {
    await restart();
    await sleep(leftOutSeconds * 1000);
  }
  const answers = await stopLoad();
  const lost = answers.filter(isLost);
  console.log(`${answers.length} requests over the restarts of two nodes behind nginx, ${lost.length} lost`);
  expect(lost).toEqual([]);
  expect(answers.length).toBeGreaterThan(2 * leftOutSeconds * ratePerSecond);
});
