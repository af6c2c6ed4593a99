import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestInstance, type TestInstance, testEnvironment } from "#server/cli/checks/test-instance.ts";

let instance: TestInstance;
beforeAll(async () => {
  instance = await startTestInstance(await testEnvironment({}));
});
afterAll(async () => {
  await instance?.stop();
  await instance?.remove();
});

// By the stopwatch: something else on the machine may take one measurement's time, hardly that of three.
test("a second start on the same data is ready in seconds: 15 or less (0-product, Run contract)", {
  retry: 2,
}, async () => {
  await instance.stop();
  const startedAt = performance.now();
  instance = await startTestInstance(instance.environment);
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`second start: ${seconds.toFixed(1)} s`);
  expect(seconds).toBeLessThan(15);
});
