import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const server = path.resolve(import.meta.dirname, "../..");

/**
 * Files that may call `Date.now()`. They record times. They don't measure durations, because a step of the clock would
 * falsify a duration.
 */
const writers = [
  "platform/log.ts",
  "cli/checks/free-ports.ts",
  "processors/simulator/server/alarm.ts",
  "processors/simulator/server/answer-dispute.ts",
  "processors/simulator/server/answer-operation.ts",
  "processors/simulator/server/answer-payment.ts",
  "processors/simulator/server/deliver-webhooks.ts",
];

test("durations are measured by performance.now(), because the clock may step back", () => {
  const files = readdirSync(server, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.(ts|mjs)$/.test(file) && !/\.(test|fixture)\.ts$/.test(file) && !file.startsWith("data/generated/"),
  );
  expect(files.length).toBeGreaterThan(100);
  const users = files.filter((file) => /\bDate\.now\(\)/.test(readFileSync(path.join(server, file), "utf8")));
  expect(users.filter((file) => !writers.includes(file))).toEqual([]);
});
